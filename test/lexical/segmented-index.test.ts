import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CATALOG_SCHEMA } from '../../src/catalog/schema.ts';
import { FIELDS, type Field } from '../../src/lexical/fields.ts';
import type { LexicalQuery, PassageFilter, PassageTokens } from '../../src/lexical/lexical-index.ts';
import { LEXICAL_SCHEMA, SegmentState } from '../../src/lexical/schema.ts';
import { SegmentedIndex } from '../../src/lexical/segmented-index.ts';
import { sequenceTokens } from '../../src/lexical/words/identifiers.ts';
import { eachRun, TokenWriter } from '../../src/lexical/words/tokens.ts';
import { isUnspaced } from '../../src/lexical/words/unspaced.ts';
import { termOf } from '../../src/search/matching/lexical-query.ts';
import { Database } from '../../src/store/database.ts';
import { Chance } from '../support/chance.ts';

let folder: string;
let db: Database;
let index: SegmentedIndex;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portolan-segments-'));
  db = Database.forWriting(join(folder, 'index.db'), `${CATALOG_SCHEMA}${LEXICAL_SCHEMA}`, 1);
  index = new SegmentedIndex(db);
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

function tokensOfTexts(texts: Partial<Record<Field, string>>): PassageTokens {
  const fields = FIELDS.map((field) => {
    const writer = new TokenWriter();
    writer.write(texts[field] ?? '');
    return writer.bytes.subarray(0, writer.length);
  });
  return { bytes: Buffer.concat(fields), lengths: fields.map((field) => field.length) };
}

/** Adds a passage with texts by field, of session 1 unless told. */
function add(id: number, texts: Partial<Record<Field, string>>, session = 1): void {
  db.run(
    `INSERT INTO passages (id, session, turn, chunk, first_part, from_char, last_part, to_char, flags, bytes)
     VALUES (?, ?, 1, 0, 0, 0, 0, 0, 0, 0)`,
    id,
    session,
  );
  index.add(id, tokensOfTexts(texts), session);
}

function addSession(id: number, source: string): void {
  db.run(
    `INSERT INTO sessions (id, revision, key, source, native_id, kind, path, more) VALUES (?, 1, ?, ?, ?, 'transcript', '', '{}')`,
    id,
    `${source}:${id}`,
    source,
    String(id),
  );
}

const word = (text: string, options: { prefix?: boolean; fields?: Field[] } = {}): LexicalQuery => ({
  type: 'term',
  term: termOf({ text, prefix: options.prefix ?? false })!,
  ...(options.fields && { fields: options.fields }),
});
function phrase(text: string): LexicalQuery {
  const tokens: string[] = [];
  eachRun(text, (start, end) => tokens.push(...sequenceTokens(text.slice(start, end))));
  // The last character of a text without spaces stands alone only where the text ends.
  return { type: 'term', term: { alternatives: [isUnspaced(text) ? tokens.slice(0, -1) : tokens], prefix: false } };
}
const all = (...of: LexicalQuery[]): LexicalQuery => ({ type: 'all', of });
const any = (...of: LexicalQuery[]): LexicalQuery => ({ type: 'any', of });
const but = (of: LexicalQuery, not: LexicalQuery): LexicalQuery => ({ type: 'but', of, not });

const found = (query: LexicalQuery, filter?: PassageFilter, k = 100) =>
  index
    .search(query, filter, k)
    .hits.map((hit) => hit.passage)
    .sort((a, b) => a - b);

