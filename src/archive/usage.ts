import type { Database } from '../store/database.ts';
import type { Call, Limit } from '../transcript/index.ts';

const FIGURES = ['at', 'input', 'cache_read', 'cache_write_5m', 'cache_write_1h', 'output', 'reasoning'];
const HAS_MORE = `(excluded.output IS NOT NULL OR excluded.input IS NOT NULL)
  AND coalesce(output, -1) < coalesce(excluded.output, 0)`;

const KEEP_CALL = `
  INSERT INTO sightings (session, key, turn, model, at, input, cache_read, cache_write_5m, cache_write_1h, output,
    reasoning, web_searches, context_window, reported_cost) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (session, key) DO UPDATE SET
    web_searches = max(coalesce(web_searches, 0), coalesce(excluded.web_searches, 0)),
    model = coalesce(excluded.model, model),
    ${FIGURES.map((figure) => `${figure} = CASE WHEN ${HAS_MORE} THEN excluded.${figure} ELSE ${figure} END`).join(', ')}`;

/** Keeps a sighting of a call: its figures are those of the one with the largest output. */
export function keepCall(db: Database, session: number, call: Call): void {
  db.run(
    KEEP_CALL,
    session,
    call.key,
    call.turn,
    call.model ?? null,
    call.at ?? null,
    call.input ?? null,
    call.cacheRead ?? null,
    call.cacheWrite5m ?? null,
    call.cacheWrite1h ?? null,
    call.output ?? null,
    call.reasoning ?? null,
    call.webSearches ?? null,
    call.contextWindow ?? null,
    call.reportedCost ?? null,
  );
}

/** Keeps what was used of the account's limits at a time. */
export function keepLimit(db: Database, session: number, { at, plan, primary, secondary }: Limit): void {
  db.run(
    `INSERT OR REPLACE INTO limits (session, at, plan, primary_used, primary_window, primary_resets,
       secondary_used, secondary_window, secondary_resets) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    session,
    at,
    plan ?? null,
    primary?.usedPercent ?? null,
    primary?.windowMinutes ?? null,
    primary?.resetsAt ?? null,
    secondary?.usedPercent ?? null,
    secondary?.windowMinutes ?? null,
    secondary?.resetsAt ?? null,
  );
}
