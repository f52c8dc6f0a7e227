import type { SeenFolder } from '../archive/folders.ts';
import type { Place } from '../catalog/places.ts';
import { Aliases } from './aliases.ts';
import type { Evidence, Project } from './evidence.ts';
import { type Folder, folderOf, pathOf } from './folder.ts';
import { isGeneric, isTemporary } from './generic.ts';
import { type Nameless, namesOf } from './naming.ts';
import { type Remote, remoteOf } from './remote.ts';
import { Roots } from './roots.ts';
import { Union } from './union.ts';
import { worktreeOf } from './worktrees.ts';

/** Folders in which tools worked, with how often. */
export type Work = ReadonlyMap<string, number>;

/**
 * Which project a session belongs to, out of all that is known at a time. Folders with one remote are one project,
 * wherever they lie and whatever they are called; so is a repository that was moved, by the beginning of its log.
 */
export class ProjectMap {
  private readonly roots: Roots;
  private readonly union = new Union();
  private readonly parsed = new Map<string, Remote | undefined>();
  /** The remotes of roots, by the root's id. */
  private readonly remotesOf = new Map<string, Map<string, Remote>>();
  private readonly remotes = new Map<string, Remote>();
  /** The newest sighting of a project's repository, by its identity. */
  private readonly newest = new Map<string, SeenFolder>();
  private readonly projects = new Map<string, Project>();
  /** Keys by name, in small letters. */
  private readonly keys = new Map<string, string>();
  private readonly aliases: Aliases;
  /** Projects of folders that tools worked in. */
  private readonly worked = new Map<string, Project | undefined>();

  constructor(evidence: Evidence) {
    this.roots = new Roots(evidence);
    for (const seen of evidence.seen) this.noteSeen(seen);
    for (const { cwd, remote } of evidence.places) this.noteRemote(cwd, remote);
    for (const remotes of this.remotesOf.values()) this.joinRenamed([...remotes.values()]);
    for (const seen of evidence.seen) this.noteNewest(seen);
    const nameless = new Map<string, Nameless>();
    this.aliases = new Aliases(evidence.aliases, evidence.home);
    // Work may have been done in repositories where no session ran.
    const places: readonly Place[] = [...evidence.places, ...evidence.seen.map(({ root }) => ({ cwd: root }))];
    for (const { cwd, remote } of places) {
      const found = this.aliasOf(cwd) === undefined ? this.namelessOf(cwd, remote) : undefined;
      if (found) nameless.set(found.key, least(found, nameless.get(found.key)));
    }
    for (const [key, name] of namesOf([...nameless.values()])) {
      this.projects.set(key, { key, name });
      this.keys.set(name.toLowerCase(), key);
    }
  }

  /** The project of a session that ran in `cwd`. Where that says nothing, it is the one that more than half of its work was in. */
  of(cwd: string | undefined, remote: string | undefined, work: Work): Project | undefined {
    const isTold = cwd !== undefined && (this.tells(cwd) || this.aliasOf(cwd) !== undefined);
    if (isTold) return this.named(cwd, remote);
    return this.mostWorkedIn(work) ?? (remote === undefined ? undefined : this.named(cwd, remote));
  }

  /** Whether a folder says what was worked on. */
  private tells(cwd: string): boolean {
    const folder = this.roots.folder(cwd);
    return folder !== undefined && !isGeneric(folder) && this.roots.of(folder) !== undefined;
  }

  private named(cwd: string | undefined, remote: string | undefined): Project | undefined {
    const alias = cwd === undefined ? undefined : this.aliasOf(cwd);
    if (alias !== undefined) return this.called(alias);
    const found = this.namelessOf(cwd, remote);
    if (!found) return undefined;
    // A folder where no session ran yet has a name all the same.
    const project = this.projects.get(found.key) ?? { key: found.key, name: found.names.at(-1)! };
    const other = this.aliases.ofName(project.name);
    return other === undefined ? project : this.called(other);
  }

  /** What the user calls all that is done in a folder, or in that of the repository that it is a worktree of. */
  private aliasOf(cwd: string): string | undefined {
    const folder = this.roots.folder(cwd);
    const root = folder && this.roots.of(folder);
    return (folder && this.aliases.ofFolder(folder)) ?? (root && this.aliases.ofFolder(root));
  }

  /** A project of the user's naming; its key is that of the project of this name, where there is one. */
  private called(name: string): Project {
    return { key: this.keys.get(name.toLowerCase()) ?? `= ${name}`, name };
  }

  private mostWorkedIn(work: Work): Project | undefined {
    const counts = new Map<string, { project: Project; n: number }>();
    let all = 0;
    for (const [path, n] of work) {
      const folder = this.roots.folder(path);
      if (!folder || isTemporary(folder)) continue;
      all += n;
      const project = this.workedIn(folder);
      if (project) counts.set(project.key, { project, n: (counts.get(project.key)?.n ?? 0) + n });
    }
    return [...counts.values()].find(({ n }) => n * 2 > all)?.project;
  }

