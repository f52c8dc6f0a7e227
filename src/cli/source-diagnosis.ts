import { existsSync } from 'node:fs';
import { failureCount } from '../agents/bounds.ts';
import { environmentOf } from '../agents/environment.ts';
import type { NotShown } from '../agents/not-shown.ts';
import type { Environment, Failure, Source, Unit } from '../agents/source.ts';
import { notShownOf } from '../archive/not-shown.ts';
import { Places } from '../catalog/places.ts';
import type { Stores } from '../holdings/stores.ts';
import { readConfig } from '../home/config.ts';
import { homeOf } from '../home/paths.ts';
import { readersExclusion } from '../ingest/changes/exclusion.ts';
import { KnownUnits } from '../ingest/changes/known-units.ts';
import type { Listed } from '../ingest/changes/listing.ts';
import { listUnits } from '../ingest/changes/listing.ts';
import { unreadUnits } from '../ingest/changes/whole-look.ts';
import { mayLook } from '../projects/permission.ts';
import { failureLine, unknownTypeLine } from '../render/failures.ts';
import { formatCount, plural } from '../render/numbers.ts';
import { oneLine } from '../render/safe.ts';
import { shellWord } from '../render/shell.ts';
import { dim } from '../render/style.ts';
import type { Context } from './command.ts';
import { print } from './output.ts';

/** What is found of a source on this machine, and what is kept of it. */
export interface SourceDiagnosis {
  readonly label: string;
  /** Why what is read is not known to be right. */
  readonly unverified?: string;
  /** `partial`: not all of it is read, or can be; `unavailable`: nothing of it can be listed. */
  readonly state: 'searched' | 'partial' | 'unavailable' | 'new' | 'absent' | 'excluded';
  readonly roots: readonly string[];
  readonly units: number;
  readonly pending: number;
  readonly sessions: number;
  readonly gone: number;
  /** Files that are not read, since the configuration leaves them out or they were forgotten. */
  readonly excluded: number;
  readonly failed: readonly Failure[];
  /** Links that lead out of the agent's own home. */
  readonly notFollowed: readonly string[];
  /** Folders that agents worked in and that hold a history of their own: it is not read unless the user says so. */
  readonly insideRepositories: readonly { readonly path: string; readonly isRead: boolean }[];
  readonly unknownRecords: Readonly<Record<string, number>>;
  /** What is known and not shown, by kind, the most frequent first: `docs/sources.md` says of each what it is. */
  readonly notShown: NotShown;
  readonly lastChange?: number;
  readonly lagMs: number;
}

/** Looks at a source as it is now. */
export async function diagnoseSource(
  context: Context,
  stores: Stores | undefined,
  source: Source,
): Promise<SourceDiagnosis> {
  const home = homeOf(context.variables);
  const env = environmentOf(home, context.variables);
  const listed = await listUnits(source, env);
  const { units: found } = listed;
  const exclusion = stores && readersExclusion(stores, env);
  const isLeftOut = readConfig(home).exclude.sources.includes(source.id);
  const rows = stores?.archive.units(source.id) ?? [];
  const known = new KnownUnits(rows, stores?.archive.places() ?? new Map());
  const isExcluded = (unit: Unit) =>
    isLeftOut || exclusion?.hasPath(unit.path) === true || exclusion?.hasUnit(unit, known.find(unit)?.row) === true;
  const pending = isLeftOut ? [] : stores && exclusion ? unreadUnits(stores, source, env, found, exclusion) : found;
  const times = found.map(({ modified }) => modified);
  const oldest = pending.reduce<number | undefined>(
    (first, { modified }) => Math.min(first ?? modified, modified),
    undefined,
  );
  const failed = [...listed.unreadable, ...(stores?.archive.failures(source.id) ?? [])];
  const isWhole = !failed.some((failure) => failure.line === undefined) && (pending.length === 0 || !stores);
  return {
    label: source.label,
    ...(source.unverified !== undefined && { unverified: source.unverified }),
    state: isLeftOut ? 'excluded' : stateOf(listed, rows.length > 0, isWhole),
    roots: source.roots(env).map((root) => root.path),
    units: found.length,
    excluded: found.filter(isExcluded).length,
    pending: pending.length,
    sessions: stores?.catalog.sessionsOf(source.id) ?? 0,
    gone: rows.filter((row) => row.gone).length,
    failed,
    notFollowed: listed.leadOut,
    insideRepositories: insideRepositories(context, stores, source, env),
    unknownRecords: stores?.archive.unknownRecords(source.id) ?? {},
    notShown: stores ? notShownOf(stores.archive.db, source.id) : {},
    lagMs: oldest === undefined ? 0 : Math.max(0, Date.now() - oldest),
    ...(times.length > 0 && { lastChange: times.reduce((last, time) => Math.max(last, time), 0) }),
  };
}

