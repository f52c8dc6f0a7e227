import type { Checkpoint, SessionFacts } from '../agents/source.ts';
import type { Archive } from './archive.ts';
import { openBody, packChunk, sealBody } from './bodies.ts';
import type { ChunkBody } from './delta.ts';
import { isMask, placeOf } from './mask.ts';

/** How what is kept is to be written: a value as it is to be from now on, the same one where it is right already. */
export interface Rewriting {
  text(text: string): string;
  path(path: string): string;
  body(body: ChunkBody): { readonly value: ChunkBody; readonly count: number };
  deep<T>(value: T): T;
  /** The beginning of a prompt that is kept beside the turn. */
  preview(text: string): string;
}

/** Units that something else than this reader's stamp wrote: the low 32 bits of what is noted for each. */
export function unitsOtherThan(archive: Archive, stamp: number): { readonly id: number; readonly reader: number }[] {
  return archive.db.rows('SELECT id, reader FROM units WHERE reader % 4294967296 <> ?', stamp);
}

/**
 * Writes anew what is kept of a unit and its sessions. It gives the bytes that it looked at after each chunk, so that its
 * caller may commit: what it was through with stays, and to begin again costs only looking.
 */
export function* rewriteUnit(
  archive: Archive,
  unit: { readonly id: number; readonly reader: number },
  stamp: number,
  writing: Rewriting,
): Generator<number> {
  const sessions = archive.db.rows<{ id: number }>('SELECT id FROM sessions WHERE unit = ?', unit.id);
  for (const { id } of sessions) {
    const prompts = new Map<number, string>();
    yield* rewriteChunks(archive, id, writing, prompts);
    rewriteSession(archive, id, writing, prompts);
  }
  rewriteNotes(archive, unit.id, writing);
  archive.db.run('UPDATE units SET reader = ? WHERE id = ?', unit.reader - (unit.reader % 2 ** 32) + stamp, unit.id);
}

/** Writes the chunks of a session; `prompts` is given what the person said first in each turn. */
function* rewriteChunks(
  archive: Archive,
  session: number,
  writing: Rewriting,
  prompts: Map<number, string>,
): Generator<number> {
  const { db } = archive;
  const keys = db.rows<{ turn: number; chunk: number }>(
    'SELECT turn, chunk FROM chunks WHERE session = ? ORDER BY turn, chunk',
    session,
  );
  for (const { turn, chunk } of keys) {
    const row = db.row<{ first: number; body: Uint8Array; kept: number }>(
      'SELECT first, body, kept FROM chunks WHERE session = ? AND turn = ? AND chunk = ?',
      session,
      turn,
      chunk,
    );
    const place = { session, turn, chunk, first: row?.first ?? 0 };
    const body = row && openBody(row.body, place);
    if (!body) continue;
    const { value, count } = writing.body(body);
    const said = value.parts.find((part) => part.type === 'text' && part.role === 'user');
    if (said?.type === 'text' && !prompts.has(turn)) prompts.set(turn, said.text);
    if (value !== body) {
      const { packed, kept } = packChunk(value);
      db.run(
        'UPDATE chunks SET body = ?, kept = ? WHERE session = ? AND turn = ? AND chunk = ?',
        sealBody(packed, place),
        kept,
        session,
        turn,
        chunk,
      );
      db.run('UPDATE sessions SET secrets = secrets + ?, revision = revision + 1 WHERE id = ?', count, session);
    }
    yield row.kept;
  }
}

/** Writes what is kept of a session besides its chunks. What was cut from a prompt is cut from it again. */
function rewriteSession(archive: Archive, id: number, writing: Rewriting, prompts: ReadonlyMap<number, string>): void {
  const { db } = archive;
  const first = [...prompts.values()][0];
  const session = db.row<{ facts: string; first_prompt: string | null }>(
    'SELECT facts, first_prompt FROM sessions WHERE id = ?',
    id,
  );
  if (!session) return;
  const facts = JSON.stringify(writing.deep(JSON.parse(session.facts) as SessionFacts));
  const prompt = session.first_prompt === null ? null : writing.preview(first ?? session.first_prompt);
  if (facts !== session.facts || prompt !== session.first_prompt)
    db.run('UPDATE sessions SET facts = ?, first_prompt = ?, revision = revision + 1 WHERE id = ?', facts, prompt, id);
  for (const turn of db.rows<{ turn: number; prompt: string; anchor: string }>(
    'SELECT turn, prompt, anchor FROM turns WHERE session = ? AND prompt IS NOT NULL',
    id,
  )) {
    const preview = writing.preview(prompts.get(turn.turn) ?? turn.prompt);
    if (preview === turn.prompt) continue;
    db.run('UPDATE turns SET prompt = ? WHERE session = ? AND turn = ?', preview, id, turn.turn);
    db.run('UPDATE sessions SET revision = revision + 1 WHERE id = ?', id);
  }
  for (const { leaf, text } of db.rows<{ leaf: number; text: string }>(
    'SELECT leaf, text FROM summaries WHERE session = ?',
    id,
  )) {
    const clean = writing.text(text);
    if (clean !== text) db.run('UPDATE summaries SET text = ? WHERE leaf = ? AND session = ?', clean, leaf, id);
  }
}

/** Writes what is noted of a unit: where it lies, what its reader would go on with, what it could not read. */
function rewriteNotes(archive: Archive, id: number, writing: Rewriting): void {
  const row = archive.db.row<{
    source: string;
    path: string;
    checkpoint: string | null;
    failures: string | null;
    unknown: string | null;
  }>('SELECT source, path, checkpoint, failures, unknown FROM units WHERE id = ?', id);
  if (!row) return;
  const again = (json: string | null) => (json === null ? null : JSON.stringify(writing.deep(JSON.parse(json))));
  const checkpoint = row.checkpoint === null ? undefined : (JSON.parse(row.checkpoint) as Checkpoint);
  const clean = isMask(row.path) ? row.path : writing.path(row.path);
  const place = archive.placeOf(id) ?? placeOf(row.path);
  const path = archive.freePath(row.source, clean, place, id);
  if (path !== row.path) archive.db.run('INSERT OR IGNORE INTO places (unit, place) VALUES (?, ?)', id, place);
  archive.db.run(
    'UPDATE units SET path = ?, checkpoint = ?, failures = ?, unknown = ? WHERE id = ?',
    path,
    checkpoint === undefined ? null : JSON.stringify({ ...checkpoint, state: writing.deep(checkpoint.state) }),
    again(row.failures),
    again(row.unknown),
    id,
  );
}
