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
