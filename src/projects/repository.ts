import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, normalize } from 'node:path';
import { hash53 } from '../transcript/index.ts';
import { above, type Folder, firstNames, folderOf, homeDepth, pathOf } from './folder.ts';
import { isGeneric } from './generic.ts';
import { type Machine, mayLook } from './permission.ts';
import { spelledRemote } from './remote.ts';

/** A repository as it was found on disk. */
export interface Repository {
  /** The main repository's folder, also for a worktree; the bare one where there is no other. */
  readonly root: string;
  /** As `spelledRemote` gives it. */
  readonly remote?: string;
  /** A hash of the first thing that its log tells: it goes with the repository where that is moved. */
  readonly born?: number;
}

/** What is asked of a disk. */
export interface Disk {
  kind(path: string): 'file' | 'folder' | undefined;
  /** What a link points to, without following it; undefined for what is no link. */
  link(path: string): string | undefined;
  /** The first `bytes` of a file; undefined where it cannot be read. */
  beginning(path: string, bytes: number): string | undefined;
}

const CONFIG_BYTES = 256 * 1024;
const LINE_BYTES = 4096;
/** Links that are followed one after the other. */
const MOST_HOPS = 8;

/** Finds the repositories of folders without running git. Each folder is looked at once. */
export class Repositories {
  private readonly disk: Disk;
  private readonly machine: Machine;
  private readonly links = new Map<string, string | undefined>();
  private readonly found = new Map<string, Repository | undefined>();

  constructor(machine: Machine, disk: Disk = DISK) {
    this.machine = machine;
    this.disk = disk;
  }

  /** The repository that a folder lies in, though the folder itself may be gone; undefined where there is none, or none may be looked for. */
  of(path: string): Repository | undefined {
    const folder = folderOf(path, this.machine.home);
    if (!folder || !mayLook(path, this.machine) || this.leadsAway(folder)) return undefined;
    for (const place of [folder, ...above(folder)]) {
      // A home that is a repository is not that of all that lies below it.
      if (place !== folder && isGeneric(place)) return undefined;
      const found = this.at(pathOf(place));
      if (found) return found;
    }
    return undefined;
  }

  /** Whether a link on the way leads into a folder that may not be looked into. Only macOS asks. */
  private leadsAway(folder: Folder, hops = 0): boolean {
    if (this.machine.platform !== 'darwin') return false;
    for (let count = (homeDepth(folder) ?? 0) + 1; count <= folder.names.length; count++) {
      const path = pathOf(firstNames(folder, count));
      if (!this.links.has(path)) this.links.set(path, this.disk.link(path));
      const target = this.links.get(path);
      if (target === undefined) continue;
      const real = join(resolved(dirname(path), target), ...folder.names.slice(count));
      const there = folderOf(real);
      return !there || hops >= MOST_HOPS || !mayLook(real, this.machine) || this.leadsAway(there, hops + 1);
    }
    return false;
  }

  private at(path: string): Repository | undefined {
    if (!this.found.has(path)) this.found.set(path, this.look(path));
    return this.found.get(path);
  }

  private look(path: string): Repository | undefined {
    const git = join(path, '.git');
    switch (this.disk.kind(git)) {
      case 'folder':
        return this.isGit(git) ? this.described(path, git) : undefined;
      case 'file':
        return this.linked(path, git);
      default:
        return this.isBare(path) ? this.described(this.mainOf(path), path) : undefined;
    }
  }

  /** A `.git` that is a file points to where the repository is: that of a worktree, of a submodule, or one kept apart. */
  private linked(path: string, file: string): Repository | undefined {
    const target = /^gitdir: (.+)$/m.exec(this.disk.beginning(file, LINE_BYTES) ?? '')?.[1]?.trim();
    if (target === undefined) return undefined;
    const git = resolved(path, target);
    const said = this.beginning(join(git, 'commondir'), LINE_BYTES)?.trim();
    // What git itself writes, for a worktree whose repository does not know it any more, or may not be looked into.
    const common = said === undefined ? /^(.*)[\\/]worktrees[\\/][^\\/]+$/.exec(git)?.[1] : resolved(git, said);
    return common === undefined ? this.described(path, git) : this.described(this.mainOf(common), common);
  }

  /** The folder that a repository's data are of. */
  private mainOf(common: string): string {
    const name = basename(common);
    if (name === '.git' || name === '.bare') return dirname(common);
    const worktree = /^\s*worktree\s*=\s*(.+)$/m.exec(this.config(common))?.[1]?.trim();
    return worktree === undefined ? common : resolved(common, worktree);
  }

  private described(root: string, git: string): Repository {
    const remote = remoteIn(this.config(git));
    const first = this.beginning(join(git, 'logs', 'HEAD'), LINE_BYTES)?.split('\n')[0];
    return {
      root,
      ...(remote !== undefined && { remote }),
      ...(first !== undefined && first !== '' && { born: hash53(first) }),
    };
  }

  private config(git: string): string {
    return this.beginning(join(git, 'config'), CONFIG_BYTES) ?? '';
  }

  /** A worktree may point to where no look is allowed. */
  private beginning(path: string, bytes: number): string | undefined {
    return mayLook(path, this.machine) ? this.disk.beginning(path, bytes) : undefined;
  }

  private isGit(path: string): boolean {
    return this.disk.kind(join(path, 'HEAD')) === 'file';
  }

  private isBare(path: string): boolean {
    const isCalledSo = path.endsWith('.git') || basename(path) === '.bare';
    return isCalledSo && this.isGit(path) && this.disk.kind(join(path, 'objects')) === 'folder';
  }
}

/** The remote that a configuration names: `origin`, else the first. */
function remoteIn(config: string): string | undefined {
  const remotes = new Map<string, string>();
  let section: string | undefined;
  for (const line of config.split('\n')) {
    const header = /^\s*\[(.*)\]/.exec(line)?.[1];
    if (header !== undefined) section = /^remote\s+"(.*)"$/.exec(header)?.[1];
    const url = /^\s*url\s*=\s*"?([^"]+?)"?\s*$/.exec(line)?.[1];
    if (section !== undefined && url !== undefined && !remotes.has(section)) remotes.set(section, url);
  }
  const url = remotes.get('origin') ?? [...remotes.values()][0];
  return url === undefined ? undefined : spelledRemote(url);
}

function resolved(from: string, path: string): string {
  return normalize(isAbsolute(path) ? path : join(from, path)).replace(/(?<=.)[\\/]$/, '');
}

const DISK: Disk = {
  kind(path) {
    try {
      const found = statSync(path, { throwIfNoEntry: false });
      return found?.isDirectory() ? 'folder' : found?.isFile() ? 'file' : undefined;
    } catch {
      return undefined;
    }
  },
  link(path) {
    try {
      return readlinkSync(path);
    } catch {
      return undefined;
    }
  },
  beginning(path, bytes) {
    let file: number | undefined;
    try {
      // What is no file (a pipe, a device) is not waited for.
      file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      if (!fstatSync(file).isFile()) return undefined;
      const buffer = Buffer.alloc(bytes);
      return buffer.toString('utf8', 0, readSync(file, buffer));
    } catch {
      return undefined;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  },
};
