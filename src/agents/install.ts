/** What setup may know of the machine. */
export interface Machine {
  readonly home: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** How an agent starts our server. */
export interface Entry {
  readonly command: string;
  readonly args: readonly string[];
  /** Agents keep most of the environment from the servers that they start. */
  readonly env: Readonly<Record<string, string>>;
}

/** How Portolan is put into an agent. */
export interface Installer {
  /** The file that lists MCP servers. */
  config(machine: Machine): ConfigFile;
  /** The folder of the user's own skills. */
  skills(machine: Machine): string;
  /** What to do for it to be seen. */
  readonly hint: string;
}

export interface ConfigFile {
  readonly path: string;
  /** Our entry as it stands there, in the file's own words; undefined where there is none. */
  current(text: string): string | undefined;
  /** Whether it says all that ours says. */
  isCurrent(text: string, entry: Entry): boolean;
  /** @throws Unreadable where the file cannot be edited safely */
  added(text: string | undefined, entry: Entry): string;
  /** The file without our entry, or with what stood there before. @throws Unreadable */
  removed(text: string, undo: { readonly replaced?: string; readonly madeParent?: boolean }): string;
  /** Whether an entry has to be made for ours to stand in. */
  needsParent(text: string | undefined): boolean;
}

/** A file that cannot be edited safely, and so is left alone. */
export class Unreadable extends Error {}
