/**
 * The known-item evaluation: turns of the corpus are asked for by their own words, and must come out first. Prints the
 * tables of docs/quality.md.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compare } from './compare.ts';
import { homesOf, indexHomes } from './corpus.ts';
import { type Draw, KnownItems } from './known-item.ts';
import type { Answer } from './score.ts';
import { differencesOf, tableOf, verdictOn } from './table.ts';
import { witnessOf } from './witness.ts';

const HELP = `Usage: npm run eval -- [flags]
       npm run eval -- --compare RUN BESIDE

Asks for turns of ../shared/corpus (or PORTOLAN_SHARED) by their own words, and
prints how often each is found, beside SQLite's FTS5 over the same passages.

  --turns N    turns that are asked for (240)
  --seed N     of the draw (1)
  --now TIME   the clock (2026-05-20)
  --out FILE   keep the answers, one a question, as JSON
  --compare    two files of answers: what the first gained or lost`;

const SHARED = process.env.PORTOLAN_SHARED ?? resolve(import.meta.dirname, '..', '..', 'shared');

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      turns: { type: 'string', default: '240' },
      seed: { type: 'string', default: '1' },
      now: { type: 'string', default: '2026-05-20' },
      out: { type: 'string' },
      compare: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const [run, beside] = positionals;
  const now = Date.parse(values.now);
  if (values.help || Number.isNaN(now) || (values.compare && beside === undefined)) {
    (values.help ? process.stdout : process.stderr).write(`${HELP}\n`);
    return values.help ? 0 : 2;
  }
  if (values.compare) return tell(answersIn(run!), answersIn(beside!), 'the second run');
  return measure({ turns: Number(values.turns), seed: Number(values.seed), now }, values.out);
}

async function measure(draw: Draw, out: string | undefined): Promise<number> {
  const homes = homesOf(join(SHARED, 'corpus'));
  if (homes.length === 0) {
    process.stderr.write(`There is no corpus in ${SHARED}: PORTOLAN_SHARED may name another folder.\n`);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), 'portolan-eval-'));
  try {
    process.stderr.write('indexing the corpus\n');
    const stores = await indexHomes(homes, folder);
    const items = new KnownItems(stores, draw);
    const { sessions, turns, passages } = stores.catalog.totals();
    process.stderr.write(`asking ${items.asked.length} questions for ${items.turns} turns\n`);
    const answers = items.answers(stores);
    if (out !== undefined) writeFileSync(out, JSON.stringify(answers, null, 1), { mode: 0o600 });
    process.stdout.write(
      `${sessions} sessions, ${turns} turns, ${passages} passages; ${items.turns} turns drawn (seed ${draw.seed}), ` +
        `${answers.length} questions, clock ${new Date(draw.now).toISOString()}\n\n${tableOf(answers)}\n\n`,
    );
    const witness = witnessOf(stores, join(folder, 'fts5.db'));
    const code = tell(answers, items.answers(witness), 'FTS5');
    witness.close();
    stores.close();
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Prints what one run gained or lost beside another; 1 where it is worse somewhere. */
function tell(answers: readonly Answer[], beside: readonly Answer[], name: string): number {
  const differences = compare(answers, beside);
  process.stdout.write(
    `Beside ${name}, in points of a hundred:\n\n${differencesOf(differences)}\n\n${verdictOn(differences)}\n`,
  );
  return differences.some(({ isWorse }) => isWorse) ? 1 : 0;
}

/** @throws where the file is not one of `--out` */
function answersIn(path: string): Answer[] {
  const answers: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!Array.isArray(answers)) throw new Error(`${path} holds no answers`);
  return answers;
}
