import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Group } from '../group.ts';
import { formatMegabytes, formatMs, formatNumber, megabytesPerSecond } from '../measure.ts';
import { limited, type Row, told } from '../table.ts';
import { firstIndex } from './first-index.ts';

const TIMES_PARSE = 10;
const HOMES = [join('homes', 'claude'), join('natural', 'cli')];

/** The first index of histories that agents really wrote. */
export const corpusGroup: Group = {
  id: 'corpus',
  async measure(workshop): Promise<Row[]> {
    const rows: Row[] = [];
    for (const name of HOMES) {
      const home = join(workshop.shared, 'corpus', name);
      const what = `first index of corpus/${name}`;
      if (!existsSync(join(home, '.claude', 'projects'))) {
        rows.push(told({ what, measured: '-', on: `there is no ${home}` }));
        continue;
      }
      workshop.say(what);
      const { parse, indexMs, ratio, rss, bytes } = await firstIndex(workshop, home, 3);
      const rate = formatNumber(megabytesPerSecond(bytes, indexMs));
      rows.push(
        limited(
          {
            what,
            goal: '10 x the bare parse',
            measured: `${formatNumber(ratio)} x: ${formatMs(indexMs)}, ${rate} MB/s, ${formatMegabytes(rss)}`,
            on: `${formatMegabytes(bytes)} read; bare parse ${formatMs(parse.ms)} for ${formatMegabytes(parse.bytes)}; median of 3`,
            figures: { ratio, ms: indexMs, rss, bytes, parse: parse.ms },
          },
          ratio,
          TIMES_PARSE,
        ),
      );
    }
    return rows;
  },
};
