import { formatCount } from '../../render/numbers.ts';
import { oneLine } from '../../render/safe.ts';
import { type Line, span } from '../../render/spans.ts';
import { glyphs, type Style } from '../../render/style.ts';
import { displayWidth } from '../../render/width.ts';
import { findOn, highlighted } from '../highlight.ts';
import { visiblePart } from '../line-editor.ts';
import type { Frame } from '../paint.ts';
import type { Reader } from '../reader/reader.ts';
import type { Picker } from '../state.ts';
import { COPY_HINTS, dotted, ends, hints, messageLine, ruled } from './parts.ts';
import { itemFacts, matched } from './preview.ts';

const READER_HINTS = [
  ['q', 'back'],
  ['?', 'help'],
  ['/', 'find'],
  ['] [', 'prompt'],
  ['e', 'error'],
  ['o z', 'fold'],
  ['y', 'copy'],
  ['r', 'resume'],
  ['s', 'star'],
  ['t', 'this turn'],
] as const;

const FIND = ' find ';

/** The screen of the reader. */
export function readerFrame(picker: Picker, reader: Reader, style: Style): Frame {
  const { columns } = picker.size;
  const { item, document, top, height, folds } = reader;
  const star = item.isStarred ? [span(`${glyphs(style).star} `, 'yellow')] : [];
  const title = [span(' '), ...star, span(oneLine(item.title ?? '') || '(no title)', 'bold')];
  const rows = document.window(top, height, folds);
  const found =
    reader.needle === undefined
      ? []
      : findOn(
          rows.map(({ line }) => line),
          reader.needle,
        );
  const body = rows.map(({ at, line }, i): Line => {
    const isCursor = at.page === reader.cursor.page && at.line === reader.cursor.line;
    const edge = isCursor ? span(glyphs(style).prompt, 'cyan', 'bold') : span(' ');
    const stretches = found.filter((one) => one.line === i);
    return [edge, ...highlighted(matched(line, reader.matcher), stretches, ['inverse'])];
  });
  if (rows.length === 0) body.push([span('  Nothing to show here: its turns belong to its parent.', 'dim')]);
  while (body.length < height) body.push([]);
  const foot = reader.typing
    ? [span(FIND, 'bold'), span(visiblePart(reader.typing, columns - FIND.length - 1).text)]
    : footOf(picker, reader, style);
  return {
    lines: [
      ends(title, dotted([newTurns(reader), ...position(reader)], style), columns - 1, style),
      ruled(itemFacts(item, style), [], columns, style),
      ...body,
      foot,
    ],
    ...(reader.typing && {
      cursor: {
        row: height + 2,
        column: displayWidth(FIND) + visiblePart(reader.typing, columns - FIND.length - 1).column,
      },
    }),
  };
}

function footOf(picker: Picker, reader: Reader, style: Style): Line {
  const message = reader.message === undefined ? picker.message : { text: reader.message };
  if (message) return messageLine(message, picker.size.columns, style);
  return hints(picker.isCopying ? COPY_HINTS : READER_HINTS, picker.size.columns);
}

function newTurns({ fresh }: Reader) {
  return fresh === undefined ? undefined : span(`${formatCount(fresh)} new`, 'yellow');
}

/** Which turn of how many the cursor is in. */
function position({ document, cursor, scope }: Reader): Line {
  const { pages } = document;
  if (pages.length === 0) return [];
  const turn = pages[Math.min(cursor.page, pages.length - 1)]!.turn;
  const last = pages.at(-1)!.turn;
  if (scope === 'turn') return [span(`turn ${formatCount(turn)} alone`, 'dim')];
  return [span(`turn ${formatCount(turn)} of ${formatCount(last)}`, 'dim')];
}
