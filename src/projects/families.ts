import type { Config } from '../home/config.ts';
import type { Database } from '../store/database.ts';
import { remoteOf } from './remote.ts';
import { Union } from './union.ts';

type Families = Config['projects']['families'];

/** When a project was worked on. Times are epoch milliseconds. */
export interface ProjectHours {
  readonly project: string;
  readonly remote?: string;
  readonly started: number;
  readonly ended: number;
}

/** Projects that seem to belong together. */
export interface ProposedFamily {
  readonly name: string;
  readonly projects: readonly string[];
  /** Hours in which two of them or more were worked on. */
  readonly hoursTogether: number;
}

const HOUR = 3_600_000;
/** A session that was left open for days was not worked on all the time. */
const LONGEST_HOURS = 12;
const SHORTEST_STEM = 3;

/** The projects that a name means: itself, and those of the family of that name. */
export function projectNames(name: string, families: Families): readonly string[] {
  const family = Object.entries(families).find(([one]) => one.toLowerCase() === name.toLowerCase());
  return [...new Set([name, ...(family?.[1] ?? [])])];
}

/** When the catalog's sessions worked on which project. */
export function projectHours(index: Database): ProjectHours[] {
  return index
    .rows<{ project: string; remote: string | null; started: number; ended: number }>(
      `SELECT project, remote, started, ended FROM sessions
       WHERE project IS NOT NULL AND started IS NOT NULL AND ended IS NOT NULL AND hidden = 0`,
    )
    .map(({ remote, ...row }) => ({ ...row, ...(remote !== null && { remote }) }));
}

/**
 * Families that the history shows and the user has not named: projects whose names begin alike and that were worked on in
 * the same hour, or that have one owner and were worked on together for half of the hours of the lesser one. To be shown to the
 * user, never to be used unasked. Largest first.
 */
export function proposeFamilies(sessions: readonly ProjectHours[], known: Families = {}): ProposedFamily[] {
  const hours = new Map<string, Set<number>>();
  const owners = new Map<string, Set<string>>();
  for (const session of sessions) {
    const all = hours.get(session.project) ?? new Set();
    hours.set(session.project, all);
    const first = Math.floor(session.started / HOUR);
    const last = Math.min(Math.floor(session.ended / HOUR), first + LONGEST_HOURS - 1);
    for (let hour = first; hour <= last; hour++) all.add(hour);
    const owner = session.remote === undefined ? undefined : remoteOf(session.remote)?.names.slice(0, -1).join('/');
    if (owner !== undefined) owners.set(session.project, (owners.get(session.project) ?? new Set()).add(owner));
  }
  const inFamily = new Set(Object.values(known).flatMap((names) => names.map((name) => name.toLowerCase())));
  const projects = [...hours.keys()].filter((name) => !inFamily.has(name.toLowerCase())).sort();
  const union = new Union();
  projects.forEach((a, i) => {
    for (const b of projects.slice(i + 1)) {
      const [few, many] = [hours.get(a)!, hours.get(b)!].sort((x, y) => x.size - y.size);
      const together = [...few!].filter((hour) => many!.has(hour)).length;
      const isOneOwner = [...(owners.get(a) ?? [])].some((owner) => owners.get(b)?.has(owner));
      const isRelated = stemOf([a, b]) !== undefined || (isOneOwner && together * 2 >= few!.size);
      if (together > 0 && isRelated) union.join(a, b);
    }
  });
  const families = new Map<string, string[]>();
  for (const project of projects)
    families.set(union.of(project), [...(families.get(union.of(project)) ?? []), project]);
  return [...families.values()]
    .filter((members) => members.length > 1)
    .map((members) => ({ name: nameOf(members, owners), projects: members, hoursTogether: shared(members, hours) }))
    .sort((a, b) => b.hoursTogether - a.hoursTogether || (a.name < b.name ? -1 : 1));
}

function shared(projects: readonly string[], hours: ReadonlyMap<string, ReadonlySet<number>>): number {
  const counts = new Map<number, number>();
  for (const project of projects) for (const hour of hours.get(project)!) counts.set(hour, (counts.get(hour) ?? 0) + 1);
  return [...counts.values()].filter((n) => n > 1).length;
}

function nameOf(projects: readonly string[], owners: ReadonlyMap<string, ReadonlySet<string>>): string {
  const owner = [...(owners.get(projects[0]!) ?? [])][0];
  return stemOf(projects) ?? owner?.slice(owner.lastIndexOf('/') + 1) ?? projects[0]!;
}

/** The words that names begin with alike; undefined where that is too little. */
function stemOf(names: readonly string[]): string | undefined {
  const all = names.map((name) =>
    name
      .slice(name.lastIndexOf('/') + 1)
      .toLowerCase()
      .split(/[-_. ]+/),
  );
  const [first = []] = all;
  let length = 0;
  while (length < first.length && all.every((words) => words[length] === first[length])) length++;
  const stem = first.slice(0, length).join('-');
  return stem.length >= SHORTEST_STEM ? stem : undefined;
}
