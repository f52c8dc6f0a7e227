import type { SeenFolder } from '../archive/folders.ts';
import type { Evidence } from './evidence.ts';
import { above, type Folder, firstNames, folderOf, homeDepth, pathOf, withNames } from './folder.ts';
import { isGeneric } from './generic.ts';
import { remoteOf } from './remote.ts';
import { type Worktree, worktreeOf } from './worktrees.ts';

/** Branches whose names folders bear for other reasons. */
const COMMON_BRANCHES = new Set([
  'main',
  'master',
  'develop',
  'dev',
  'trunk',
  'head',
  'release',
  'staging',
  'production',
]);

/**
 * Which folder's project a folder belongs to, from what was seen on disk, from paths, and from what is known of the
 * folders around it.
 */
export class Roots {
  private readonly evidence: Evidence;
  private readonly parsed = new Map<string, Folder | undefined>();
  private readonly seen = new Map<string, SeenFolder>();
  private readonly branches = new Map<string, Set<string>>();
  private readonly remotes = new Map<string, Set<string>>();
  /** Folders that are repositories, though perhaps not the roots of theirs. */
  private readonly repositories = new Map<string, Folder>();
  /** Roots on disk, as they were seen last: what lies in them is theirs. */
  private readonly seenRoots = new Map<string, SeenFolder>();
  private readonly workedIn = new Set<string>();
  private readonly byName = new Map<string, Map<string, Folder>>();
  private readonly byParent = new Map<string, Map<string, Folder>>();
  /** Of folders that were spelled in several ways, the same one whatever came first. */
  private readonly spellings = new Map<string, Folder>();
  private readonly known = new Map<string, Folder | undefined>();

  constructor(evidence: Evidence) {
    this.evidence = evidence;
    for (const path of new Set([
      ...evidence.seen.flatMap(({ path, root }) => [path, root]),
      ...evidence.places.map(({ cwd }) => cwd),
    ]))
      this.noteSpelling(path);
    for (const one of evidence.seen) this.noteSeen(one);
    for (const { cwd, remote, branch } of evidence.places) {
      const folder = this.folder(cwd);
      if (!folder || isGeneric(folder)) continue;
      this.workedIn.add(folder.id);
      if (branch !== undefined) put(this.branches, folder.id, branch);
      if (remote !== undefined) put(this.remotes, folder.id, remoteOf(remote)?.names.at(-1)?.toLowerCase() ?? remote);
      if (branch !== undefined || remote !== undefined) this.noteRepository(folder);
    }
    for (const repository of this.repositories.values()) this.index(repository);
  }

  folder(path: string): Folder | undefined {
    if (!this.parsed.has(path)) this.parsed.set(path, folderOf(path, this.evidence.home));
    return this.parsed.get(path);
  }

  /** The root that a folder belongs to. Undefined where the path tells that it was made for a work that it does not name. */
  of(folder: Folder): Folder | undefined {
    const { id } = folder;
    if (!this.known.has(id)) {
      // For a folder that comes round to itself.
      this.known.set(id, folder);
      const root = this.found(folder);
      this.known.set(id, root && (this.spellings.get(root.id) ?? root));
    }
    return this.known.get(id);
  }

  /** The root that a folder is known to belong to: undefined where nothing but the folder itself tells of it. */
  knownOf(folder: Folder): Folder | undefined {
    for (const place of [folder, ...above(folder)]) {
      if (isGeneric(place)) return undefined;
      const worktree = this.worktree(place);
      if (worktree?.of === 'unknown') return undefined;
      if (worktree || this.isKnown(place)) return this.of(place);
    }
    return undefined;
  }

  /** What was seen of a folder last. */
  seenAt(folder: Folder): SeenFolder | undefined {
    return this.seen.get(folder.id);
  }

  /** What was seen last in the repository of a root. */
  seenIn(root: Folder): SeenFolder | undefined {
    return this.seenRoots.get(root.id);
  }

  private found(folder: Folder): Folder | undefined {
    if (isGeneric(folder)) return folder;
    const seen = this.seen.get(folder.id);
    const root = seen && this.folder(seen.root);
    if (root) return root;
    const worktree = this.worktree(folder);
    if (worktree?.of === 'folder') return isGeneric(worktree.repository) ? undefined : this.of(worktree.repository);
    if (worktree?.of === 'name') return this.called(worktree.name, folder) ?? worktree.beside;
    const around = this.around(folder);
    if (around) return around;
    if (worktree?.of === 'unknown') return undefined;
    return this.byBranch(folder) ?? folder;
  }

  /** The repository that a folder lies in: one that was seen, else one that sessions told of. */
  private around(folder: Folder): Folder | undefined {
    for (const place of above(folder)) {
      if (isGeneric(place)) return undefined;
      if (this.seenRoots.has(place.id)) return this.of(place);
      if (this.repositories.has(place.id) && this.mayHold(place, folder)) return this.of(place);
    }
    return undefined;
  }

