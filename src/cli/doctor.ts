import { environment } from '../agents/environment.ts';
import type { NotShown } from '../agents/not-shown.ts';
import { SOURCES } from '../agents/registry.ts';
import type { Unit } from '../agents/source.ts';
import { openForReading } from '../holdings/opening.ts';
import type { Stores } from '../holdings/stores.ts';
import { type Config, readConfig } from '../home/config.ts';
import { homeOf } from '../home/paths.ts';
import { Exclusion } from '../ingest/changes/exclusion.ts';
import { KnownUnits } from '../ingest/changes/known-units.ts';
import { isUnclean } from '../ingest/clearing/forget.ts';
import { sizeOfFile, unitsOf } from '../ingest/run.ts';
import { evidenceOf } from '../projects/evidence.ts';
import { ProjectNames } from '../projects/here.ts';
import { formatBytes, formatCount, plural } from '../render/numbers.ts';
import { dim } from '../render/style.ts';
import { currentGeneration } from '../store/generations.ts';
import { type Command, type Context, EXIT } from './command.ts';
import { readFlags } from './flags.ts';
import { print, printJson } from './output.ts';

export const doctor: Command = {
  name: 'doctor',
  summary: 'what is kept, what could not be read, what is new and unknown',
  help: `Usage: portolan doctor [--json]

Looks at every source: its files, what failed and why, record types never seen
before, and how far the index is behind. Changes nothing.`,
  async run(context) {
    readFlags('doctor', context.args, {}, 0);
    const report = await diagnose(context);
    if (context.json) printJson(context, report);
    else printReport(context, report);
    return report.ok ? EXIT.ok : EXIT.nothingSearched;
  },
};

interface SourceDiagnosis {
  readonly label: string;
  readonly state: 'searched' | 'new' | 'absent' | 'excluded';
  readonly roots: readonly string[];
  readonly units: number;
  readonly pending: number;
  readonly sessions: number;
  readonly gone: number;
  /** Files that are not read, since the configuration leaves them out or they were forgotten. */
  readonly excluded: number;
  readonly failed: readonly { readonly path: string; readonly line?: number; readonly reason: string }[];
  readonly unknownRecords: Readonly<Record<string, number>>;
  /** What is known and not shown, by kind: `docs/sources.md` says why. */
  readonly notShown: NotShown;
  readonly lastChange?: number;
  readonly lagMs: number;
}

interface Diagnosis {
  readonly ok: boolean;
  readonly home: string;
  readonly config: string;
  /** Where what went wrong is written down. */
  readonly log: string;
  readonly archive: { readonly path: string; readonly bytes: number; readonly sessions: number };
  readonly index: {
    readonly path: string | null;
    readonly bytes: number;
    readonly sessions: number;
    readonly turns: number;
    readonly passages: number;
  };
  readonly sources: Readonly<Record<string, SourceDiagnosis>>;
  readonly hooks: readonly string[];
  readonly hints: readonly string[];
}

async function diagnose(context: Context): Promise<Diagnosis> {
  const home = homeOf(context.variables);
  const stores = openForReading(home);
  try {
    const sources: Record<string, SourceDiagnosis> = {};
    for (const source of SOURCES) sources[source.id] = await diagnoseSource(context, stores, source);
    const all = Object.values(sources);
    const pending = all.reduce((sum, source) => sum + source.pending, 0);
    const index = currentGeneration(home.index);
    const totals = stores?.catalog.totals() ?? { sessions: 0, turns: 0, passages: 0 };
    return {
      ok: stores !== undefined,
      home: home.path,
      config: home.config,
      log: home.log,
      archive: {
        path: home.archive,
        bytes: sizeOfFile(home.archive),
        sessions: stores?.archive.revisions().length ?? 0,
      },
      index: {
        path: index ?? null,
        bytes: index === undefined ? 0 : sizeOfFile(index),
        sessions: totals.sessions,
        turns: totals.turns,
        passages: totals.passages,
      },
      sources,
      hooks: [],
      hints: [
        ...(stores ? [] : ['Nothing is indexed yet: run portolan index.']),
        ...(stores && pending > 0
          ? [`${plural(pending, 'file')} changed since the last reading: run portolan index.`]
          : []),
        ...(stores && isUnclean(stores)
          ? ['A forgetting was broken off, and may have left traces: portolan forget ends it.']
          : []),
        ...all.flatMap((source) =>
          source.state === 'absent' ? [`${source.label}: nothing found; looked in ${source.roots.join(', ')}`] : [],
        ),
      ],
    };
  } finally {
    stores?.close();
  }
}

