import { formatCount, formatDuration, plural } from '../../render/numbers.ts';
import { oneLine } from '../../render/safe.ts';
import { type Line, span } from '../../render/spans.ts';
import { glyphs, type Style } from '../../render/style.ts';
import { relativeAge } from '../../render/times.ts';
import type { Completing } from '../completing.ts';
import { layoutOf } from '../layout.ts';
import { visiblePart } from '../line-editor.ts';
import type { Frame } from '../paint.ts';
import { type Answer, isBehind, type Picker, selectedItem } from '../state.ts';
import { facetLines } from './facets.ts';
import { helpLines } from './help.ts';
import { listLines } from './list.ts';
import { COPY_HINTS, dotted, fitted, hints, messageLine, ruled } from './parts.ts';
import { itemFacts, previewLines } from './preview.ts';
import { readerFrame } from './reader.ts';

const PROMPT_COLUMNS = 3;

/** The whole screen as it should look. */
export function screenOf(picker: Picker, style: Style, now: number): Frame {
  const { columns, rows } = picker.size;
  if (picker.isHelping) return helpFrame(picker, style);
  if (picker.reader) return readerFrame(picker, picker.reader, style);
  const layout = layoutOf(picker.size, picker.hasPreview || picker.focus === 'facets');
  const { list, preview } = layout;
  const item = selectedItem(picker);
  const lines: Line[] = [queryLine(picker, style), statusRule(picker, style, now)];
  const left = listLines(picker, list, style, now);
  const aside = !preview
    ? []
    : picker.focus === 'facets'
      ? facetLines(picker, preview, style)
      : item
        ? previewLines(picker, item, preview, preview.isBeside, style)
        : [];
  if (preview?.isBeside) {
    const gutter = span(` ${glyphs(style).gutter} `, 'dim');
    for (let row = 0; row < list.rows; row++)
      lines.push([...fitted(left[row] ?? [], list.columns, style), gutter, ...(aside[row] ?? [])]);
  } else if (!preview && picker.focus === 'facets') {
    // There is no room beside the list.
    lines.push(...facetLines(picker, list, style));
  } else {
    for (let row = 0; row < list.rows; row++) lines.push(left[row] ?? []);
    if (preview) {
      const facts = picker.focus === 'facets' || !item ? [] : itemFacts(item, style);
      lines.push(ruled(facts, [], columns, style), ...aside.slice(0, preview.rows));
    }
  }
  while (lines.length < rows - 1) lines.push([]);
  return {
    lines: [...lines.slice(0, rows - 1), foot(picker, style)],
    ...(picker.focus === 'query' && {
      cursor: { row: 0, column: PROMPT_COLUMNS + visiblePart(picker.query, columns - PROMPT_COLUMNS - 1).column },
    }),
  };
}

function queryLine({ query, size, focus }: Picker, style: Style): Line {
  const sign = span(
    ` ${glyphs(style).prompt} `,
    ...(focus === 'query' ? (['cyan', 'bold'] as const) : (['dim'] as const)),
  );
  if (query.text === '') return [sign, span('search everything your agents did', 'dim')];
  return [sign, span(visiblePart(query, size.columns - PROMPT_COLUMNS - 1).text)];
}

function statusRule(picker: Picker, style: Style, now: number): Line {
  const { answer, size } = picker;
  if (!answer) return ruled([], [], size.columns, style);
  const left = dotted(
    [
      span(totalOf(answer), 'bold'),
      isBehind(picker)
        ? span('searching', 'yellow')
        : span(answer.kind === 'titles' ? 'a longer word searches everything' : formatDuration(answer.tookMs), 'dim'),
      picker.fresh === undefined ? undefined : span(`${formatCount(picker.fresh)} new`, 'yellow'),
    ],
    style,
  );
  const age =
    answer.shortfall !== undefined
      ? [span(answer.shortfall, 'yellow')]
      : answer.lagMs === undefined
        ? []
        : [span(`indexed ${relativeAge(now - answer.lagMs, now)}`, 'dim')];
  return ruled(left, age, size.columns, style);
}

function totalOf({ kind, total, isAtLeast }: Answer): string {
  switch (kind) {
    case 'sessions':
      return plural(total, 'session');
    case 'titles':
      return plural(total, 'title');
    case 'stars':
      return `${formatCount(total)} starred`;
    case 'turns':
      return `${isAtLeast ? 'at least ' : ''}${plural(total, 'turn')}`;
  }
}

/** The first ones are shown on every terminal. */
const QUERY_HINTS = [
  ['enter', 'read'],
  ['^R', 'resume'],
  ['F1', 'help'],
  ['^Y', 'copy'],
  ['^S', 'star'],
  ['^F', 'facets'],
  ['esc', 'list'],
  ['^T', 'this project'],
] as const;
const LIST_HINTS = [
  ['enter', 'read'],
  ['r', 'resume'],
  ['?', 'help'],
  ['y', 'copy'],
  ['s', 'star'],
  ['f', 'facets'],
  ['/', 'type'],
  ['q', 'quit'],
  ['t', 'this project'],
  ['*', 'starred'],
] as const;
const FACET_HINTS = [
  ['arrows', 'choose'],
  ['enter', 'only this, or no longer'],
  ['esc', 'back'],
] as const;
function foot(picker: Picker, style: Style): Line {
  const { columns } = picker.size;
  if (picker.message) return messageLine(picker.message, columns, style);
  if (picker.isCopying) return hints(COPY_HINTS, columns);
  if (picker.completing) return offerLine(picker.completing, columns, style);
  const warning = picker.answer?.warnings[0];
  if (warning !== undefined) return fitted([span(` ${oneLine(warning)}`, 'yellow')], columns, style);
  const of = { query: QUERY_HINTS, list: LIST_HINTS, facets: FACET_HINTS }[picker.focus];
  return hints(of, columns);
}

/** What Tab offers, from a little before the one that is chosen. */
function offerLine({ options, at }: Completing, columns: number, style: Style): Line {
  const spans = options.slice(Math.max(0, at - 1)).flatMap(({ text, label, count }, i) => {
    const isChosen = i === Math.min(1, at);
    const about = [label === undefined ? '' : oneLine(label), count === undefined ? '' : formatCount(count)];
    const facts = about.filter((fact) => fact !== '').join(' ');
    return [
      span(oneLine(text), ...(isChosen ? (['inverse'] as const) : [])),
      ...(facts === '' ? [] : [span(` ${facts}`, 'dim')]),
      span('   '),
    ];
  });
  return fitted([span(' '), ...spans], columns, style);
}

function helpFrame({ size, reader }: Picker, style: Style): Frame {
  const { columns, rows } = size;
  const lines = helpLines(reader !== undefined);
  // On a low terminal the last lines are cut, those that matter least.
  const shown = lines.slice(0, rows - 3).map((line) => fitted(line, columns, style));
  const title = ruled([span(reader ? 'Keys of the reader' : 'Keys', 'bold')], [], columns, style);
  const pad = Array.from({ length: Math.max(0, rows - 2 - shown.length) }, (): Line => []);
  return { lines: [title, ...shown, ...pad, [span(' any key goes back', 'dim')]] };
}