  private workedIn(folder: Folder): Project | undefined {
    if (!this.worked.has(folder.id)) {
      const root = this.roots.knownOf(folder);
      this.worked.set(folder.id, root && this.named(pathOf(root), undefined));
    }
    return this.worked.get(folder.id);
  }

  private namelessOf(cwd: string | undefined, url: string | undefined): Nameless | undefined {
    const said = this.remote(url);
    if (said) return this.ofRemote(said);
    const folder = cwd === undefined ? undefined : this.roots.folder(cwd);
    const root = folder && this.roots.of(folder);
    if (!folder || !root || isGeneric(root)) return undefined;
    const seen = this.roots.seenAt(folder) ?? this.roots.seenIn(root);
    const remotes = [...(this.remotesOf.get(root.id)?.values() ?? [])];
    const own = this.remote(seen?.remote);
    const only = own ?? (new Set(remotes.map((one) => this.union.of(one.key))).size === 1 ? remotes[0] : undefined);
    if (only) return this.ofRemote(only);
    return this.ofRoot(seen?.born === undefined ? undefined : bornName(seen.born), root);
  }

  /** By the remote that was seen last, where a repository had several. */
  private ofRemote(remote: Remote): Nameless {
    const identity = this.union.of(remote.key);
    const newest = this.newest.get(identity)?.remote;
    const current = this.remote(newest) ?? this.remotes.get(identity) ?? remote;
    return { key: current.key, names: current.names };
  }

  private ofRoot(born: string | undefined, root: Folder): Nameless {
    const newest = born === undefined ? undefined : this.newest.get(this.union.of(born));
    const remote = this.remote(newest?.remote);
    if (remote) return this.ofRemote(remote);
    const now = (newest && this.roots.folder(newest.root)) ?? root;
    return { key: now.id, names: [now.root.slice(0, -1), ...now.names] };
  }

  private remote(url: string | undefined): Remote | undefined {
    if (url === undefined) return undefined;
    if (!this.parsed.has(url)) this.parsed.set(url, remoteOf(url));
    return this.parsed.get(url);
  }

  private noteSeen({ root, remote, born }: SeenFolder): void {
    const known = this.remote(remote);
    const folder = this.roots.folder(root);
    if (known && folder) this.addRemote(folder, known);
    if (known && born !== undefined) this.union.join(known.key, bornName(born));
  }

  private noteRemote(cwd: string, url: string | undefined): void {
    const remote = this.remote(url);
    const folder = remote && this.roots.folder(cwd);
    const root = folder && this.roots.of(folder);
    if (remote && root && !isGeneric(root)) this.addRemote(root, remote);
  }

  private addRemote(root: Folder, remote: Remote): void {
    const remotes = this.remotesOf.get(root.id) ?? new Map<string, Remote>();
    remotes.set(remote.key, remote);
    this.remotes.set(remote.key, least(remote, this.remotes.get(remote.key)));
    this.remotesOf.set(root.id, remotes);
  }

  /** One folder's remotes of one name: the repository has another owner or host now. */
  private joinRenamed(remotes: readonly Remote[]): void {
    for (const a of remotes) for (const b of remotes) if (lastName(a) === lastName(b)) this.union.join(a.key, b.key);
  }

  private noteNewest(seen: SeenFolder): void {
    const remote = this.remote(seen.remote);
    const name = remote?.key ?? (seen.born === undefined ? undefined : bornName(seen.born));
    if (name === undefined) return;
    const identity = this.union.of(name);
    const before = this.newest.get(identity);
    const isNewer = !before || seen.at > before.at || (seen.at === before.at && seen.root < before.root);
    if (isNewer) this.newest.set(identity, seen);
  }
}

/** Names a log's beginning apart from remotes. */
function bornName(born: number): string {
  return `~${born}`;
}

function lastName({ names }: Remote): string {
  return names.at(-1)!.toLowerCase();
}

/** Of two spellings, the same one whatever comes first. */
function least<T extends { readonly names: readonly string[] }>(a: T, b: T | undefined): T {
  return b && b.names.join('/') < a.names.join('/') ? b : a;
}

/** Whether the path alone tells that a folder says nothing of what was worked on: then it is told by the tools' work. */
export function saysNothing(cwd: string | undefined, layouts: Evidence['layouts'], home: string | undefined): boolean {
  const folder = cwd === undefined ? undefined : folderOf(cwd, home);
  if (!folder || isGeneric(folder)) return true;
  const worktree = worktreeOf(folder, layouts, () => false);
  return worktree?.of === 'unknown' || (worktree?.of === 'folder' && isGeneric(worktree.repository));
}
