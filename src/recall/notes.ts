import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { type Home, makeHome } from '../home/paths.ts';
import { redactText } from '../redact/redact.ts';

/**
 * What a person marked: a turn, or a whole session where there is no anchor. It is named by the session's id and the
 * turn's anchor, which better parsing does not change.
 */
export interface Marked {
  readonly session: string;
  readonly anchor?: string;
}

export interface Star extends Marked {
  /** When it was starred, epoch milliseconds. */
  readonly at: number;
  /** What it is about: a title, in the words it had then. */
  readonly text?: string;
}

/** A line of `notes.jsonl`. */
interface Row extends Marked {
  readonly type: 'star' | 'unstar';
  readonly at: string;
  readonly text?: string;
}

const NEWLINE = 0x0a;

/** A name for what is marked, for maps and sets. */
export const markOf = ({ session, anchor }: Marked) => `${session}\n${anchor ?? ''}`;

/** Stars something. It is on the disk when this returns. @throws where its folder is read-only */
export function star(home: Home, marked: Marked, text: string | undefined, now: number): void {
  append(home, {
    type: 'star',
    at: new Date(now).toISOString(),
    ...named(marked),
    ...(text !== undefined && { text: redactText(text).text }),
  });
}

/** Takes a star away again. @throws where its folder is read-only */
export function unstar(home: Home, marked: Marked, now: number): void {
  append(home, { type: 'unstar', at: new Date(now).toISOString(), ...named(marked) });
}

/** What is starred now, the newest first. Lines that cannot be read are passed over: a torn one is the end of a crash. */
export function starsIn(home: Home): Star[] {
  const stars = new Map<string, Star>();
  for (const line of linesOf(home)) {
    const row = rowOf(line);
    if (!row) continue;
    stars.delete(markOf(row));
    const at = Date.parse(row.at);
    if (row.type === 'star')
      stars.set(markOf(row), { ...named(row), at, ...(row.text !== undefined && { text: row.text }) });
  }
  return [...stars.values()].sort((a, b) => b.at - a.at);
}

/** Takes every line about these sessions out of the file, whatever it says. @throws where its folder is read-only */
export function forgetNotesOf(home: Home, sessions: ReadonlySet<string>): void {
  const lines = linesOf(home);
  const kept = lines.filter((line) => {
    const row = rowOf(line);
    // A line that cannot be read may be about any session.
    return row !== undefined && !sessions.has(row.session);
  });
  if (kept.length === lines.length) return;
  const fresh = `${home.notes}.${process.pid}`;
  writeFileSync(fresh, kept.map((line) => `${line}\n`).join(''), { mode: 0o600, flush: true });
  renameSync(fresh, home.notes);
}

const named = ({ session, anchor }: Marked): Marked => ({ session, ...(anchor !== undefined && { anchor }) });

/** One write a row, so that two programs do not tear each other's; after a torn line it begins a new one. */
function append(home: Home, row: Row): void {
  makeHome(home);
  const file = openSync(home.notes, 'a+', 0o600);
  try {
    const { size } = fstatSync(file);
    const last = Buffer.alloc(1);
    const isTorn = size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
    writeSync(file, `${isTorn ? '\n' : ''}${JSON.stringify(row)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function linesOf(home: Home): string[] {
  try {
    return readFileSync(home.notes, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}

function rowOf(line: string): Row | undefined {
  try {
    const row: unknown = JSON.parse(line);
    return isRow(row) ? row : undefined;
  } catch {
    return undefined;
  }
}

function isRow(row: unknown): row is Row {
  if (typeof row !== 'object' || row === null) return false;
  const { type, at, session, anchor, text } = row as Record<string, unknown>;
  const isText = (value: unknown) => value === undefined || typeof value === 'string';
  return (
    (type === 'star' || type === 'unstar') &&
    typeof at === 'string' &&
    !Number.isNaN(Date.parse(at)) &&
    typeof session === 'string' &&
    isText(anchor) &&
    isText(text)
  );
}
