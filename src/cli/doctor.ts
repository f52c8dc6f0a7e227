import { environment } from '../agents/environment.ts';
import { type NotRead, notReadYet } from '../agents/not-read.ts';
import { SOURCES } from '../agents/registry.ts';
import type { Source } from '../agents/source.ts';
import { openForReading } from '../holdings/opening.ts';
import type { Stores } from '../holdings/stores.ts';
import { homeOf, sizeOfFile } from '../home/paths.ts';
import { isUnclean } from '../ingest/clearing/forget.ts';
import { formatBytes, formatCount, plural } from '../render/numbers.ts';
import { oneLine } from '../render/safe.ts';
import { type Condition, conditionOf, type HomeCondition } from '../repair/condition.ts';
import { isDamage } from '../store/damage.ts';
import { currentGeneration } from '../store/generations.ts';
import { type Command, type Context, EXIT } from './command.ts';
import { readFlags } from './flags.ts';
import { print, printJson } from './output.ts';
import { diagnoseSource, printSource, type SourceDiagnosis } from './source-diagnosis.ts';

export const doctor: Command = {
  name: 'doctor',
  worksOnRuins: true,
  summary: 'what is kept, what could not be read, what is new and unknown',
  help: `Usage: portolan doctor [--json]

Looks at everything in Portolan’s own folder, and at every checksum of what is
kept; then at every source: its files, what failed and why, record types never
seen before, and how far the index is behind. Changes nothing.`,
  async run(context) {
    readFlags('doctor', context.args, {}, 0);
    const report = await diagnose(context);
    if (context.json) printJson(context, report);
    else printReport(context, report);
    return report.ok ? EXIT.ok : EXIT.nothingSearched;
  },
};

interface Diagnosis {
  readonly ok: boolean;
  readonly home: string;
  /** How each part of the home is, and the sessions of which a part is damaged or lost. */
  readonly parts: HomeCondition['parts'];
  readonly damaged: HomeCondition['hurt'];
  /** What is wrong there, and what to do about it. */
  readonly problems: readonly string[];
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
  /** Histories of agents that are not read yet. */
  readonly notRead: readonly NotRead[];
  readonly hooks: readonly string[];
  readonly hints: readonly string[];
}

async function diagnose(context: Context): Promise<Diagnosis> {
  const home = homeOf(context.variables);
  const { parts, hurt } = conditionOf(home);
  const stores = whereWhole(() => openForReading(home));
  try {
    const sources: Record<string, SourceDiagnosis> = {};
    // What is to be left out is not known where the configuration is not understood: nothing may be looked at.
    if (parts.config.state === 'whole' || parts.config.state === 'missing')
      for (const source of SOURCES) sources[source.id] = await diagnosed(context, stores, source);
    const all = Object.values(sources);
    const pending = all.reduce((sum, source) => sum + source.pending, 0);
    const index = currentGeneration(home.index);
    const totals = whereWhole(() => stores?.catalog.totals()) ?? { sessions: 0, turns: 0, passages: 0 };
    return {
      ok: stores !== undefined && hurt.length === 0 && !Object.values(parts).some(isWrong),
      home: home.path,
      parts,
      damaged: hurt,
      problems: problemsOf(parts, hurt),
      config: home.config,
      log: home.log,
      archive: {
        path: home.archive,
        bytes: sizeOfFile(home.archive),
        sessions: whereWhole(() => stores?.archive.revisions().length) ?? 0,
      },
      index: {
        path: index ?? null,
        bytes: index === undefined ? 0 : sizeOfFile(index),
        sessions: totals.sessions,
        turns: totals.turns,
        passages: totals.passages,
      },
      sources,
      notRead: notReadYet(environment([], context.variables)),
      hooks: [],
      hints: [
        ...(stores || isWrong(parts.archive) || isWrong(parts.index)
          ? []
          : ['Nothing is indexed yet: run portolan index.']),
        ...(stores && pending > 0
          ? [`${plural(pending, 'file')} changed since the last reading: run portolan index.`]
          : []),
        ...(stores && whereWhole(() => isUnclean(stores))
          ? ['An earlier portolan forget was interrupted and may have left traces: run portolan forget to finish it.']
          : []),
        ...(all.length > 0 && all.every(isAbsent)
          ? [
              'No history was found where these agents keep theirs: portolan doctor --json lists every folder that was looked in.',
            ]
          : []),
      ],
    };
  } finally {
    stores?.close();
  }
}

