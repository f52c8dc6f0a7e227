import type { Matcher } from '../../search/matching/matcher.ts';
import type { Item } from '../item.ts';
import type { Key } from '../keys.ts';
import { edit, edited, type LineEditor } from '../line-editor.ts';
import { type Document, type Fold, type Folds, isBefore, type Position } from './document.ts';
import { type Direction, errorBeyond, locate, promptBeyond, type Target } from './find.ts';
import { isScanning, type Scan, scanFrom, scanMessage, scannedOn } from './scan.ts';

/** A session, or one turn of it, being read. */
export interface Reader {
  readonly item: Item;
  readonly scope: 'session' | 'turn';
  readonly document: Document;
  /** Lines of text on the screen. */
  readonly height: number;
  readonly folds: Folds;
  readonly top: Position;
  readonly cursor: Position;
  /** What it was opened for. */
  readonly target?: Target;
  readonly matcher?: Matcher;
  /** The turns of the session that the search found, in their order. */
  readonly hits?: readonly Target[];
  readonly needle?: string;
  /** What is looked for is being typed. */
  readonly typing?: LineEditor;
  readonly scan?: Scan;
  readonly message?: string;
  /** Turns that came below since it was opened, until the last of them is reached. */
  readonly fresh?: number;
}

/** Lines of context above what was jumped to. */
const MARGIN = 3;

const ALL: readonly Fold[] = ['brief', 'some', 'full'];
const FOLD_NAMES: Readonly<Record<Fold, string>> = {
  brief: 'calls and thoughts in a line each',
  some: 'long outputs folded',
  full: 'everything unfolded',
};

export interface Opening {
  readonly item: Item;
  readonly scope: Reader['scope'];
  readonly document: Document;
  readonly height: number;
  readonly target?: Target;
  readonly matcher?: Matcher;
  readonly hits?: readonly Target[];
}

export function openReader(opening: Opening): Reader {
  const folds: Folds = { all: 'some', own: new Map() };
  const { document, target } = opening;
  const reader = { ...opening, folds, top: document.first, cursor: document.first };
  if (!target || document.pages.length === 0) return reader;
  const place = locate(document, target, opening.matcher, folds);
  return jump({ ...reader, folds: place.folds }, place.at);
}

/**
 * The reader over what its session is now. It grows at its end, so that what is on the screen stays; who has read to the end
 * sees what came.
 */
export function grown(reader: Reader, document: Document): Reader {
  const { folds, cursor, top } = reader;
  const turns = new Set(reader.document.pages.map(({ turn }) => turn));
  const came = new Set(document.pages.flatMap(({ turn }) => (turns.has(turn) ? [] : [turn]))).size;
  const next = follow({
    ...reader,
    document,
    cursor: document.clamp(cursor, folds),
    top: document.clamp(top, folds),
    ...(came > 0 && { fresh: (reader.fresh ?? 0) + came }),
  });
  return seen(next);
}

/** What came is no longer new when its last line is on the screen. */
function seen(reader: Reader): Reader {
  const { document, folds, top, height } = reader;
  if (reader.fresh === undefined) return reader;
  const isWhole = document.window(top, height + 1, folds).length <= height;
  return isWhole ? without(reader, 'fresh') : reader;
}

/** The reader after a key; undefined where it is none of its own. */
export function readKey(reader: Reader, key: Key): Reader | undefined {
  const next = keyRead(reader, key);
  return next && seen(next);
}

function keyRead(reader: Reader, key: Key): Reader | undefined {
  const calm = settled(without(reader, 'message'));
  if (reader.typing) return typed(calm, reader.typing, key);
  const { document, height, folds, cursor } = calm;
  const move = (lines: number) => follow({ ...calm, cursor: document.step(cursor, lines, folds) });
  switch (key.name) {
    case 'j':
    case 'down':
    case 'ctrl-n':
      return move(1);
    case 'k':
    case 'up':
    case 'ctrl-p':
      return move(-1);
    case ' ':
    case 'pagedown':
    case 'ctrl-f':
      return page(calm, height - 1);
    case 'b':
    case 'pageup':
    case 'ctrl-b':
      return page(calm, 1 - height);
    case 'd':
    case 'ctrl-d':
      return page(calm, height >> 1);
    case 'u':
    case 'ctrl-u':
      return page(calm, -(height >> 1));
    case 'g':
    case 'home':
      return follow({ ...calm, cursor: document.first });
    case 'G':
    case 'end':
      return follow({ ...calm, cursor: document.last(folds) });
    case ']':
      return jumped(calm, promptBeyond(document, cursor, 1), 'This is the last prompt.');
    case '[':
      return jumped(calm, promptBeyond(document, cursor, -1), 'There is no prompt above.');
    case 'e':
      return jumped(calm, errorBeyond(document, cursor, 1, folds), 'No call failed below.');
    case 'E':
      return jumped(calm, errorBeyond(document, cursor, -1, folds), 'No call failed above.');
    case 'm':
      return toMatch(calm);
    case 'o':
    case 'enter':
    case 'tab':
      return toggled(calm);
    case 'z':
      return foldedAll(calm);
    case '/':
      return { ...calm, typing: edited('') };
    case 'n':
      return next(calm, 1);
    case 'N':
      return next(calm, -1);
    default:
      return undefined;
  }
}

