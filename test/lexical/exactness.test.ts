import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CATALOG_SCHEMA } from '../../src/catalog/schema.ts';
import { FIELDS, type Field } from '../../src/lexical/fields.ts';
import type { LexicalQuery, PassageFilter, Term } from '../../src/lexical/lexical-index.ts';
import { LEXICAL_SCHEMA } from '../../src/lexical/schema.ts';
import { SegmentedIndex } from '../../src/lexical/segmented-index.ts';
import { Database } from '../../src/store/database.ts';
import { Chance, times } from '../support/chance.ts';
import { temporaryFolder } from '../support/folders.ts';
import { tokensOfWords } from '../support/lexical-batches.ts';
import { BruteForce } from './brute-force.ts';

const QUERIES_OF_A_COLLECTION = 20;
const SESSIONS = 6;

/** A collection that grows, shrinks and is merged as chance has it, beside one that only remembers. */
class Collection {
  readonly db: Database;
  readonly index: SegmentedIndex;
  readonly brute: BruteForce;
  readonly words: readonly string[];
  private readonly sessions = new Map<number, number>();
  private readonly chance: Chance;

  constructor(chance: Chance) {
    this.chance = chance;
    this.db = Database.forWriting(join(temporaryFolder(), 'index.db'), `${CATALOG_SCHEMA}${LEXICAL_SCHEMA}`, 1);
    this.index = new SegmentedIndex(this.db, chance.of([1, 5000, 1 << 20]));
    for (let id = 1; id <= SESSIONS; id++)
      this.db.run(
        `INSERT INTO sessions (id, revision, key, source, native_id, kind, path, more)
         VALUES (?, 1, ?, 's', 'n', 'transcript', '', '{}')`,
        id,
        `s:${id}`,
      );
    this.words = Array.from({ length: 3 + chance.below(60) }, () =>
      Array.from({ length: 1 + chance.below(4) }, () => chance.of(['a', 'b', 'ab', 'é', '数', '_'])).join(''),
    );
    this.brute = new BruteForce(
      (term) => this.index.documentFrequency(term),
      () => this.index.terms('', 10_000),
    );
  }

  fill(): void {
    const { chance } = this;
    for (let batch = 1 + chance.below(12); batch > 0; batch--) {
      this.db.transaction(() => {
        for (let some = chance.below(chance.of([4, 40, 300])); some > 0; some--) this.add();
        if (chance.below(3) === 0) this.remove();
        this.index.flush();
        if (chance.below(3) === 0) this.index.maintain(chance.of([1, 1000, 1 << 24]));
      });
      this.index.merge();
    }
  }

  /** A word, the first ones most often. */
  word(): string {
    return this.words[Math.floor(this.words.length * this.chance.next() ** 3)]!;
  }

  query(depth = 2): LexicalQuery {
    const { chance } = this;
    const kind = depth === 0 ? 0 : chance.below(6);
    const some = (most: number) => Array.from({ length: chance.below(most) + 1 }, () => this.query(depth - 1));
    if (kind === 1) return { type: 'all', of: some(4) };
    if (kind === 2 || kind === 3) return { type: 'any', of: some(6) };
    if (kind === 4) return { type: 'but', of: this.query(depth - 1), not: this.query(depth - 1) };
    const fields = FIELDS.filter(() => chance.below(3) === 0);
    return { type: 'term', term: this.term(), ...(fields.length > 0 && chance.below(3) === 0 && { fields }) };
  }

  /** Asks of passages, of sessions, or of both; of the sessions it may be known, and for some that it is enough. */
  filter(): PassageFilter & { passes(id: number): boolean } {
    const { chance } = this;
    const [divisor, rest] = [1 + chance.below(4), chance.below(2)];
    const [session, enough] = [chance.below(SESSIONS), chance.below(SESSIONS)];
    const kind = chance.below(4);
    if (kind === 0) return { sql: 'p.id % ? = ?', values: [divisor, rest], passes: (id) => id % divisor === rest };
    const need = { sql: 's.id >= ?', values: [session] };
    const isOfSession = (id: number) => this.sessions.get(id)! >= session;
    if (kind === 1) return { ...need, ofSessions: { need, enough: { sql: '1', values: [] } }, passes: isOfSession };
    const passes = (id: number) => isOfSession(id) && (this.sessions.get(id)! < enough || id % divisor === rest);
    return {
      sql: 's.id >= ? AND (s.id < ? OR p.id % ? = ?)',
      values: [session, enough, divisor, rest],
      ofSessions: {
        need,
        ...(kind === 2
          ? { enough: { sql: 's.id < ?', values: [enough] } }
          : {
              rest: { sql: '(s.id < ? OR p.id % ? = ?)', values: [enough, divisor, rest] },
              areFew: chance.below(2) === 0,
            }),
      },
      passes,
    };
  }

  /** A word, at times with wildcards in it. */
  private token(): string {
    const { chance } = this;
    const word = this.word();
    if (chance.below(8) > 0) return word;
    const letters = [...word];
    letters[chance.below(letters.length)] = chance.of(['*', '?']);
    return letters.join('');
  }