describe('adding, replacing and removing', () => {
  it('finds what was added, with a score above zero', () => {
    add(1, { prompt: 'the lamp is out' });
    add(2, { answer: 'the rope is new' });
    expect(index.search(word('lamp'), undefined, 10)).toEqual({
      hits: [{ passage: 1, score: expect.any(Number) }],
      total: 1,
      relation: 'eq',
    });
    expect(index.search(word('lamp'), undefined, 10).hits[0]!.score).toBeGreaterThan(0);
  });

  it('finds a word that stands in every passage, and in the only one', () => {
    add(1, { prompt: 'lamp' });
    expect(found(word('lamp'))).toEqual([1]);
    expect(index.search(word('lamp'), undefined, 10).hits[0]!.score).toBeGreaterThan(0);
    add(2, { prompt: 'lamp' });
    for (const { score } of index.search(word('lamp'), undefined, 10).hits) expect(score).toBeGreaterThan(0);
  });

  it('forgets what was removed: its postings, its frequencies, its terms', () => {
    add(1, { prompt: 'lamp rope' });
    add(2, { prompt: 'lamp' });
    index.remove([1]);
    expect(found(word('rope'))).toEqual([]);
    expect(found(word('lamp'))).toEqual([2]);
    expect(index.search(any(word('lamp'), word('rope')), undefined, 10).total).toBe(1);
    index.maintain(1 << 20);
    expect(index.documentFrequency('rope')).toBe(0);
    expect(index.documentFrequency('lamp')).toBe(1);
    expect(index.terms('ro', 10)).toEqual([]);
  });

  /** Segments of so many words each, hardly merged. */
  function writeSegments(slow: SegmentedIndex, count: number, words: number) {
    for (let i = 1; i <= count; i++)
      db.transaction(() => {
        const text = Array.from({ length: words }, (_, n) => `lamp n${i} w${n}`).join(' ');
        slow.add(i, tokensOfTexts({ prompt: text }), 1);
        slow.flush();
      });
    const segments = () => db.rows<{ state: number }>('SELECT state FROM lexical_segments').map(({ state }) => state);
    expect(segments().length).toBeGreaterThan(20);
    return segments;
  }

  it.each([
    [
      'at rest',
      1,
      (slow: SegmentedIndex) => {
        while (slow.rest()) expect(db.isInTransaction).toBe(false);
      },
    ],
    [
      'at the end of a run that wrote much',
      3000,
      (slow: SegmentedIndex) => {
        expect(slow.settle()).toBe(true);
      },
    ],
  ] as const)('is merged on %s, until few segments are left and nothing is under way', (_, words, merge) => {
    const slow = new SegmentedIndex(db, 1);
    const segments = writeSegments(slow, 70, words);
    merge(slow);
    expect(segments().length).toBeLessThanOrEqual(12);
    expect(new Set(segments())).toEqual(new Set([SegmentState.used]));
    expect(slow.search(word('lamp'), undefined, 100).total).toBe(70);
    expect(found(word('n33'))).toEqual([33]);
  });

  it('is not merged on at the end of a run that wrote a few lines: what is due is left to rest and to longer runs', () => {
    const slow = new SegmentedIndex(db, 1);
    const before = writeSegments(slow, 70, 1)();
    expect(slow.settle()).toBe(false);
    expect(db.rows('SELECT state FROM lexical_segments')).toHaveLength(before.length);
    slow.rest();
    expect(db.rows('SELECT state FROM lexical_segments').length).toBeLessThan(before.length);
  });

  it('replaces a passage under the same id', () => {
    add(1, { prompt: 'lamp' });
    index.remove([1]);
    index.add(1, tokensOfTexts({ answer: 'buoy' }));
    expect(found(word('lamp'))).toEqual([]);
    expect(found(word('buoy'))).toEqual([1]);
  });

  it('bears the removal of what is not there', () => {
    add(1, { prompt: 'lamp' });
    index.remove([7, 8]);
    index.remove([]);
    expect(found(word('lamp'))).toEqual([1]);
  });

  it('undoes both with the transaction', () => {
    add(1, { prompt: 'lamp' });
    index.flush();
    expect(() =>
      db.transaction(() => {
        index.remove([1]);
        index.add(2, tokensOfTexts({ prompt: 'rope' }));
        index.flush();
        index.add(3, tokensOfTexts({ prompt: 'rope' }));
        throw new Error('no');
      }),
    ).toThrow('no');
    index.discard();
    expect(found(any(word('lamp'), word('rope')))).toEqual([1]);
  });
});

