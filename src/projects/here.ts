import type { Place } from '../catalog/places.ts';
import type { Config } from '../home/config.ts';
import type { Database } from '../store/database.ts';
import { type Evidence, evidenceOf, type Project } from './evidence.ts';
import type { Machine } from './permission.ts';
import { ProjectMap } from './project-map.ts';
import { Repositories } from './repository.ts';

const NO_WORK: ReadonlyMap<string, number> = new Map();

/** The project of a place where perhaps no session ran yet, looked at where it is given what to look with. */
export function projectAt(evidence: Evidence, place: Place, repositories?: Repositories): Project | undefined {
  const found = repositories?.of(place.cwd);
  const seen = found ? [...evidence.seen, { path: place.cwd, ...found, at: Date.now() }] : evidence.seen;
  const map = new ProjectMap({ ...evidence, seen, places: [...evidence.places, place] });
  return map.of(place.cwd, place.remote, NO_WORK);
}

/** What the projects of places are called; each place is asked for once. */
export class ProjectNames {
  private readonly evidence: () => Evidence;
  private readonly repositories: Repositories | undefined;
  private readonly names = new Map<string, readonly string[]>();

  /** `evidence` is asked for when a name is. */
  constructor(evidence: () => Evidence, repositories?: Repositories) {
    this.evidence = evidence;
    this.repositories = repositories;
  }

  /** The project's name, and without what tells it from others of that name, and as its repository is called. */
  at(cwd: string | undefined, remote: string | undefined): readonly string[] {
    if (cwd === undefined) return [];
    const asked = `${cwd}\n${remote}`;
    const known = this.names.get(asked);
    if (known) return known;
    const project = projectAt(this.evidence(), { cwd, ...(remote !== undefined && { remote }) }, this.repositories);
    const names = project ? [project.name, lastOf(project.name), lastOf(project.key)] : [];
    this.names.set(asked, names);
    return names;
  }
}

/** The project of the folder that the user is in, by the rules that sessions get theirs by. */
export function projectHere(
  cwd: string,
  databases: { readonly archive: Database; readonly index: Database },
  aliases: Config['projects']['aliases'],
  machine: Machine,
): Project | undefined {
  const evidence = evidenceOf(databases, { aliases, home: machine.home });
  return projectAt(evidence, { cwd }, new Repositories(machine));
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}