  /** A repository inside another's folder is one of its own where it has a remote of its own. */
  private mayHold(repository: Folder, folder: Folder): boolean {
    const inner = this.remotes.get(folder.id);
    if (!inner) return true;
    const outer = this.remotes.get(repository.id) ?? new Set([repository.names.at(-1)!.toLowerCase()]);
    return [...inner].every((name) => outer.has(name));
  }

  /** Worktrees that were made by hand: `<repository>-<branch>` and `<branch>`, beside the repository. */
  private byBranch(folder: Folder): Folder | undefined {
    for (const branch of [...(this.branches.get(folder.id) ?? [])].sort()) {
      if (COMMON_BRANCHES.has(branch.toLowerCase())) continue;
      const words = branch.split('/');
      const { names } = folder;
      const isPath = words.length > 1 && words.every((word, i) => names[names.length - words.length + i] === word);
      if (isPath) return this.onlyRepositoryIn(firstNames(folder, names.length - words.length), folder);
      const name = names.at(-1)!;
      for (const flat of [words.join('-'), words.at(-1)!]) {
        const repository = name.endsWith(`-${flat}`) && this.childOf(folder, name.slice(0, -flat.length - 1));
        if (repository) return this.of(repository);
        if (name === flat && words.length > 1)
          return this.onlyRepositoryIn(firstNames(folder, names.length - 1), folder);
      }
    }
    return undefined;
  }

  private childOf(sibling: Folder, name: string): Folder | undefined {
    const wanted = withNames(sibling, [...sibling.names.slice(0, -1), name]);
    return this.repositories.get(wanted.id);
  }

  private onlyRepositoryIn(parent: Folder, but: Folder): Folder | undefined {
    const inside = [...(this.byParent.get(parent.id)?.values() ?? [])].filter(({ id }) => id !== but.id);
    return inside.length === 1 ? this.of(inside[0]!) : undefined;
  }

  /** The one repository of that name; in the same home, where there are several. */
  private called(name: string, worktree: Folder): Folder | undefined {
    const all = [...(this.byName.get(name.toLowerCase())?.values() ?? [])];
    const near = all.length > 1 ? all.filter((one) => homeOf(one) === homeOf(worktree)) : all;
    const roots = new Map(near.flatMap((one) => this.of(one) ?? []).map((root) => [root.id, root]));
    return roots.size === 1 ? [...roots.values()][0] : undefined;
  }

  private worktree(folder: Folder): Worktree | undefined {
    return worktreeOf(folder, this.evidence.layouts, (place) => this.isKnown(place));
  }

  private isKnown({ id }: Folder): boolean {
    return this.repositories.has(id) || this.workedIn.has(id) || this.seen.has(id);
  }

  private noteSeen(one: SeenFolder): void {
    const folder = this.folder(one.path);
    const root = this.folder(one.root);
    if (!folder || !root) return;
    const before = this.seen.get(folder.id);
    if (!before || isLater(one, before)) this.seen.set(folder.id, one);
    if (isGeneric(root)) return;
    const known = this.seenRoots.get(root.id);
    if (!known || isLater(one, known)) this.seenRoots.set(root.id, one);
    this.noteRepository(root);
  }

  private noteSpelling(path: string): void {
    const folder = this.folder(path);
    if (!folder || folder.id === pathOf(folder)) return;
    for (const place of [folder, ...above(folder)]) {
      const before = this.spellings.get(place.id);
      if (!before || pathOf(place) < pathOf(before)) this.spellings.set(place.id, place);
    }
  }

  private noteRepository(folder: Folder): void {
    this.repositories.set(folder.id, this.spellings.get(folder.id) ?? folder);
  }

  /** Worktrees are looked for by what they are worktrees of, not the other way round. */
  private index(repository: Folder): void {
    if (this.worktree(repository)) return;
    const parent = firstNames(repository, repository.names.length - 1);
    inner(this.byName, repository.names.at(-1)!.toLowerCase()).set(repository.id, repository);
    inner(this.byParent, parent.id).set(repository.id, repository);
  }
}

function isLater(a: SeenFolder, b: SeenFolder): boolean {
  return a.at === b.at ? `${a.root}\n${a.remote}` < `${b.root}\n${b.remote}` : a.at > b.at;
}

function homeOf(folder: Folder): string {
  return firstNames(folder, homeDepth(folder) ?? 0).id;
}

function put(map: Map<string, Set<string>>, key: string, value: string): void {
  const values = map.get(key);
  if (values) values.add(value);
  else map.set(key, new Set([value]));
}

function inner(map: Map<string, Map<string, Folder>>, key: string): Map<string, Folder> {
  const found = map.get(key) ?? new Map<string, Folder>();
  map.set(key, found);
  return found;
}
