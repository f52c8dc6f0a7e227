import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Where } from '../../transcript/index.ts';
import { type Fields, number, text, time } from '../fields.ts';
import { statOf } from '../folders.ts';
import { readForeignDatabase } from '../foreign-database.ts';
import { NotShownCounter } from '../not-shown.ts';
import { fileOf, rowKey, rowUnit } from '../rows.ts';
import { type Said, SessionTeller } from '../session-teller.ts';
import type { SnapshotReader } from '../snapshot.ts';
import type { SourceEvent, Unit } from '../source.ts';

/** The sessions that have turns: how many, and how long the last answer is, tell besides the session's own time. */
const SESSIONS = `
SELECT s.id, s.updated_at, count(t.id) AS turns, sum(length(t.assistant_response)) AS length
FROM sessions s JOIN turns t ON t.session_id = s.id GROUP BY s.id`;
const TURN = 4096;

/**
 * The sessions of the store whose own files are gone, each a unit: what was asked and what was answered is all that the
 * store has of them. @throws ForeignDatabaseError
 */
export function rows(listing: Unit): Unit[] {
  const folder = join(dirname(listing.path), 'session-state');
  const hasFile = (id: string) => statOf(join(folder, id, 'events.jsonl')) ?? statOf(join(folder, `${id}.jsonl`));
  return readForeignDatabase(listing.path, (ask) => ask(SESSIONS)).flatMap((row) => {
    const id = text(row.id);
    if (id === undefined || hasFile(id)) return [];
    const size = (number(row.turns) ?? 0) * TURN + (number(row.length) ?? 0);
    return [rowUnit(listing, id, { size, modified: time(row.updated_at) ?? 0 })];
  });
}

export interface Stored {
  readonly session: Fields;
  readonly turns: readonly Fields[];
}

/** A session of the store and its turns, in their order. @throws ForeignDatabaseError */
export function storedSession(unit: Unit): Stored {
  const id = rowKey(unit);
  return readForeignDatabase(fileOf(unit), (ask) => ({
    session: ask('SELECT * FROM sessions WHERE id = ?', id)[0] ?? { id },
    turns: ask('SELECT * FROM turns WHERE session_id = ? ORDER BY turn_index', id),
  }));
}

/** The records of a unit as they stand: turns of the store, else the lines of the file. */
export function records(unit: Unit): string[] {
  if (unit.layout !== 'store') return readFileSync(unit.path, 'utf8').split('\n');
  return storedSession(unit).turns.map((turn) => JSON.stringify(turn));
}

/** Reads what the store has of a session. */
export class StoredSession implements SnapshotReader {
  readonly events: SourceEvent[] = [];
  readonly notShown = new NotShownCounter();
  private readonly tell: SessionTeller;

  constructor(session: Fields) {
    this.tell = new SessionTeller(text(session.id) ?? 'unknown', this.events);
    const cwd = text(session.cwd);
    const branch = text(session.branch);
    const summary = text(session.summary);
    this.tell.facts({
      client: { name: 'copilot' },
      ...(cwd !== undefined && { cwd }),
      ...(branch !== undefined && { branch }),
      ...(summary !== undefined && { titles: { generated: summary } }),
    });
  }

  record(turn: Fields, where: Where): undefined {
    const said: Said = { where, at: time(turn.timestamp) };
    const question = text(turn.user_message);
    if (question !== undefined) this.tell.prompt(question, said);
    this.tell.text('assistant', text(turn.assistant_response), said);
  }
}