function stateOf(listed: Listed, isKept: boolean, isWhole: boolean): SourceDiagnosis['state'] {
  if (listed.units.length === 0 && listed.unreadable.length > 0) return 'unavailable';
  if (!isKept && listed.units.length === 0) return 'absent';
  if (!isKept) return 'new';
  return isWhole ? 'searched' : 'partial';
}

function insideRepositories(
  context: Context,
  stores: Stores | undefined,
  source: Source,
  env: Environment,
): SourceDiagnosis['insideRepositories'] {
  const worked = stores ? new Places(stores.catalog.db).all().map(({ cwd }) => cwd) : [];
  const projects = [...new Set([...env.projects, context.cwd, ...worked])].filter((path) => mayLook(path, env));
  return source
    .roots({ ...env, projects })
    .flatMap(({ inside }) => (inside === undefined ? [] : [{ path: inside, isRead: env.projects.includes(inside) }]));
}

const MOST_SHOWN = 10;

/** A source for people. */
export function printSource(context: Context, source: SourceDiagnosis): void {
  const { style } = context;
  const line = (text: string) => print(context, `  ${text}`);
  const some = <T>(items: readonly T[], show: (item: T) => string, count = (rest: readonly T[]) => rest.length) => {
    for (const item of items.slice(0, MOST_SHOWN)) line(show(item));
    if (items.length > MOST_SHOWN)
      line(`… and ${formatCount(count(items.slice(MOST_SHOWN)))} more (portolan doctor --json)`);
  };
  print(context, '');
  print(context, `${source.label}: ${whatIsThere(source)}`);
  if (source.unverified !== undefined) line(`unverified: ${source.unverified}`);
  for (const root of source.roots.filter((path) => existsSync(path))) line(dim(style, root));
  if (source.state === 'excluded') line('not read: left out by the configuration (exclude.sources)');
  else if (source.excluded > 0)
    line(`${plural(source.excluded, 'file')} not read: left out by the configuration, or forgotten`);
  if (source.gone > 0) line(`${plural(source.gone, 'file')} gone; what was in them is kept`);
  some(source.failed, (failure) => `could not read ${failureLine(failure)}`, failureCount);
  some(source.notFollowed, (link) => `not followed, since it leads out of the agent’s own folder: ${oneLine(link)}`);
  some(source.insideRepositories, ({ path, isRead }) =>
    isRead
      ? `read from inside ${oneLine(path)}, as that repository’s own`
      : `a history inside ${oneLine(path)} is not read. If you trust it: portolan config add sources.inside_repositories ${shellWord(path)}`,
  );
  for (const [type, count] of Object.entries(source.unknownRecords)) line(unknownTypeLine(type, count));
  some(Object.entries(source.notShown), ([kind, count]) => `known but not shown: ${formatCount(count)} of ${kind}`);
}

function whatIsThere({ state, units, sessions }: SourceDiagnosis): string {
  if (state === 'absent') return 'nothing found';
  if (state === 'unavailable') return `cannot be read now; ${plural(sessions, 'session')} kept from before`;
  return `${plural(units, 'file')}, ${plural(sessions, 'session')}`;
}