function exclusionOf({ archive, catalog }: Stores, { exclude, projects }: Config, home: string): Exclusion {
  const evidence = () => evidenceOf({ archive: archive.db, index: catalog.db }, { aliases: projects.aliases, home });
  return new Exclusion(exclude, home, archive, new ProjectNames(evidence));
}

async function diagnoseSource(
  context: Context,
  stores: Stores | undefined,
  source: (typeof SOURCES)[number],
): Promise<SourceDiagnosis> {
  const env = environment([context.cwd], context.variables);
  const config = readConfig(homeOf(context.variables));
  const found = await unitsOf(source, env);
  const exclusion = stores && exclusionOf(stores, config, env.home);
  const isLeftOut = exclusion?.hasSource(source.id) === true;
  const rows = stores?.archive.units(source.id) ?? [];
  const known = new KnownUnits(rows, stores?.archive.places() ?? new Map());
  const rowOf = (unit: Unit) => known.find(unit)?.row;
  const units = found.filter(
    (unit) => !isLeftOut && !exclusion?.hasPath(unit.path) && !exclusion?.hasUnit(unit, rowOf(unit)),
  );
  const pending = units.filter((unit) => {
    const row = rowOf(unit);
    return row?.size !== unit.size || row.modified !== unit.modified;
  });
  const lastChange = found.reduce<number | undefined>((last, { modified }) => Math.max(last ?? 0, modified), undefined);
  const oldest = pending.reduce<number | undefined>(
    (first, { modified }) => Math.min(first ?? modified, modified),
    undefined,
  );
  return {
    label: source.label,
    state: isLeftOut ? 'excluded' : rows.length > 0 ? 'searched' : found.length > 0 ? 'new' : 'absent',
    roots: source.roots(env).map((root) => root.path),
    units: found.length,
    excluded: found.length - units.length,
    pending: pending.length,
    sessions: stores?.catalog.sessionsOf(source.id) ?? 0,
    gone: rows.filter((row) => row.gone).length,
    failed: stores?.archive.failures(source.id) ?? [],
    unknownRecords: stores?.archive.unknownRecords(source.id) ?? {},
    notShown: stores?.archive.notShown(source.id) ?? {},
    lagMs: oldest === undefined ? 0 : Math.max(0, Date.now() - oldest),
    ...(lastChange !== undefined && { lastChange }),
  };
}

const MOST_FAILURES = 10;
const MOST_KINDS = 12;

function printReport(context: Context, report: Diagnosis): void {
  const { style } = context;
  print(context, `Home     ${report.home}`);
  print(
    context,
    `Archive  ${formatBytes(report.archive.bytes)}, ${plural(report.archive.sessions, 'session or prompt list', 'sessions and prompt lists')}`,
  );
  print(
    context,
    `Index    ${formatBytes(report.index.bytes)}, ${plural(report.index.sessions, 'session')}, ${plural(report.index.turns, 'turn')}, ${plural(report.index.passages, 'passage')}`,
  );
  for (const source of Object.values(report.sources)) {
    print(context, '');
    print(
      context,
      `${source.label}: ${source.state === 'absent' ? 'nothing found' : `${plural(source.units, 'file')}, ${plural(source.sessions, 'session')}`}`,
    );
    for (const root of source.roots) print(context, dim(style, `  ${root}`));
    if (source.state === 'excluded') print(context, '  not read: left out by the configuration (exclude.sources)');
    else if (source.excluded > 0)
      print(context, `  ${plural(source.excluded, 'file')} not read: left out by the configuration, or forgotten`);
    if (source.gone > 0) print(context, `  ${plural(source.gone, 'file')} gone; what was in them is kept`);
    for (const failure of source.failed.slice(0, MOST_FAILURES))
      print(
        context,
        `  could not read ${failure.path}${failure.line === undefined ? '' : `:${failure.line}`}: ${failure.reason}`,
      );
    if (source.failed.length > MOST_FAILURES)
      print(context, `  … and ${formatCount(source.failed.length - MOST_FAILURES)} more (--json lists all)`);
    for (const [type, count] of Object.entries(source.unknownRecords))
      print(context, `  unknown record type ${type}: ${formatCount(count)}`);
    printNotShown(context, source.notShown);
  }
  if (sizeOfFile(report.log) > 0) print(context, `\nLog      ${report.log}`);
  if (report.hints.length > 0) print(context, '');
  for (const hint of report.hints) print(context, hint);
}

function printNotShown(context: Context, notShown: NotShown): void {
  const kinds = Object.entries(notShown);
  for (const [kind, count] of kinds.slice(0, MOST_KINDS))
    print(context, `  known and not shown: ${formatCount(count)} of ${kind}`);
  if (kinds.length > MOST_KINDS)
    print(context, `  … and ${plural(kinds.length - MOST_KINDS, 'more kind')} (--json lists all)`);
}
