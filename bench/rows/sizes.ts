import { homeOf } from '../../src/home/paths.ts';
import { Database } from '../../src/store/database.ts';
import { currentGeneration } from '../../src/store/generations.ts';
import type { Group } from '../group.ts';
import { formatMegabytes, formatNumber } from '../measure.ts';
import { limited, type Row, told } from '../table.ts';
import { type History, sizeOf } from '../workshop.ts';

const INDEX_SHARE = 0.5;
const ARCHIVE_SHARE = 0.45;

interface Sizes {
  readonly archive: number;
  readonly kept: number;
  readonly bodies: number;
  readonly index: number;
  readonly indexed: number;
}

/** Sizes of the files after the writer has gone, so that no write-ahead log is counted twice. */
function sizesOf(history: History): Sizes {
  const home = homeOf(history.variables);
  const index = currentGeneration(home.index);
  if (index === undefined) throw new Error(`nothing is indexed in ${home.path}`);
  const chunks = figures<{ kept: number; bodies: number }>(
    home.archive,
    'SELECT sum(kept) AS kept, sum(length(body)) AS bodies FROM chunks',
  );
  const { indexed } = figures<{ indexed: number }>(index, 'SELECT sum(bytes) AS indexed FROM passages');
  return { archive: sizeOf(home.archive), ...chunks, index: sizeOf(index), indexed };
}

function figures<Row>(path: string, sql: string): Row {
  const db = Database.forReading(path);
  try {
    return db.row<Row>(sql)!;
  } finally {
    db.close();
  }
}

export const sizesGroup: Group = {
  id: 'sizes',
  async measure(workshop): Promise<Row[]> {
    const { archive, kept, bodies, index, indexed } = sizesOf(await workshop.indexed());
    return [
      limited(
        {
          what: 'index',
          goal: '0.5 x the indexed text',
          measured: `${formatNumber(index / indexed)} x`,
          on: `gen-N.db ${formatMegabytes(index)}, all its tables; text ${formatMegabytes(indexed)}`,
          figures: { index, indexed },
        },
        index / indexed,
        INDEX_SHARE,
      ),
      limited(
        {
          what: 'archive',
          goal: '0.45 x the kept text',
          measured: `${formatNumber(archive / kept)} x`,
          on: `archive.db ${formatMegabytes(archive)}, all its tables; text ${formatMegabytes(kept)}`,
          figures: { archive, kept },
        },
        archive / kept,
        ARCHIVE_SHARE,
      ),
      told({
        what: 'archive: bodies alone',
        measured: `${formatNumber(bodies / kept)} x`,
        on: `compressed turns ${formatMegabytes(bodies)}`,
        figures: { bodies },
      }),
    ];
  },
};
