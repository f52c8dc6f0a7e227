// Asks the index the same question until it is told to stop; prints how often, or the first error. Run by tests.

import { openForReading } from '../../src/holdings/opening.ts';
import { homeOf } from '../../src/home/paths.ts';
import { search } from '../../src/search/answers/search.ts';
import { parseQuery } from '../../src/search/query/parse.ts';

const [folder = '', word = '', ms = '0'] = process.argv.slice(2);
const end = performance.now() + Number(ms);
let asked = 0;
while (performance.now() < end) {
  const stores = openForReading(homeOf({ PORTOLAN_HOME: folder }));
  if (!stores) throw new Error('there is no index');
  const now = Date.now();
  for (let i = 0; i < 20; i++) {
    const { hits } = search(stores, parseQuery(word, now), { limit: 5, now });
    if (hits.length === 0) throw new Error(`“${word}” was not found`);
    asked++;
  }
  stores.close();
}
console.log(asked);
