import type { FolderLayout } from '../agents/source.ts';

/** A folder's repository as it was seen on disk, at some time: kept, for folders are deleted. */
export interface SeenFolder {
  readonly path: string;
  /** The main repository's folder. */
  readonly root: string;
  /** `//host/owner/name` */
  readonly remote?: string;
  /** The same for a repository wherever it is moved to. */
  readonly born?: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Where sessions ran, and what they themselves tell of it: each combination once. */
export interface Place {
  readonly cwd: string;
  readonly remote?: string;
  readonly branch?: string;
}

/** What the user has set. */
export interface ProjectSettings {
  /** What a project is called, by its own name or its folder. */
  readonly aliases: Readonly<Record<string, string>>;
  /** The projects of a family, by its name. */
  readonly families: Readonly<Record<string, readonly string[]>>;
}

/** All that is known of where work was done. The same evidence gives the same projects, in whatever order it came. */
export interface Evidence {
  readonly seen: readonly SeenFolder[];
  readonly places: readonly Place[];
  readonly aliases: ProjectSettings['aliases'];
  readonly layouts: readonly FolderLayout[];
  /** What `~` stands for. */
  readonly home?: string;
}

export interface Project {
  /** The remote, else the folder: what stays where the name changes. */
  readonly key: string;
  readonly name: string;
}
