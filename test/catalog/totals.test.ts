import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Catalog } from '../../src/catalog/catalog.ts';
import { type Counts, countsOf } from '../../src/catalog/counts.ts';
import type { CatalogSession } from '../../src/catalog/listed.ts';
import { CATALOG_SCHEMA } from '../../src/catalog/schema.ts';
import { Database } from '../../src/store/database.ts';
import { Chance, times } from '../support/chance.ts';
import { temporaryFolder } from '../support/folders.ts';

const SOURCES = ['claude-code', 'codex', 'devin'] as const;
const SESSIONS = 8;
const TURNS = 5;

/** How much there is, counted. */
function counted(db: Database) {
  const one = (sql: string) => db.row<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`)!.n;
  const listed = "sessions WHERE kind = 'transcript' AND hidden = 0";
  return {
    totals: {
      sessions: one(listed),
      turns: one('turns WHERE own_parts IS NULL OR own_parts > 0'),
      passages: one('passages'),
    },
    bySource: SOURCES.map((source) => one(`${listed} AND source = '${source}'`)),
  };
}

/** How much each session holds, counted. */
function countedOf(db: Database, session: number): Counts {
  const counts = db.row<Omit<Counts, 'turns'>>(
    `SELECT coalesce(sum(messages), 0) AS messages, coalesce(sum(tool_calls), 0) AS toolCalls,
       coalesce(sum(errors), 0) AS errors FROM chunks WHERE session = ?`,
    session,
  )!;
  const shown = 'SELECT count(*) AS n FROM turns WHERE session = ? AND (own_parts IS NULL OR own_parts > 0)';
  return { turns: db.row<{ n: number }>(shown, session)!.n, ...counts };
}

describe('the totals', () => {
  it('are what counting gives, whatever is put, replaced, taken out and rolled back', () => {
    const chance = new Chance(5);
    const db = Database.forWriting(join(temporaryFolder(), 'catalog.db'), CATALOG_SCHEMA, 1);
    onTestFinished(() => db.close());
    const catalog = new Catalog(db);
    const seen = new Set<string>();
    const session = (): CatalogSession => {
      const id = 1 + chance.below(SESSIONS);
      const kind = chance.of(['transcript', 'prompts'] as const);
      // A key may pass to another id: the row that had it goes.
      const key = `${chance.below(SESSIONS)}`;
      const facts = { key, source: chance.of(SOURCES), nativeId: key, kind, hidden: chance.below(3) === 0 };
      const none = { turns: 0, messages: 0, toolCalls: 0, errors: 0, tokens: {} };
      const more = { roots: [], models: [], client: {}, pullRequests: [], pending: false };
      return { id, revision: 1, ...facts, gone: false, path: '', ...none, more };
    };
    const passage = (turn: number) => ({ turn, firstPart: 0, from: 0, lastPart: 0, to: 5, flags: 0, bytes: 5 });
    const operations = [
      () => catalog.putSession(session()),
      (id: number, turn: number) => {
        const own = chance.of([{}, { ownParts: 'none' }, { ownParts: 'some', replayOf: 1 }] as const);
        catalog.putTurn(id, { turn, anchor: 'a', rewound: false, superseded: false, ...own });
      },
      (id: number, turn: number) => {
        const chunk = chance.below(3);
        catalog.takePassages(id, turn, chunk);
        catalog.putChunk(id, turn, chunk, { messages: 1, toolCalls: chance.below(3), errors: chance.below(2) });
        for (let some = chance.below(4); some > 0; some--) catalog.putPassage({ session: id, chunk, ...passage(turn) });
      },
      (id: number, turn: number) => catalog.putTitlePassage(id, turn, 'The pier', 3),
      (id: number, turn: number) => catalog.takePassages(id, turn, chance.below(3)),
      (id: number) => chance.below(4) === 0 && catalog.takeSession(id),
      (id: number) => chance.below(4) === 0 && catalog.dropSession(id),
    ];
    for (let n = 0; n < times(400, 10_000); n++) {
      const isUndone = chance.below(5) === 0;
      db.exec('BEGIN');
      for (let i = chance.below(6); i >= 0; i--) chance.of(operations)(1 + chance.below(SESSIONS), chance.below(TURNS));
      db.exec(isUndone ? 'ROLLBACK' : 'COMMIT');
      const expected = counted(db);
      expect({ totals: catalog.totals(), bySource: SOURCES.map((source) => catalog.sessionsOf(source)) }).toEqual(
        expected,
      );
      for (let id = 1; id <= SESSIONS; id++) expect(countsOf(db, id)).toEqual(countedOf(db, id));
      seen.add(JSON.stringify(expected));
    }
    expect(seen.size).toBeGreaterThan(100);
  });
});