describe('queries', () => {
  beforeEach(() => {
    add(1, { title: 'lamp', prompt: 'the red buoy' });
    add(2, { prompt: 'the lamp and the rope' });
    add(3, { answer: 'a rope, a buoy, a lamp' });
    add(4, { output: 'getUserName failed', paths: 'src/auth/session.ts' });
    add(5, { tools: 'user_name is get' });
  });

  it.each<[name: string, query: LexicalQuery, passages: number[]]>([
    ['a word', word('lamp'), [1, 2, 3]],
    ['a word that is nowhere', word('anchor'), []],
    ['all of two words', all(word('lamp'), word('rope')), [2, 3]],
    ['all of a word and one that is nowhere', all(word('lamp'), word('anchor')), []],
    ['any of two words', any(word('rope'), word('buoy')), [1, 2, 3]],
    ['any of a word and one that is nowhere', any(word('rope'), word('anchor')), [2, 3]],
    ['one but another', but(word('lamp'), word('rope')), [1]],
    ['one but one that is nowhere', but(word('lamp'), word('anchor')), [1, 2, 3]],
    ['any but any', but(any(word('rope'), word('lamp')), any(word('title'), word('red'))), [2, 3]],
    ['all of any', all(any(word('red'), word('rope')), word('buoy')), [1, 3]],
    ['a phrase', phrase('a rope a buoy'), [3]],
    ['a phrase in another order', phrase('buoy rope'), []],
    ['a phrase never runs across fields', phrase('lamp the'), []],
    ['a beginning', word('ro', { prefix: true }), [2, 3]],
    ['a beginning that is a whole word', word('rope', { prefix: true }), [2, 3]],
    ['a beginning that is nowhere', word('rox', { prefix: true }), []],
    ['a word in a field', word('lamp', { fields: ['title'] }), [1]],
    ['a word in any of two fields', word('lamp', { fields: ['title', 'answer'] }), [1, 3]],
    ['a word in a field that has not got it', word('lamp', { fields: ['output'] }), []],
    ['all in a field', all(word('lamp', { fields: ['prompt'] }), word('rope', { fields: ['prompt'] })), [2]],
    ['a part of an identifier', word('name'), [4, 5]],
    ['an identifier whole', { type: 'term', term: { alternatives: [['getusername']], prefix: false } }, [4]],
    ['a name of a path', phrase('session.ts'), [4]],
    ['nothing', all(), []],
    ['any of nothing', any(), []],
    ['a word without tokens', { type: 'term', term: { alternatives: [[]], prefix: false } }, []],
  ])('%s', (_, query, passages) => {
    expect(found(query)).toEqual(passages);
    expect(index.search(query, undefined, 100).total).toBe(passages.length);
  });

  it('finds an identifier as a phrase in either spelling, and what follows it', () => {
    add(30, { prompt: 'then getUserName failed twice' });
    add(31, { prompt: 'then get user name failed twice' });
    for (const text of ['then get user', 'user name failed twice']) expect(found(phrase(text))).toEqual([30, 31]);
    expect(found({ type: 'term', term: { alternatives: [['then', 'getusername']], prefix: false } })).toEqual([30]);
  });

  it('finds a commit by its whole name and by its beginning', () => {
    const commit = '9fceb02d0ae598e95dc970b74767f19372d61af8';
    add(32, { output: `commit ${commit}` });
    expect(found(word(commit))).toEqual([32]);
    expect(found(word(commit.slice(0, 7)))).toEqual([32]);
    expect(found(word('9fceb03'))).toEqual([]);
  });

  it('puts what people said before what machines printed', () => {
    add(10, { output: 'anchor' });
    add(11, { title: 'anchor' });
    add(12, { prompt: 'anchor' });
    add(13, { answer: 'anchor' });
    expect(index.search(word('anchor'), undefined, 10).hits.map((hit) => hit.passage)).toEqual([11, 12, 13, 10]);
  });

  it('takes words of the engine’s own language for words', () => {
    add(20, { prompt: 'AND OR NOT NEAR column' });
    for (const text of ['and', 'or', 'not', 'near', 'column']) expect(found(word(text))).toContain(20);
  });

  it('takes tokens of every script', () => {
    add(21, { prompt: '数据库连接 журнал größe 서울시 🚀' });
    for (const text of ['数据', 'журнал', 'grosse', '서울']) expect(found(word(text))).toEqual([21]);
    expect(found(phrase('据库连'))).toEqual([21]);
    expect(found(phrase('据连'))).toEqual([]);
  });
});

describe('the cut', () => {
  it('gives the best k and says that there may be more', () => {
    for (let i = 1; i <= 50; i++) add(i, { prompt: `lamp ${'filler '.repeat(i)}` });
    const { hits, total, relation } = index.search(word('lamp'), undefined, 5);
    expect(hits.map((hit) => hit.passage)).toEqual([1, 2, 3, 4, 5]);
    expect([total, relation]).toEqual([50, 'eq']);
    expect(index.search(word('lamp'), undefined, 51)).toMatchObject({ total: 50, relation: 'eq' });
    expect(hits.map((hit) => hit.score)).toEqual([...hits.map((hit) => hit.score)].sort((a, b) => b - a));
  });

  it('comes after the filter', () => {
    addSession(1, 'claude-code');
    addSession(2, 'codex');
    for (let i = 1; i <= 200; i++) add(i, { prompt: 'lamp' }, 1);
    add(201, { prompt: `lamp ${'filler '.repeat(400)}` }, 2);
    const filter: PassageFilter = { sql: 's.source = ?', values: ['codex'] };
    expect(index.search(word('lamp'), filter, 3)).toMatchObject({ hits: [{ passage: 201 }], total: 1 });
    const others: PassageFilter = { sql: 's.source = ?', values: ['claude-code'] };
    expect(index.search(word('lamp'), others, 300).total).toBe(200);
    expect(index.search(word('lamp'), { sql: 's.source = ?', values: ['devin'] }, 3)).toMatchObject({
      hits: [],
      total: 0,
    });
  });
});