/** What looking gives, where what is looked at is not damaged: that is told by its condition. */
function whereWhole<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

/** A source; of one about which nothing can be read from the archive what is found on the machine. */
async function diagnosed(context: Context, stores: Stores | undefined, source: Source): Promise<SourceDiagnosis> {
  try {
    return await diagnoseSource(context, stores, source);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return diagnoseSource(context, undefined, source);
  }
}

/** Whether something is to be done about a part. An empty or missing one of which nothing is known is a new one. */
function isWrong({ state, detail }: Condition): boolean {
  return state !== 'whole' && (detail !== undefined || (state !== 'missing' && state !== 'empty'));
}

function problemsOf(parts: HomeCondition['parts'], hurt: HomeCondition['hurt']): string[] {
  const lost = hurt.filter(({ isLost }) => isLost);
  return [
    ...Object.entries(parts).flatMap(([name, part]) =>
      isWrong(part)
        ? [`The ${name} is ${part.state}${part.detail ? ` (${part.detail})` : ''}. ${part.hint ?? ''}`.trimEnd()]
        : [],
    ),
    ...(lost.length === 0
      ? []
      : [
          `Parts of ${plural(lost.length, 'session')} are lost, and so are the agents’ files: the rest of each can be read.`,
        ]),
  ];
}

const MOST_SHOWN = 10;

/** Nothing of it is here, and nobody wonders: there are many agents. */
function isAbsent({ state, failed, insideRepositories }: SourceDiagnosis): boolean {
  return state === 'absent' && failed.length + insideRepositories.length === 0;
}

function printHurt(context: Context, hurt: HomeCondition['hurt']): void {
  for (const { id, pieces, isLost } of hurt.slice(0, MOST_SHOWN))
    print(context, `  ${id}: ${plural(pieces, 'part')} ${isLost ? 'lost' : 'damaged'}`);
  if (hurt.length > MOST_SHOWN)
    print(context, `  … and ${formatCount(hurt.length - MOST_SHOWN)} more (--json lists all)`);
}

function printReport(context: Context, report: Diagnosis): void {
  for (const problem of report.problems) print(context, problem);
  printHurt(context, report.damaged);
  if (report.problems.length > 0) print(context, '');
  print(context, `Home     ${report.home}`);
  print(
    context,
    `Archive  ${formatBytes(report.archive.bytes)}, ${plural(report.archive.sessions, 'session or prompt list', 'sessions and prompt lists')}`,
  );
  print(
    context,
    `Index    ${formatBytes(report.index.bytes)}, ${plural(report.index.sessions, 'session')}, ${plural(report.index.turns, 'turn')}, ${plural(report.index.passages, 'passage')}`,
  );
  const all = Object.values(report.sources);
  for (const source of all) if (!isAbsent(source)) printSource(context, source);
  const absent = all.filter(isAbsent);
  if (absent.length > 0) print(context, `\nNothing found of ${absent.map(({ label }) => label).join(', ')}`);
  if (report.notRead.length > 0) print(context, '');
  for (const { label, path } of report.notRead) print(context, `${label}: found, not read yet: ${oneLine(path)}`);
  if (sizeOfFile(report.log) > 0) print(context, `\nLog      ${report.log}`);
  if (report.hints.length > 0) print(context, '');
  for (const hint of report.hints) print(context, hint);
}
