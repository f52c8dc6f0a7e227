/**
 * Measures what design.md says Portolan must reach, and prints it as a table. See docs/performance.md.
 */
import { spawnSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import type { Group } from './group.ts';
import { formatMs, formatNumber } from './measure.ts';
import { type Options, readOptions } from './options.ts';
import { stopAll } from './programs.ts';
import { appendGroup } from './rows/append.ts';
import { coldGroup } from './rows/cold.ts';
import { corpusGroup } from './rows/corpus.ts';
import { fillingGroup } from './rows/filling.ts';
import { firstIndexGroup } from './rows/first-index.ts';
import { formatsGroup } from './rows/formats.ts';
import { needlesGroup } from './rows/needles.ts';
import { pickerGroup } from './rows/picker.ts';
import { proportionGroup } from './rows/proportion.ts';
import { queriesGroup } from './rows/queries.ts';
import { scaleGroup } from './rows/scale.ts';
import { secondAgentGroup } from './rows/second-agent.ts';
import { serversGroup } from './rows/servers.ts';
import { sizesGroup } from './rows/sizes.ts';
import { redactionGroup, tokensGroup, unbuiltGroup } from './rows/text.ts';
import { unchangedGroup } from './rows/unchanged.ts';
import { type Row, tableOf } from './table.ts';
import { Workshop } from './workshop.ts';

const GROUPS: readonly Group[] = [
  firstIndexGroup,
  secondAgentGroup,
  appendGroup,
  unchangedGroup,
  queriesGroup,
  coldGroup,
  pickerGroup,
  serversGroup,
  sizesGroup,
  redactionGroup,
  tokensGroup,
  corpusGroup,
  needlesGroup,
  unbuiltGroup,
  fillingGroup,
  scaleGroup,
  proportionGroup,
  formatsGroup,
];

const HELP = `Usage: npm run bench -- [flags]

Generates histories, indexes and searches them, and prints what was measured
beside what must be reached. Takes about three minutes.

  --mb N         size of the generated history (200)
  --seed N       of the generator (1)
  --rows a,b     only these: ${GROUPS.map(({ id }) => id).join(', ')};
                 of these ${GROUPS.filter(({ isLong }) => isLong)
                   .map(({ id }) => id)
                   .join(', ')} take minutes, and are measured only where they are named
  --passages N   queries are measured at so many passages (100000)
  --sessions N   sessions of the row “nothing changed” (10000)
  --keep DIR     keep generated histories there, and use them again
  --json         one JSON document`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  let options: Options;
  try {
    options = readOptions(args);
    const unknown = options.rows?.find((id) => !GROUPS.some((group) => group.id === id));
    if (unknown !== undefined) throw new Error(`there are no rows “${unknown}”`);
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n\n${HELP}\n`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(`${HELP}\n`);
    return 0;
  }
  build();
  return measure(options);
}

/** Users run the bundle, so the bundle is measured. */
function build(): void {
  const script = join(import.meta.dirname, '..', 'scripts', 'build.mjs');
  const { status } = spawnSync(process.execPath, [script, '--if-needed'], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('the build failed');
}

async function measure(options: Options): Promise<number> {
  const workshop = new Workshop(options);
  const stop = () => {
    stopAll();
    workshop.tidyUp();
    process.exit(130);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const began = performance.now();
  const load = loadavg()[0] ?? 0;
  const rows: Row[] = [];
  try {
    for (const group of GROUPS) {
      if (options.rows ? !options.rows.includes(group.id) : group.isLong) continue;
      rows.push(...(await group.measure(workshop).catch((error: unknown) => [failedRow(group, error)])));
    }
  } finally {
    workshop.tidyUp();
  }
  const tookMs = performance.now() - began;
  const cpu = cpus()[0]?.model ?? 'unknown processor';
  if (options.json) {
    const machine = { cpu, cores: availableParallelism(), node: process.version, load };
    process.stdout.write(`${JSON.stringify({ options, machine, took_ms: Math.round(tookMs), rows })}\n`);
  } else
    process.stdout.write(
      `${tableOf(rows)}\n\n${cpu}, ${availableParallelism()} cores, Node ${process.version}, load ${formatNumber(load)} ` +
        `when it began; --mb ${options.mb} --seed ${options.seed}; ${formatMs(tookMs)}\n`,
    );
  return rows.some((row) => row.verdict === 'FAILED') ? 1 : 0;
}

function failedRow(group: Group, error: unknown): Row {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  return { what: group.id, goal: '', measured: messageOf(error), verdict: 'FAILED', on: '' };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
