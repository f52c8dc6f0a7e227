import type { Evidence } from './evidence.ts';
import { above, type Folder, folderOf } from './folder.ts';

/** What the user calls projects: by a project's name, or by a folder, which stands for all that lies in it. */
export class Aliases {
  private readonly byName = new Map<string, string>();
  private readonly byFolder = new Map<string, string>();

  constructor(aliases: Evidence['aliases'], home: string | undefined) {
    for (const [name, project] of Object.entries(aliases)) {
      const folder = folderOf(name, home);
      if (folder) this.byFolder.set(folder.id, project);
      else this.byName.set(name.toLowerCase(), project);
    }
  }

  ofName(name: string): string | undefined {
    return this.byName.get(name.toLowerCase());
  }

  /** By the nearest folder above that has one. */
  ofFolder(folder: Folder): string | undefined {
    if (this.byFolder.size === 0) return undefined;
    for (const place of [folder, ...above(folder)]) {
      const project = this.byFolder.get(place.id);
      if (project !== undefined) return project;
    }
    return undefined;
  }
}
