import type { Group } from '../group.ts';
import { formatMegabytes, formatMs, formatNumber, megabytesPerSecond } from '../measure.ts';
import { limited, type Row } from '../table.ts';
import { transcriptsOf } from '../transcripts.ts';
import { firstIndex, TIMES_PARSE } from './first-index.ts';

export const secondAgentGroup: Group = {
  id: 'codex',
  async measure(workshop): Promise<Row[]> {
    const { home } = await workshop.ofCodex();
    workshop.say('first index of Codex alone, three times, beside the bare parse');
    const { indexMs, ratio, bytes } = await firstIndex(workshop, home, 3);
    return [
      limited(
        {
          what: 'first index of a second agent',
          goal: `${TIMES_PARSE} x the bare parse`,
          measured: `${formatNumber(ratio)} x: ${formatMs(indexMs)}, ${formatNumber(megabytesPerSecond(bytes, indexMs))} MB/s`,
          on: `${formatMegabytes(bytes)} of Codex's of gen.mjs, ${transcriptsOf(home).length} files, median of 3`,
          figures: { ratio, ms: indexMs, bytes },
        },
        ratio,
        TIMES_PARSE,
      ),
    ];
  },
};
