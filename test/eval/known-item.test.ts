import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { indexHomes } from '../../eval/corpus.ts';
import { KnownItems } from '../../eval/known-item.ts';
import { type Answer, answerTo, MEASURES } from '../../eval/score.ts';
import { mean } from '../../eval/statistics.ts';
import { witnessOf } from '../../eval/witness.ts';
import type { Stores } from '../../src/holdings/stores.ts';
import { SHARED, shared } from '../oracle/product.ts';

const NOW = Date.parse('2026-02-10T00:00:00Z');

/** A sample of `npm run eval`: the readable histories, small enough for every test run. */
describe.skipIf(SHARED === undefined)('known items', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-test-'));
  let stores: Stores;
  let items: KnownItems;
  let answers: Answer[];

  beforeAll(async () => {
    const homes = [
      ['natural', 'cli'],
      ['natural', 'agentic-neurodata-conversion'],
      ['live', 'claude', 'home'],
    ].map((names) => shared('corpus', ...names));
    stores = await indexHomes(homes, folder);
    items = new KnownItems(stores, { turns: 60, seed: 1, now: NOW });
    answers = items.answers(stores);
  });
  afterAll(() => {
    stores.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are asked for by words that stand in them', () => {
    expect(items.turns).toBe(60);
    for (const { known, kind, text } of items.asked) {
      if (kind !== 'telling' && kind !== 'ordinary') continue;
      const turn = JSON.stringify(items.corpus.read(known)).toLowerCase();
      for (const word of text.split(' ')) expect(turn).toContain(word);
    }
  });

  it('are asked of FTS5 over the same passages', () => {
    const witness = witnessOf(stores, join(folder, 'fts5.db'));
    expect(witness.catalog.totals()).toEqual(stores.catalog.totals());
    const some = items.asked.filter(({ kind }) => kind === 'telling').slice(0, 10);
    const ranks = (asked: Stores) => some.map((one) => answerTo(asked, items.corpus, one, NOW).rank);
    expect(ranks(witness).filter((rank) => rank !== undefined).length).toBeGreaterThan(5);
    witness.close();
  });

  // The floors lie about five in a hundred below what was measured.
  it.each([
    ['their own words', ['telling', 'ordinary'], 'S@1', 0.76],
    ['their own words', ['telling', 'ordinary'], 'S@10', 0.91],
    ['words of which one is wrong', ['mistaken'], 'S@10', 0.85],
    ['a piece of an error, a path, an identifier', ['error', 'path', 'identifier'], 'S@10', 0.86],
    ['a piece of an error, a path, an identifier', ['error', 'path', 'identifier'], 'session S@10', 0.92],
  ] as const)('are found by %s (%s, %s)', (_, kinds, measure, floor) => {
    const asked = answers.filter(({ kind }) => (kinds as readonly string[]).includes(kind));
    expect(asked.length).toBeGreaterThanOrEqual(60);
    expect(mean(asked.map(MEASURES[measure]))).toBeGreaterThan(floor);
  });
});
