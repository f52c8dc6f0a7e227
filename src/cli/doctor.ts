import { SOURCES } from '../agents/registry.ts';
import { openForReading } from '../holdings/opening.ts';
import { homeOf } from '../home/paths.ts';
import { isUnclean } from '../ingest/clearing/forget.ts';
import { sizeOfFile } from '../ingest/run.ts';
import { formatBytes, plural } from '../render/numbers.ts';
import { currentGeneration } from '../store/generations.ts';
import { type Command, type Context, EXIT } from './command.ts';
import { readFlags } from './flags.ts';
import { print, printJson } from './output.ts';
import { diagnoseSource, printSource, type SourceDiagnosis } from './source-diagnosis.ts';

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

function printReport(context: Context, report: Diagnosis): void {
  print(context, `Home     ${report.home}`);
  print(
    context,
    `Archive  ${formatBytes(report.archive.bytes)}, ${plural(report.archive.sessions, 'session or prompt list', 'sessions and prompt lists')}`,
  );
  print(
    context,
    `Index    ${formatBytes(report.index.bytes)}, ${plural(report.index.sessions, 'session')}, ${plural(report.index.turns, 'turn')}, ${plural(report.index.passages, 'passage')}`,
  );
  for (const source of Object.values(report.sources)) printSource(context, source);
  if (sizeOfFile(report.log) > 0) print(context, `\nLog      ${report.log}`);
  if (report.hints.length > 0) print(context, '');
  for (const hint of report.hints) print(context, hint);
}
