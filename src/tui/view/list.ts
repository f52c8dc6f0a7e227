import { fromInside } from '../../render/folder.ts';
import { excerptSpans } from '../../render/hits.ts';
import { formatCount, plural } from '../../render/numbers.ts';
import { oneLine } from '../../render/safe.ts';
import { type Line, lineWidth, type Span, span } from '../../render/spans.ts';
import { glyphs, type Style } from '../../render/style.ts';
import { relativeAge } from '../../render/times.ts';
import { truncate } from '../../render/width.ts';
import type { Matcher } from '../../search/matching/matcher.ts';
import type { Item } from '../item.ts';
import { type Area, ITEM_ROWS } from '../layout.ts';
import { isBehind, type Picker } from '../state.ts';
import { dotted, ends, fitted } from './parts.ts';
import { matched } from './preview.ts';

/** From here on an item also says whose it is. */
const ROOMY = 88;

/** The list in its area: two lines an item. */
export function listLines(picker: Picker, { rows, columns }: Area, style: Style, now: number): Line[] {
  const { answer, selected, top } = picker;
  const items = answer?.items ?? [];
  const shown = items.slice(top, top + Math.floor(rows / ITEM_ROWS));
  const lines = shown.flatMap((item, i) => {
    const isSame = items[top + i - 1]?.session === item.session;
    // Enter waits for the answer then: it would open what that finds, so nothing is shown as chosen.
    const isChosen = top + i === selected && !(selected === 0 && isBehind(picker));
    const place = { isSelected: isChosen, isSame };
    return itemLines(item, place, answer?.matcher, columns, style, now);
  });
  if (lines.length === 0 && answer) lines.push(...nothing(picker, columns, style));
  return lines;
}

function nothing({ query, answer }: Picker, columns: number, style: Style): Line[] {
  if (query.text.trim() === '') return [fitted([span('  There is no session yet.', 'dim')], columns, style)];
  const way =
    answer?.kind === 'sessions'
      ? 'Try another time, or fewer filters.'
      : 'Try fewer words, or a beginning like migrat*.';
  return [
    fitted([span('  Nothing was found for '), span(oneLine(query.text), 'bold')], columns, style),
    fitted([span(`  ${way}`, 'dim')], columns, style),
  ];
}

interface Place {
  readonly isSelected: boolean;
  /** It is of the same session as the one above it. */
  readonly isSame: boolean;
}

function itemLines(
  item: Item,
  { isSelected, isSame }: Place,
  matcher: Matcher | undefined,
  columns: number,
  style: Style,
  now: number,
): Line[] {
  const { bar, star } = glyphs(style);
  const edge = isSelected ? span(`${bar} `, 'cyan', 'bold') : span('  ');
  const title = oneLine(item.title ?? '') || '(no title)';
  const head: Span[] = [edge];
  if (item.isStarred) head.push(span(`${star} `, 'yellow'));
  const dress = isSelected ? (['bold', 'cyan'] as const) : isSame ? (['dim'] as const) : [];
  head.push(...matched([span(title, ...dress)], matcher));
  const project = truncate(oneLine(item.project ?? ''), Math.min(24, columns >> 2), glyphs(style).ellipsis);
  const facts = dotted(
    [
      span(project, 'green'),
      columns >= ROOMY ? span(oneLine(item.label), 'dim') : undefined,
      item.turn === undefined ? undefined : span(turnOf(item), 'dim'),
      item.at === undefined ? undefined : span(relativeAge(item.at, now), 'dim'),
    ],
    style,
  );
  const under: Span[] = [edge, span('  ')];
  if (item.inside !== undefined) under.push(span(fromInside(item.inside), 'yellow'), span('  '));
  const room = columns - lineWidth(under);
  // What the title says already needs no second line.
  if (item.snippet === undefined || repeats(title, item.snippet))
    under.push(...sessionFacts(item, columns < ROOMY, style));
  else under.push(...excerptSpans({ snippet: item.snippet, highlights: item.highlights ?? [] }, room, style));
  return [ends(head, facts, columns, style), fitted(under, columns, style)];
}

/** The turn, and how many more of its session match. */
const turnOf = ({ turn, moreTurns = 0 }: Item) => (moreTurns > 0 ? `#${turn} +${formatCount(moreTurns)}` : `#${turn}`);

const BEGINNING = 40;

const repeats = (title: string, snippet: string) =>
  oneLine(snippet).slice(0, BEGINNING) === title.slice(0, Math.max(1, Math.min(BEGINNING, title.length)));

function sessionFacts(item: Item, saysWhose: boolean, style: Style): Line {
  return dotted(
    [
      saysWhose ? span(oneLine(item.label), 'dim') : undefined,
      item.branch === undefined ? undefined : span(oneLine(item.branch), 'dim'),
      item.turns === undefined ? undefined : span(plural(item.turns, 'turn'), 'dim'),
    ],
    style,
  );
}
