import { clusters, displayWidth } from '../render/width.ts';
import type { Key } from './keys.ts';

/** One line that is being written. The cursor is a UTF-16 offset into it. */
export interface LineEditor {
  readonly text: string;
  readonly cursor: number;
}

export const edited = (text: string, cursor = text.length): LineEditor => ({ text, cursor });

/** The line after a key, by the keys of shells; undefined where the key is none of its own. */
export function edit(line: LineEditor, key: Key): LineEditor | undefined {
  const { text, cursor } = line;
  if (key.text !== undefined) return insert(line, key.text);
  const without = (from: number, to: number) => edited(text.slice(0, from) + text.slice(to), from);
  switch (key.name) {
    case 'left':
    case 'ctrl-b':
      return edited(text, before(text, cursor));
    case 'right':
      return edited(text, after(text, cursor));
    case 'home':
    case 'ctrl-a':
      return edited(text, 0);
    case 'end':
    case 'ctrl-e':
      return edited(text, text.length);
    case 'ctrl-left':
    case 'alt-b':
    case 'alt-left':
      return edited(text, wordBefore(text, cursor));
    case 'ctrl-right':
    case 'alt-f':
    case 'alt-right':
      return edited(text, wordAfter(text, cursor));
    case 'backspace':
    case 'ctrl-h':
      return without(before(text, cursor), cursor);
    case 'delete':
      return without(cursor, after(text, cursor));
    case 'ctrl-w':
    case 'alt-backspace':
      return without(wordBefore(text, cursor), cursor);
    case 'ctrl-u':
      return without(0, cursor);
    case 'ctrl-k':
      return without(cursor, text.length);
    default:
      return undefined;
  }
}

function insert({ text, cursor }: LineEditor, more: string): LineEditor {
  return edited(text.slice(0, cursor) + more + text.slice(cursor), cursor + more.length);
}

/** Where the cluster before an offset begins: an emoji of many characters goes at once. */
function before(text: string, cursor: number): number {
  let at = 0;
  for (const { text: cluster } of clusters(text)) {
    if (at + cluster.length >= cursor) return at;
    at += cluster.length;
  }
  return at;
}

function after(text: string, cursor: number): number {
  let at = 0;
  for (const { text: cluster } of clusters(text)) {
    at += cluster.length;
    if (at > cursor) return at;
  }
  return at;
}

const wordBefore = (text: string, cursor: number) => /\S*\s*$/.exec(text.slice(0, cursor))!.index;
const wordAfter = (text: string, cursor: number) => cursor + /^\s*\S*/.exec(text.slice(cursor))![0].length;

/** The part of the line that fits into `width` columns with the cursor in it, and the cursor's column there. */
export function visiblePart({ text, cursor }: LineEditor, width: number): { text: string; column: number } {
  let from = 0;
  const room = Math.max(2, width) - 1;
  for (const { text: cluster } of clusters(text)) {
    if (displayWidth(text.slice(from, cursor)) <= room) break;
    from += cluster.length;
  }
  let to = from;
  let used = 0;
  for (const { text: cluster, width: columns } of clusters(text.slice(from))) {
    if (used + columns > width) break;
    used += columns;
    to += cluster.length;
  }
  return { text: text.slice(from, to), column: displayWidth(text.slice(from, cursor)) };
}
