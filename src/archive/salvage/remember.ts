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
 * Brings back what a witness knows of sessions that the archive has lost, in a transaction; the archive is newer than the
 * witness then.
 */
export function rememberAll(db: Database, known: Iterable<KnownSession>, changes: number): void {
  db.transaction(() => {
    for (const session of known) remember(db, session);
    db.run("INSERT OR REPLACE INTO state (name, value) VALUES ('changes', ?)", changes + 1);
  });
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
  let missing = 0;
  for (const { turn, chunk } of known.chunks) missing += keepPlace(db, id, turn, chunk);
  const isBehind = held !== undefined && held.revision < known.revision;
  const last = known.chunks.at(-1);
  // What was added since went into a chunk that is there as it was before.
  if (isBehind && missing === 0 && last) missing += keepPlace(db, id, last.turn, last.chunk + 1);
  if (missing > 0 || !held)
    db.run(
      `UPDATE units SET checkpoint = NULL, read_to = NULL, read_lines = NULL
       WHERE id = (SELECT unit FROM sessions WHERE id = ?)`,
      id,
    );
}

function newSession(db: Database, known: KnownSession): number {
  const { key, source, nativeId, facts, firstPrompt = null, started = null, ended = null } = known;
  const isFree = db.row('SELECT 1 FROM sessions WHERE id = ?', known.id) === undefined;
  return db.run(
    `INSERT INTO sessions (id, key, source, native_id, unit, kind, facts, turns, started, ended, first_prompt, revision)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    // What else is known of it is known by its number.
    isFree ? known.id : null,
    key,
    source,
    nativeId,
    unitAt(db, source, known.path),
    facts.kind ?? 'transcript',
    JSON.stringify(facts),
    Math.max(0, ...known.turns.map(({ turn }) => turn + 1)),
    started,
    ended,
    firstPrompt,
    known.revision + 1,
  ).id;
}