function typed(reader: Reader, line: LineEditor, key: Key): Reader {
  const closed = without(reader, 'typing');
  if (key.name === 'escape' || (key.name === 'backspace' && line.text === '')) return closed;
  if (key.name === 'enter') {
    const needle = line.text.trim() === '' ? reader.needle : line.text;
    return needle === undefined ? closed : sought({ ...closed, needle }, needle, 1);
  }
  return { ...reader, typing: edit(line, key) ?? line };
}

/** The next place of the text that is looked for; without one, the next turn that the search found. */
function next(reader: Reader, direction: Direction): Reader {
  const { needle, hits } = reader;
  if (needle !== undefined) return sought(reader, needle, direction);
  if (!hits || hits.length === 0) return { ...reader, message: 'Press / to find a text.' };
  const { document, cursor, matcher, folds } = reader;
  const here = document.pages[cursor.page]?.turn ?? 0;
  const beyond =
    direction > 0 ? hits.findIndex(({ turn }) => turn > here) : hits.findLastIndex(({ turn }) => turn < here);
  const at = beyond >= 0 ? beyond : direction > 0 ? 0 : hits.length - 1;
  const place = locate(document, hits[at]!, matcher, folds);
  const wrapped = beyond >= 0 ? '' : ' (wrapped around)';
  const message = `Turn ${at + 1} of ${hits.length} that match${wrapped}`;
  return jump({ ...reader, folds: place.folds, message }, place.at);
}

function sought(reader: Reader, needle: string, direction: Direction): Reader {
  const { document, cursor } = reader;
  return scanned({ ...reader, scan: scanFrom(needle, cursor, direction, document.pages.length, reader.scan) });
}

export const isLooking = ({ scan, document }: Reader): boolean => isScanning(scan, document.pages.length);

/** Looks through some more pages for the text that is looked for. */
export function scanned(reader: Reader): Reader {
  const { document, folds } = reader;
  if (!reader.scan || !isLooking(reader)) return reader;
  const { scan, place } = scannedOn(reader.scan, document, folds);
  const told = { ...reader, scan, message: scanMessage(scan, document.pages.length) };
  return place ? jump({ ...told, folds: place.folds }, place.at) : told;
}

function toMatch(reader: Reader): Reader {
  const { document, target, matcher, folds } = reader;
  if (!target) return { ...reader, message: 'It was not opened from a search.' };
  const place = locate(document, target, matcher, folds);
  return jump({ ...reader, folds: place.folds }, place.at);
}

const jumped = (reader: Reader, to: Position | undefined, otherwise: string): Reader =>
  to ? jump(reader, to) : { ...reader, message: otherwise };

/** Puts the cursor on a line, with some lines above it on the screen. */
function jump(reader: Reader, cursor: Position): Reader {
  const { document, folds } = reader;
  return follow({ ...reader, cursor, top: document.step(cursor, -MARGIN, folds) });
}

/** Scrolls by so many lines, the cursor with them. */
function page(reader: Reader, lines: number): Reader {
  const { document, folds, top, cursor } = reader;
  return follow({ ...reader, top: document.step(top, lines, folds), cursor: document.step(cursor, lines, folds) });
}

/** The screen where the cursor is on it, and no further down than the last line. */
function follow(reader: Reader): Reader {
  const { document, folds, height, cursor } = reader;
  let { top } = reader;
  if (isBefore(cursor, top)) top = cursor;
  if (document.distance(top, cursor, height, folds) >= height) top = document.step(cursor, 1 - height, folds);
  const left = document.window(top, height, folds).length;
  if (left < height) top = document.step(top, left - height, folds);
  return { ...reader, top };
}

/** Folds the part under the cursor to a line, or unfolds it. */
function toggled(reader: Reader): Reader {
  const { document, folds, cursor } = reader;
  const block = document.blockAt(cursor, folds);
  if (!block?.isFoldable) return { ...reader, message: 'Nothing to fold here: go to a tool call or a thought.' };
  const own = new Map(folds.own).set(block.key, block.fold === 'full' ? 'brief' : 'full');
  return refolded(reader, { ...folds, own }, block.key);
}

function foldedAll(reader: Reader): Reader {
  const { folds, document, cursor } = reader;
  const all = ALL[(ALL.indexOf(folds.all) + 1) % ALL.length]!;
  const changed = refolded(reader, { all, own: new Map() }, document.blockAt(cursor, folds)?.key);
  return { ...changed, message: FOLD_NAMES[all] };
}

/** Other folds, the cursor on the part it was on. */
function refolded(reader: Reader, folds: Folds, key: string | undefined): Reader {
  const { document, cursor, top } = reader;
  const block = document.page(cursor.page, folds).blocks.find((one) => one.key === key);
  const to = block ? { page: cursor.page, line: block.first } : document.clamp(cursor, folds);
  return follow({ ...reader, folds, cursor: to, top: document.clamp(top, folds) });
}

/** The reader on a terminal of another size. */
export function resizedReader(reader: Reader, document: Document, height: number): Reader {
  const resized = { ...reader, document, height };
  const block = reader.document.blockAt(reader.cursor, reader.folds);
  return refolded(resized, reader.folds, block?.key);
}

/** What was begun to be looked for is given up; what was counted stays known. */
function settled(reader: Reader): Reader {
  if (!reader.scan) return reader;
  const { needle, counts } = reader.scan;
  return { ...reader, scan: { needle, counts } };
}

function without<K extends 'fresh' | 'message' | 'typing'>(reader: Reader, ...names: K[]): Reader {
  const left = { ...reader };
  for (const name of names) delete left[name];
  return left;
}
