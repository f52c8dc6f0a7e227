import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { search } from '../../src/search/answers/search.ts';
import { parseQuery } from '../../src/search/query/parse.ts';
import type { Group } from '../group.ts';
import { type Row, told } from '../table.ts';

interface Needle {
  readonly zone: string;
  readonly vendor: string;
  readonly session: string;
  readonly file: string;
  readonly query: string;
  readonly kind: string;
}

/** What gen.mjs planted is found, and first. Sub-agents are sessions of their own, named by their file. */
export const needlesGroup: Group = {
  id: 'needles',
  async measure(workshop): Promise<Row[]> {
    const history = await workshop.indexed();
    const stores = workshop.open(history);
    try {
      const planted = JSON.parse(readFileSync(join(history.home, 'needles.json'), 'utf8')) as Needle[];
      const needles = planted.filter(({ vendor, kind }) => vendor === 'claude' && kind !== 'semantic');
      const now = Date.now();
      const missed = needles.filter((needle) => {
        const [first] = search(stores, parseQuery(needle.query, now), { limit: 1, now }).hits;
        return first?.session !== `claude-code:${basename(needle.file, '.jsonl')}`;
      });
      for (const { zone, kind, query } of missed) workshop.say(`not found first: ${query} (${kind} in ${zone})`);
      const found = needles.length - missed.length;
      const row = {
        what: 'planted needles found first',
        measured: `${found} of ${needles.length}`,
        on: 'needles.json: of Claude Code, not the semantic ones',
        figures: { found, planted: needles.length },
      };
      return [missed.length === 0 ? told(row) : { ...told(row), verdict: 'over' }];
    } finally {
      stores.close();
    }
  },
};
