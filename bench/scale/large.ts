import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { homesOf, indexHomes } from '../../eval/corpus.ts';
import { witnessOf } from '../../eval/witness.ts';
import { openForReading } from '../../src/holdings/opening.ts';
import { homeOf } from '../../src/home/paths.ts';
import { openForWriting } from '../../src/ingest/writable-stores.ts';
import { currentGeneration } from '../../src/store/generations.ts';
import { formatCount, formatMs, timed } from '../measure.ts';
import set from '../queries.json' with { type: 'json' };
import type { Workshop } from '../workshop.ts';
import type { EngineId } from './engines.ts';
import { keepHistory } from './history.ts';

/** A history of `--passages` passages with the corpus's statistics, and an index of each engine over it. */
export interface Large {
  readonly archive: string;
  /** The path of an engine's index. */
  index(engine: EngineId): string;
  readonly passages: number;
  /** UTF-8 bytes of the text of its passages. */
  readonly bytes: number;
  /** Milliseconds that Portolan took to make its index from the archive; absent where it was kept. */
  readonly madeIn?: number;
}

const NOW = Date.parse(set.now);

/** Makes it, or takes the one that was kept. */
export async function largeHistory(workshop: Workshop): Promise<Large> {
  const { passages, keep, seed } = workshop.options;
  const name = `large-${passages}-${seed}`;
  const folder = keep === undefined ? workshop.folder(name) : join(keep, name);
  const home = homeOf({ PORTOLAN_HOME: folder });
  if (!existsSync(home.archive)) await make(workshop, folder);
  const before = currentGeneration(home.index);
  workshop.say('the index of Portolan');
  const { ms } = await timed(() => openForWriting(home)?.close());
  const portolan = currentGeneration(home.index);
  const stores = openForReading(home);
  if (portolan === undefined || !stores) throw new Error(`no index was made in ${folder}`);
  const fts5 = join(folder, 'fts5.db');
  if (!existsSync(fts5)) {
    workshop.say('the index of FTS5');
    witnessOf(stores, `${fts5}.new`).close();
    renameSync(`${fts5}.new`, fts5);
  }
  const { bytes } = stores.catalog.db.row<{ bytes: number }>('SELECT sum(bytes) AS bytes FROM passages')!;
  const made = stores.catalog.totals().passages;
  stores.close();
  return {
    archive: home.archive,
    index: (engine) => (engine === 'fts5' ? fts5 : portolan),
    passages: made,
    bytes,
    ...(portolan !== before && { madeIn: ms }),
  };
}

async function make(workshop: Workshop, folder: string): Promise<void> {
  const { passages, seed } = workshop.options;
  workshop.say(`making a history of ${formatCount(passages)} passages`);
  const scratch = workshop.folder('corpus');
  const corpus = await indexHomes(homesOf(join(workshop.shared, 'corpus')), scratch);
  const unfinished = `${folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  const { ms } = await timed(() => keepHistory(corpus, homeOf({ PORTOLAN_HOME: unfinished }), passages, seed, NOW));
  corpus.close();
  rmSync(scratch, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
  workshop.say(`made in ${formatMs(ms)}`);
}
