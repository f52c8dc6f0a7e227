import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { homesOf, indexHomes } from '../../eval/corpus.ts';
import { homeOf } from '../../src/home/paths.ts';
import { Database } from '../../src/store/database.ts';
import { formatCount, formatMs, timed } from '../measure.ts';
import set from '../queries.json' with { type: 'json' };
import type { Workshop } from '../workshop.ts';
import { deriveIndex, ENGINES, type EngineId } from './engines.ts';
import { keepHistory } from './history.ts';

/** A history of `--passages` passages with the corpus's statistics, and an index of each engine over it. */
export interface Large {
  readonly archive: string;
  index(engine: EngineId): { readonly path: string; readonly ms?: number };
  readonly passages: number;
  /** UTF-8 bytes of the text of its passages. */
  readonly bytes: number;
}

const NOW = Date.parse(set.now);

/** Makes it, or takes the one that was kept. */
export async function largeHistory(workshop: Workshop): Promise<Large> {
  const { passages, keep, seed } = workshop.options;
  const name = `large-${passages}-${seed}`;
  const folder = keep === undefined ? workshop.folder(name) : join(keep, name);
  const home = homeOf({ PORTOLAN_HOME: folder });
  if (!existsSync(home.archive)) await make(workshop, folder);
  const derivations = new Map<EngineId, number>();
  const pathOf = (engine: EngineId) => join(folder, `${engine}.db`);
  for (const engine of Object.keys(ENGINES) as EngineId[]) {
    const path = pathOf(engine);
    if (existsSync(path)) continue;
    workshop.say(`deriving the index of ${ENGINES[engine].name}`);
    const { ms } = await timed(() => deriveIndex(home.archive, `${path}.new`, ENGINES[engine]));
    renameSync(`${path}.new`, path);
    derivations.set(engine, ms);
  }
  const db = Database.forReading(pathOf('portolan'));
  const totals = db.row<{ passages: number; bytes: number }>(
    'SELECT count(*) AS passages, sum(bytes) AS bytes FROM passages',
  )!;
  db.close();
  return {
    archive: home.archive,
    index(engine) {
      const ms = derivations.get(engine);
      return { path: pathOf(engine), ...(ms !== undefined && { ms }) };
    },
    ...totals,
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