  private term(): Term {
    const { chance } = this;
    const sequence = () => Array.from({ length: chance.of([1, 1, 1, 2, 3]) }, () => this.token());
    const alternatives = Array.from({ length: chance.of([1, 1, 1, 2]) }, sequence);
    const prefix = chance.below(5) === 0;
    if (!prefix) return { alternatives, prefix };
    return { alternatives: alternatives.map((tokens) => [...tokens.slice(0, -1), tokens.at(-1)!.slice(0, 1)]), prefix };
  }

  private add(): void {
    const { chance } = this;
    const id = chance.below(10) === 0 ? 1 + chance.below(3000) : this.highest() + 1 + chance.below(2);
    if (this.brute.passages.has(id)) this.index.remove([id]);
    const session = 1 + chance.below(SESSIONS);
    this.sessions.set(id, session);
    this.db.run(
      `INSERT OR REPLACE INTO passages (id, session, turn, chunk, first_part, from_char, last_part, to_char, flags, bytes)
       VALUES (?, ?, 1, 0, 0, 0, 0, 0, 0, 0)`,
      id,
      session,
    );
    const words: Partial<Record<Field, string[]>> = {};
    for (let fields = 1 + chance.below(3); fields > 0; fields--)
      words[chance.of(FIELDS)] = Array.from({ length: chance.below(chance.of([3, 12, 60])) }, () => this.word());
    this.index.add(id, tokensOfWords(words), session);
    this.brute.passages.set(id, words);
  }

  private highest(): number {
    let highest = 0;
    for (const id of this.brute.passages.keys()) highest = Math.max(highest, id);
    return highest;
  }

  private remove(): void {
    const all = [...this.brute.passages.keys()];
    const share = this.chance.of([2, 5, 50]);
    const gone = all.filter(() => this.chance.below(share) === 0);
    this.index.remove(gone);
    for (const id of gone) {
      this.brute.passages.delete(id);
      this.db.run('DELETE FROM passages WHERE id = ?', id);
    }
  }
}

function check(
  collection: Collection,
  query: LexicalQuery,
  k: number,
  filter?: ReturnType<Collection['filter']>,
): void {
  const expected = [...collection.brute.search(query)].filter(([id]) => filter?.passes(id) ?? true);
  const { hits, total, relation } = collection.index.search(query, filter, k);
  const scores = new Map(expected);
  const best = expected.map(([, score]) => score).sort((a, b) => b - a);
  const context = JSON.stringify({ query, k, filter });
  expect(hits.length, context).toBe(Math.min(k, expected.length));
  expect(new Set(hits.map(({ passage }) => passage)).size, context).toBe(hits.length);
  for (const [i, { passage, score }] of hits.entries()) {
    expect(scores.get(passage), `${context} passage ${passage}`).toBeCloseTo(score, 9);
    // Equal scores may be summed in another order: the rank's score is what counts.
    expect(score, context).toBeCloseTo(best[i]!, 9);
  }
  if (relation === 'eq') expect(total, context).toBe(expected.length);
  else expect(total, context).toBeLessThanOrEqual(expected.length);
  if ((query.type === 'all' && query.of.length > 1) || total < k) expect(relation, context).toBe('eq');
}

/** All of some parts first, then any of them: what two searches give. */
function checkTiers(
  { index }: Collection,
  of: readonly LexicalQuery[],
  k: number,
  filter?: ReturnType<Collection['filter']>,
): void {
  const [all, any] = [{ type: 'all', of } as const, { type: 'any', of } as const];
  const { hits, full, relation } = index.searchTiers({ all, any }, filter, k);
  const first = index.search(all, filter, k).hits;
  const holding = new Set(index.search(all, filter, 5000).hits.map(({ passage }) => passage));
  const others = index.search(any, filter, 5000).hits.filter(({ passage }) => !holding.has(passage));
  const context = JSON.stringify({ of, k, filter });
  expect(hits.slice(0, full), context).toEqual(first);
  for (const { passage } of hits.slice(full)) expect(holding.has(passage), context).toBe(false);
  const expected = others.slice(0, k - full).map(({ score }) => score);
  expect(hits.slice(full).length, context).toBe(expected.length);
  for (const [i, { score }] of hits.slice(full).entries()) expect(score, context).toBeCloseTo(expected[i]!, 9);
  if (relation === 'eq') expect(hits.length, context).toBe(Math.min(k, holding.size + others.length));
}

describe('the index and a brute-force scorer', () => {
  it('find the same passages with the same scores', { timeout: 3_600_000 }, () => {
    for (let seed = 1; seed <= times(25, 1000); seed++) {
      const chance = new Chance(seed);
      const collection = new Collection(chance);
      for (let n = 0; n < QUERIES_OF_A_COLLECTION; n++) {
        // Anew in the middle: what the index remembers of its segments must not outlive them.
        if (n % (QUERIES_OF_A_COLLECTION / 2) === 0) collection.fill();
        const filter = chance.below(4) === 0 ? collection.filter() : undefined;
        const k = chance.of([1, 3, 10, 100, 5000]);
        try {
          check(collection, collection.query(), k, filter);
          if (n % 4 === 0) checkTiers(collection, [collection.query(1), collection.query(1)], k, filter);
        } catch (error) {
          throw new Error(`seed ${seed}, query ${n}`, { cause: error });
        }
      }
      collection.db.close();
    }
  });
});
