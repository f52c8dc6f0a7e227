import type { Database } from '../store/database.ts';

/** How much a session holds. */
export interface Counts {
  /** Turns of which it shows something. */
  readonly turns: number;
  readonly messages: number;
  readonly toolCalls: number;
  readonly errors: number;
}

const IS_SHOWN = (row: 'old' | 'new') => `(${row}.own_parts IS NULL OR ${row}.own_parts > 0)`;

/**
 * Triggers that keep how much each session holds while its rows come and go: a session of a hundred thousand turns is not
 * counted again for a line.
 */
export const COUNTS_SCHEMA = `
CREATE TABLE IF NOT EXISTS counts (
  session INTEGER PRIMARY KEY,
  turns INTEGER NOT NULL, messages INTEGER NOT NULL, tool_calls INTEGER NOT NULL, errors INTEGER NOT NULL
);
CREATE TRIGGER chunks_counted AFTER INSERT ON chunks BEGIN
  INSERT INTO counts (session, turns, messages, tool_calls, errors)
    VALUES (new.session, 0, new.messages, new.tool_calls, new.errors)
    ON CONFLICT (session) DO UPDATE SET messages = messages + excluded.messages,
      tool_calls = tool_calls + excluded.tool_calls, errors = errors + excluded.errors;
END;
CREATE TRIGGER chunks_uncounted AFTER DELETE ON chunks BEGIN
  UPDATE counts SET messages = messages - old.messages, tool_calls = tool_calls - old.tool_calls,
    errors = errors - old.errors WHERE session = old.session;
END;
CREATE TRIGGER turns_counted AFTER INSERT ON turns WHEN ${IS_SHOWN('new')} BEGIN
  INSERT INTO counts (session, turns, messages, tool_calls, errors) VALUES (new.session, 1, 0, 0, 0)
    ON CONFLICT (session) DO UPDATE SET turns = turns + 1;
END;
CREATE TRIGGER turns_uncounted AFTER DELETE ON turns WHEN ${IS_SHOWN('old')} BEGIN
  UPDATE counts SET turns = turns - 1 WHERE session = old.session;
END;
`;

/** How much a session holds now. */
export function countsOf(db: Database, session: number): Counts {
  return (
    db.row<Counts>(
      'SELECT turns, messages, tool_calls AS toolCalls, errors FROM counts WHERE session = ?',
      session,
    ) ?? { turns: 0, messages: 0, toolCalls: 0, errors: 0 }
  );
}

/** How many turns of a session no file holds any more. */
export function supersededOf(db: Database, session: number): number {
  return db.row<{ n: number }>(
    'SELECT count(*) AS n FROM turns INDEXED BY turns_superseded WHERE session = ? AND superseded = 1',
    session,
  )!.n;
}

/** Whether no file holds anything of a session any more. */
export function isSuperseded(db: Database, session: number): boolean {
  const some = db.row('SELECT 1 FROM turns WHERE session = ? LIMIT 1', session);
  return some !== undefined && !db.row('SELECT 1 FROM turns WHERE session = ? AND superseded = 0 LIMIT 1', session);
}
