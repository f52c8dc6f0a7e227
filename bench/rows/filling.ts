import { join } from 'node:path';
import { Archive } from '../../src/archive/archive.ts';
import { describeChunk } from '../../src/holdings/passages.ts';
import type { PassageTokens } from '../../src/lexical/lexical-index.ts';
import { Database } from '../../src/store/database.ts';
import type { Group } from '../group.ts';
import { formatCount, formatMegabytes, formatNumber, megabytesPerSecond } from '../measure.ts';
import { runProgram } from '../programs.ts';
import { ENGINES, type Engine } from '../scale/engines.ts';
import { type Large, largeHistory } from '../scale/large.ts';
import { type Row, told } from '../table.ts';
import { type Report, sizeOf, type Workshop } from '../workshop.ts';

/** What an engine is filled with: it waits in memory, so that nothing but the engine is timed. */
const MOST_PASSAGES = 100_000;
/** About what a first index reads in a second. */
const PASSAGES_A_TRANSACTION = 5000;

interface Load {
  readonly passages: readonly PassageTokens[];
  /** UTF-8 bytes of the text, and of its tokens. */
  readonly text: number;
  readonly tokens: number;
}

/** The tokens of an archive's first passages. */
function loadOf(path: string): Load {
  const archive = new Archive(Database.forReading(path));
  const passages: PassageTokens[] = [];
  let text = 0;
  let tokens = 0;
  try {
    for (const { id } of archive.revisions())
      for (const { turn } of archive.turns(id))
        for (const { body } of archive.chunksOf(id, turn)) {
          const description = describeChunk(body);
          for (const passage of description.passages) {
            const length = passage.tokenLengths.reduce((sum, one) => sum + one, 0);
            const bytes = description.tokens.subarray(passage.tokenStart, passage.tokenStart + length);
            passages.push({ bytes, lengths: passage.tokenLengths });
            text += passage.bytes;
            tokens += length;
          }
          if (passages.length >= MOST_PASSAGES) return { passages, text, tokens };
        }
    return { passages, text, tokens };
  } finally {
    archive.db.close();
  }
}

/** Fills an empty index; gives the milliseconds, and the bytes of what came of it. */
function fill(engine: Engine, { passages }: Load, path: string) {
  const db = Database.forWriting(path, engine.schema, 1);
  const begin = performance.now();
  const index = engine.open(db);
  for (let start = 0; start < passages.length; start += PASSAGES_A_TRANSACTION) {
    db.transaction(() => {
      const end = Math.min(start + PASSAGES_A_TRANSACTION, passages.length);
      for (let i = start; i < end; i++) index.add(i + 1, passages[i]!);
      index.flush();
    });
    index.merge();
  }
  const ms = performance.now() - begin;
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  return { ms, bytes: sizeOf(path) };
}

export const fillingGroup: Group = {
  id: 'filling',
  isLong: true,
  async measure(workshop): Promise<Row[]> {
    const large = await largeHistory(workshop);
    const load = loadOf(large.archive);
    const count = load.passages.length;
    const on = `${formatCount(count)} passages of ${formatMegabytes(load.text)}, tokens ready, one core`;
    const filled = Object.entries(ENGINES).flatMap(([id, engine]) => {
      workshop.say(`filling ${engine.name}`);
      const { ms, bytes } = fill(engine, load, join(workshop.folder('filling'), `${id}.db`));
      const rate = megabytesPerSecond(load.text, ms);
      return [
        told({
          what: `filling ${engine.name}`,
          measured: `${formatNumber((count / ms) * 1000)} passages/s, ${formatNumber(rate)} MB/s`,
          on,
          figures: { ms, rate, passages: count },
        }),
        told({
          what: `postings of ${engine.name}`,
          measured: `${formatNumber(bytes / load.text)} x the text`,
          on: `${formatMegabytes(bytes)}, in a database of their own`,
          figures: { bytes, text: load.text },
        }),
      ];
    });
    return [...filled, ...madeAnew(large), ...(await byCores(workshop))];
  },
};

/** The index made from the archive, where that was done now. */
function madeAnew({ passages, bytes, madeIn }: Large): Row[] {
  if (madeIn === undefined) return [];
  const rate = megabytesPerSecond(bytes, madeIn);
  return [
    told({
      what: 'an index made anew from the archive',
      measured: `${formatNumber((passages / madeIn) * 1000)} passages/s, ${formatNumber(rate)} MB/s`,
      on: `${formatCount(passages)} passages of ${formatMegabytes(bytes)}: unpacked, cut, tokenised, catalogued, one core`,
      figures: { ms: madeIn, rate },
    }),
  ];
}

/** The whole way, from agents' files to an index, on so many cores. */
async function byCores(workshop: Workshop): Promise<Row[]> {
  const { home } = await workshop.generated();
  const rows: Row[] = [];
  for (const cores of [1, 2]) {
    workshop.say(`indexing on ${cores} of the cores`);
    const history = workshop.history(home);
    const pinned = ['-c', cores === 1 ? '0' : '0,1', process.execPath, workshop.cli, 'index', '--json'];
    const { took_ms, passages } = JSON.parse(
      await runProgram('taskset', pinned, history.variables, workshop.cwd),
    ) as Report;
    const stores = workshop.open(history);
    const { bytes } = stores.catalog.db.row<{ bytes: number }>('SELECT sum(bytes) AS bytes FROM passages')!;
    stores.close();
    rows.push(
      told({
        what: `files to index on ${cores === 1 ? 'one core' : 'two cores'}`,
        measured: `${formatNumber((passages / took_ms) * 1000)} passages/s, ${formatNumber(megabytesPerSecond(bytes, took_ms))} MB/s of text`,
        on: `${workshop.options.mb} MB of gen.mjs: ${formatCount(passages)} passages of ${formatMegabytes(bytes)}`,
        figures: { ms: took_ms, passages, bytes },
      }),
    );
  }
  return rows;
}
