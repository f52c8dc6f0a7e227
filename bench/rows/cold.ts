import type { Group } from '../group.ts';
import { formatCount, formatMs, median } from '../measure.ts';
import { wallTime } from '../programs.ts';
import set from '../queries.json' with { type: 'json' };
import { limited, type Row } from '../table.ts';

const LIMIT_MS = 100;
const REPEATS = 15;

export const coldGroup: Group = {
  id: 'cold',
  async measure(workshop): Promise<Row[]> {
    const history = await workshop.large();
    const stores = workshop.open(history);
    const passages = stores.catalog.count('passages');
    stores.close();
    workshop.say('portolan search from a cold shell');
    const node: number[] = [];
    const command: number[] = [];
    const time = (args: readonly string[]) => wallTime(process.execPath, args, history.variables, workshop.cwd);
    for (let i = 0; i <= REPEATS; i++) {
      node.push(time(['-e', '0']));
      command.push(time([workshop.cli, 'search', set.cold, '--json']));
    }
    // The first pair warms the page cache.
    const [bare, whole] = [median(node.slice(1)), median(command.slice(1))];
    const on = `“${set.cold}” at ${formatCount(passages)} passages, median of ${REPEATS}, by turns`;
    return [
      limited(
        {
          what: 'portolan search from a cold shell',
          goal: 'node -e 0 + 100 ms at 200,000 passages',
          measured: `+ ${formatMs(whole - bare)}: ${formatMs(whole)} to ${formatMs(bare)}`,
          on,
          figures: { ms: whole, node: bare, difference: whole - bare, passages },
        },
        whole - bare,
        LIMIT_MS,
      ),
    ];
  },
};
