import type { Archive } from '../../archive/archive.ts';
import { Folders } from '../../archive/folders.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { CatalogSession } from '../../catalog/listed.ts';
import { type Place, Places } from '../../catalog/places.ts';
import { type Evidence, evidenceOf, LAYOUTS, type ProjectSettings, rulesMark } from '../../projects/evidence.ts';
import { ProjectNames } from '../../projects/here.ts';
import type { Machine } from '../../projects/permission.ts';
import { ProjectMap, saysNothing } from '../../projects/project-map.ts';
import { Repositories } from '../../projects/repository.ts';
import { Protector } from '../reading/protect.ts';

const NO_WORK: ReadonlyMap<string, number> = new Map();

/** What a session tells of where it ran. */
interface Told {
  readonly id: number;
  readonly cwd: string | undefined;
  readonly roots: readonly string[] | undefined;
  readonly remote: string | undefined;
  readonly branch: string | undefined;
  /** It is its folder's alone, whatever its tools worked in. */
  readonly isConfined: boolean;
}

/**
 * Gives sessions their projects. Looks at their folders while they are there and keeps what it saw in the archive, so
 * that the same projects come out where they are long gone. New evidence may give other sessions other projects: those
 * rows are changed, and nothing is read again.
 */
export class ProjectAssigner {
  private readonly archive: Archive;
  private readonly catalog: Catalog;
  private readonly folders: Folders;
  private readonly places: Places;
  private readonly settings: ProjectSettings;
  private readonly protector = new Protector();
  private repositories: Repositories | undefined;
  private readonly looked = new Set<string>();
  private readonly unlooked = new Set<string>();
  private map: ProjectMap | undefined;
  /** The places that the map was made of. */
  private readonly known = new Set<string>();
  private readonly unassigned = new Set<number>();
  /** Sessions whose work is to be counted, with their roots. */
  private readonly uncounted = new Map<number, readonly string[]>();
  /** Whether folders say nothing. */
  private readonly mute = new Map<string | undefined, boolean>();
  private isStale = false;

  constructor(archive: Archive, catalog: Catalog, settings: ProjectSettings) {
    this.archive = archive;
    this.catalog = catalog;
    this.settings = settings;
    this.folders = new Folders(archive.db);
    this.places = new Places(catalog.db);
  }

  /** From here on folders are looked at, each once. */
  beginLooking(machine: Machine): void {
    this.repositories = new Repositories(machine);
    this.looked.clear();
  }

  /** A session's row is about to be put. Gives the project it had, until it is settled. */
  note(told: Told, before: CatalogSession | undefined): string | undefined {
    const isKnown = before?.cwd === told.cwd && before?.remote === told.remote && before?.branch === told.branch;
    if (!before || !isKnown) {
      this.unassigned.add(told.id);
      if (told.cwd !== undefined && !this.known.has(placeName(told))) this.isStale = true;
    }
    const roots = told.roots ?? [];
    if (this.saysNothing(told.cwd) && !told.isConfined)
      this.uncounted.set(
        told.id,
        roots.filter((root) => !this.saysNothing(root)),
      );
    else if (before && !isKnown) this.places.forgetWork(told.id);
    for (const folder of [told.cwd, ...roots]) if (folder !== undefined) this.unlooked.add(folder);
    return before?.project;
  }

  /** What was settled was not kept. */
  rolledBack(): void {
    this.isStale = true;
    this.looked.clear();
  }

  /** What the projects of places are called, before their sessions are kept. */
  names(): ProjectNames {
    return new ProjectNames(() => this.evidence(), this.repositories);
  }

  drop(session: number): void {
    this.places.forgetWork(session);
    this.unassigned.delete(session);
    this.uncounted.delete(session);
    this.isStale = true;
  }

  /** Notes the folders that were never looked at, where there are any: those of what was read before they were looked at. */
  noteNeverLooked(): boolean {
    const paths = this.folders.paths();
    const all = [...this.places.all().map(({ cwd }) => cwd), ...this.places.workFolders()];
    for (const folder of all) if (!paths.has(folder)) this.unlooked.add(folder);
    return this.unlooked.size > 0;
  }

  /** Gives all sessions that something changed for the project that they have now. Inside the writer's transactions. */
  settle(): void {
    for (const [session, roots] of this.uncounted) {
      const folders = this.places.countWork(session, roots);
      if (folders) this.unassigned.add(session);
      if (folders && roots.length > 0) this.isStale = true;
      for (const folder of folders ?? []) this.unlooked.add(folder);
    }
    this.uncounted.clear();
    this.look();
    if (!this.isStale && this.unassigned.size === 0) return;
    const { map } = this;
    if (map && !this.isStale) for (const session of this.unassigned) this.assign(session, map);
    else this.isStale = true;
    // One that has another project now may have given the one it had to others.
    if (this.isStale) this.assignAll();
    this.places.inherit();
    this.unassigned.clear();
  }

  /** Gives all projects anew. In a transaction of the index alone: nothing is looked at. */
  assignAnew(): void {
    this.isStale = true;
    this.settle();
    this.places.noteRules(rulesMark(this.settings));
  }

  /** Forgets what was seen of folders that no session tells of any more. */
  forgetFolders(): void {
    const roots = this.catalog.sessions('1', [], 'id', -1).flatMap((session) => session.more.roots);
    this.folders.keepOnly(
      new Set([...roots, ...this.places.all().map(({ cwd }) => cwd), ...this.places.workFolders()]),
    );
  }

  private saysNothing(cwd: string | undefined): boolean {
    const known = this.mute.get(cwd);
    if (known !== undefined) return known;
    const answer = saysNothing(cwd, LAYOUTS, this.settings.home);
    this.mute.set(cwd, answer);
    return answer;
  }

  private look(): void {
    if (this.repositories)
      for (const path of this.unlooked) {
        if (this.looked.has(path)) continue;
        this.looked.add(path);
        // The path was redacted when its session was read; what was found now was not.
        const found = this.protector.deep({ root: '', ...this.repositories.of(path) });
        if (this.folders.keep({ path, ...found, at: Date.now() })) this.isStale = true;
      }
    this.unlooked.clear();
  }

  private assignAll(): void {
    const evidence = this.evidence();
    const map = new ProjectMap(evidence);
    this.map = map;
    this.known.clear();
    for (const place of evidence.places) this.known.add(placeName(place));
    for (const placed of this.places.placed()) {
      const project = map.of(placed.cwd ?? undefined, placed.remote ?? undefined, NO_WORK)?.name ?? null;
      if (project !== placed.project) this.places.move(placed, project);
    }
    for (const { id, cwd, remote, project, work } of this.places.working()) {
      const now = map.of(cwd ?? undefined, remote ?? undefined, work)?.name ?? null;
      if (now !== project) this.places.moveSession(id, now);
    }
    this.isStale = false;
  }

  private evidence(): Evidence {
    return evidenceOf({ archive: this.archive.db, index: this.catalog.db }, this.settings);
  }

  private assign(session: number, map: ProjectMap): void {
    const placed = this.places.session(session);
    if (!placed) return;
    const project = map.of(placed.cwd ?? undefined, placed.remote ?? undefined, placed.work)?.name ?? null;
    if (project === placed.project) return;
    if (placed.project === null) this.places.moveSession(session, project);
    else this.isStale = true;
  }
}

function placeName({ cwd, remote, branch }: Place | Told): string {
  return JSON.stringify([cwd, remote, branch]);
}
