import type { Evidence, Project } from './evidence.ts';
import { above, type Folder, folderOf } from './folder.ts';

/** What the user calls projects: by a project's name, or by a folder, which stands for all that lies in it. */
export class Aliases {
  private readonly byName = new Map<string, string>();
  private readonly byFolder = new Map<string, string>();
  private readonly keys: ReadonlyMap<string, string>;

  constructor(aliases: Evidence['aliases'], projects: readonly Project[], home: string | undefined) {
    for (const [name, project] of Object.entries(aliases)) {
      const folder = folderOf(name, home);
      if (folder) this.byFolder.set(folder.id, project);
      else this.byName.set(name.toLowerCase(), project);
    }
    this.keys = new Map(projects.map(({ key, name }) => [name.toLowerCase(), key]));
  }

  /** The project as the user calls it. Its key is that of the project of this name, where there is one. */
  of(project: Project, folder: Folder | undefined): Project {
    const name = (folder && this.nearest(folder)) ?? this.byName.get(project.name.toLowerCase());
    return name === undefined ? project : { key: this.keys.get(name.toLowerCase()) ?? `= ${name}`, name };
  }

  private nearest(folder: Folder): string | undefined {
    if (this.byFolder.size === 0) return undefined;
    for (const place of [folder, ...above(folder)]) {
      const project = this.byFolder.get(place.id);
      if (project !== undefined) return project;
    }
    return undefined;
  }
}
