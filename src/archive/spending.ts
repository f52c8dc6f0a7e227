import type { Database } from '../store/database.ts';
import type { Spent } from '../transcript/index.ts';
import { type RawTokens, tokensOf } from './rows.ts';

const FIGURES = ['input', 'cache_read', 'cache_write_5m', 'cache_write_1h', 'output', 'reasoning'] as const;

type Row = 'old' | 'new';

/** A call of which the agent said nothing cost nothing that we know of. */
const isCounted = (row: Row | 'sightings') => `(${row}.input IS NOT NULL OR ${row}.output IS NOT NULL)`;
const modelOf = (row: Row) => `coalesce(${row}.model, 'unknown')`;

const ADD = `
  INSERT INTO spending (session, model, calls, ${FIGURES.join(', ')})
    SELECT new.session, ${modelOf('new')}, 1, ${FIGURES.map((figure) => `coalesce(new.${figure}, 0)`).join(', ')}
    WHERE ${isCounted('new')}
    ON CONFLICT (session, model) DO UPDATE SET calls = calls + 1,
      ${FIGURES.map((figure) => `${figure} = ${figure} + excluded.${figure}`).join(', ')};`;
const SUBTRACT = `
  UPDATE spending SET calls = calls - 1,
      ${FIGURES.map((figure) => `${figure} = ${figure} - coalesce(old.${figure}, 0)`).join(', ')}
    WHERE session = old.session AND model = ${modelOf('old')} AND ${isCounted('old')};`;

/** Sums over the sightings of calls, kept by triggers: a session's calls are not added up again for one more. */
export const SPENDING = `
CREATE TABLE IF NOT EXISTS spending (
  session INTEGER NOT NULL, model TEXT NOT NULL,
  calls INTEGER NOT NULL, ${FIGURES.map((figure) => `${figure} INTEGER NOT NULL`).join(', ')},
  PRIMARY KEY (session, model)
) WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS sightings_added AFTER INSERT ON sightings BEGIN ${ADD} END;
CREATE TRIGGER IF NOT EXISTS sightings_changed AFTER UPDATE OF model, ${FIGURES.join(', ')} ON sightings
  BEGIN ${SUBTRACT} ${ADD} END;
CREATE TRIGGER IF NOT EXISTS sightings_taken AFTER DELETE ON sightings BEGIN ${SUBTRACT} END;
`;

/** Adds up what an archive without the sums holds. */
export const SPENDING_OF_BEFORE = `
INSERT INTO spending (session, model, calls, ${FIGURES.join(', ')})
  SELECT session, coalesce(model, 'unknown'), count(*), ${FIGURES.map((figure) => `coalesce(sum(${figure}), 0)`).join(', ')}
  FROM sightings WHERE ${isCounted('sightings')} GROUP BY 1, 2;
`;

/** What all copies of calls in a session cost, by model. */
export function spendingOf(db: Database, session: number): Record<string, Spent> {
  const rows = db.rows<RawTokens & { model: string; calls: number }>(
    'SELECT * FROM spending WHERE session = ? AND calls > 0',
    session,
  );
  return Object.fromEntries(rows.map(({ model, calls, ...row }) => [model, { calls, tokens: tokensOf(row) }]));
}