describe('a damaged file', () => {
  it('is told to be one, or answers; nothing else is thrown', () => {
    addSession(1, 'claude-code');
    for (let i = 1; i <= 400; i++)
      add(i, { prompt: `lamp ${'rope '.repeat(i % 5)} n${i} the buoy`, answer: `n${i % 50}` });
    index.flush();
    const chance = new Chance(1);
    const tables = [
      ['lexical_rows', 'data'],
      ['lexical_terms', 'leaf'],
      ['lexical_lengths', 'codes'],
      ['lexical_sessions', 'runs'],
    ] as const;
    let told = 0;
    for (let round = 0; round < 300; round++) {
      const [table, column] = chance.of(tables);
      db.exec('BEGIN');
      const rows = db.rows<{ bytes: Uint8Array }>(`SELECT ${column} AS bytes FROM ${table}`);
      const bytes = chance.of(rows).bytes.slice();
      const damaged = bytes.slice();
      for (let n = 1 + chance.below(40); n > 0; n--) damaged[chance.below(damaged.length)] = chance.below(256);
      db.run(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`, damaged, bytes);
      for (const query of [
        any(word('lamp'), word('rope')),
        all(word('lamp'), word('the')),
        phrase('the buoy'),
        word('n', { prefix: true }),
      ])
        try {
          index.search(
            query,
            { sql: 's.id = 1', values: [], ofSessions: { need: { sql: 's.id = 1', values: [] } } },
            10,
          );
        } catch (error) {
          told++;
          expect(String(error)).toMatch(/malformed/);
        }
      db.exec('ROLLBACK');
    }
    expect(told).toBeGreaterThan(0);
  });
});

describe('what is remembered', () => {
  const readAgain = () => {
    const reader = new SegmentedIndex(Database.forReading(join(folder, 'index.db')));
    return (text: string) => reader.search(word(text), undefined, 10).hits.map((hit) => hit.passage);
  };

  it('does not outlive what is removed, replaced or merged', () => {
    const ask = readAgain();
    for (let i = 1; i <= 40; i++) {
      db.transaction(() => {
        add(i, { prompt: `lamp n${i}` });
        index.flush();
      });
      expect(ask('lamp').includes(i) || i > 10).toBe(true);
    }
    expect(ask('n7')).toEqual([7]);
    db.transaction(() => index.remove([7]));
    expect(ask('n7')).toEqual([]);
    db.transaction(() => {
      db.run('DELETE FROM passages WHERE id = 7');
      add(7, { prompt: 'buoy n8' });
      index.flush();
    });
    expect(ask('n8')).toEqual([7, 8]);
    db.transaction(() => index.maintain(1 << 20));
    expect(ask('n7')).toEqual([]);
    expect(ask('n8')).toEqual([7, 8]);
  });

  it('is nothing of a transaction that is undone', () => {
    db.exec('BEGIN');
    add(1, { prompt: 'lamp one' });
    index.flush();
    expect(found(word('lamp'))).toEqual([1]);
    db.exec('ROLLBACK');
    index.discard();
    db.transaction(() => {
      add(1, { prompt: 'rope one' });
      index.flush();
    });
    expect(found(word('lamp'))).toEqual([]);
    expect(found(word('rope'))).toEqual([1]);
  });

  it('is read once: the same question again reads no row of postings, lengths or terms', () => {
    for (let i = 1; i <= 300; i++) add(i, { prompt: `lamp n${i % 7}`, answer: 'the buoy' });
    index.flush();
    found(any(word('lamp'), word('n3')));
    const asked: string[] = [];
    const row = db.row.bind(db);
    const rows = db.rows.bind(db);
    db.row = ((sql: string, ...values: never[]) => {
      asked.push(sql);
      return row(sql, ...values);
    }) as typeof db.row;
    db.rows = ((sql: string, ...values: never[]) => {
      asked.push(sql);
      return rows(sql, ...values);
    }) as typeof db.rows;
    found(any(word('lamp'), word('n3')));
    expect(asked.filter((sql) => !sql.includes('lexical_segments'))).toEqual([]);
  });
});

describe('terms', () => {
  it('are told by their beginning, the most frequent first', () => {
    add(1, { prompt: 'migrate migration' });
    add(2, { prompt: 'migration mild' });
    add(3, { answer: 'migration' });
    expect(index.terms('mig', 10)).toEqual(['migration', 'migrate']);
    expect(index.terms('mi', 1)).toEqual(['migration']);
    expect(index.terms('zz', 10)).toEqual([]);
    expect(index.documentFrequency('migration')).toBe(3);
    expect(index.documentFrequency('nowhere')).toBe(0);
    const terms = ['zebra', 'migration', 'nowhere', '', 'lamp', 'migrate', 'aaa', 'migration', '数据'];
    expect(index.documentFrequencies(terms)).toEqual(terms.map((term) => index.documentFrequency(term)));
  });
});
