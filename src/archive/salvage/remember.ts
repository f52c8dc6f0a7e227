import type { SessionFacts } from '../../agents/source.ts';
import type { Database } from '../../store/database.ts';
import { Withheld } from '../withheld.ts';
import { keepPlace, unitAt } from './placeholders.ts';

/** A session as another witness than the archive knows it. */
export interface KnownSession {
  readonly id: number;
  /** Of the archive that the witness speaks of. */
  readonly revision: number;
  readonly key: string;
  readonly source: string;
  readonly nativeId: string;
  readonly path: string;
  readonly facts: SessionFacts;
  readonly firstPrompt?: string;
  readonly started?: number;
  readonly ended?: number;
  readonly turns: readonly {
    readonly turn: number;
    readonly anchor: string;
    readonly started?: number;
    readonly ended?: number;
    readonly prompt?: string;
  }[];
  readonly chunks: readonly { readonly turn: number; readonly chunk: number }[];
}

/**
 * Puts what a witness knows of a session where the archive has lost it: the session itself, the beginnings of its prompts, and
 * the places of bodies that are gone. What the archive has is left as it is, and what was forgotten stays so.
 */
export function remember(db: Database, known: KnownSession): void {
  if (new Withheld(db).has(known.key)) return;
  const held = db.row<{ id: number; revision: number }>('SELECT id, revision FROM sessions WHERE key = ?', known.key);
  // The witness is behind: what it knows may have been replaced since.
  if (held && held.revision > known.revision) return;
  const id = held?.id ?? newSession(db, known);
  for (const { turn, anchor, started = null, ended = null, prompt = null } of known.turns)
    db.run(
      `INSERT OR IGNORE INTO turns (session, turn, anchor, started, ended, prompt, records) VALUES (?, ?, ?, ?, ?, ?, x'')`,
      id,
      turn,
      anchor,
      started,
      ended,
      prompt,
    );
  for (const { turn, chunk } of known.chunks) keepPlace(db, id, turn, chunk);
}

function newSession(db: Database, known: KnownSession): number {
  const { key, source, nativeId, facts, firstPrompt = null, started = null, ended = null } = known;
  const isFree = db.row('SELECT 1 FROM sessions WHERE id = ?', known.id) === undefined;
  return db.run(
    `INSERT INTO sessions (id, key, source, native_id, unit, kind, facts, turns, started, ended, first_prompt, revision)
     VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?)`,
    // What else is known of it is known by its number.
    isFree ? known.id : null,
    key,
    source,
    nativeId,
    unitAt(db, source, known.path),
    facts.kind ?? 'transcript',
    JSON.stringify(facts),
    started,
    ended,
    firstPrompt,
    known.revision,
  ).id;
}
