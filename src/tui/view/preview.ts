import { fromInside } from '../../render/folder.ts';
import { MATCH } from '../../render/hits.ts';
import { oneLine } from '../../render/safe.ts';
import { type Line, span, truncateLine } from '../../render/spans.ts';
import { glyphs, type Style } from '../../render/style.ts';
import { localTime } from '../../render/times.ts';
import type { Matcher } from '../../search/matching/matcher.ts';
import { highlighted, textOf } from '../highlight.ts';
import type { Item } from '../item.ts';
import type { Area } from '../layout.ts';
import type { Picker } from '../state.ts';
import { dotted } from './parts.ts';

/** What an item is, in one line. */
export function itemFacts(item: Item, style: Style): Line {
  return dotted(
    [
      span(oneLine(item.label), 'cyan'),
      item.project === undefined ? undefined : span(oneLine(item.project), 'green'),
      item.inside === undefined ? undefined : span(fromInside(item.inside), 'yellow'),
      item.branch === undefined ? undefined : span(oneLine(item.branch), 'dim'),
      item.at === undefined ? undefined : span(localTime(item.at), 'dim'),
    ],
    style,
  );
}

/** The selected turn from its match on, or the turn where a session stands. */
export function previewLines(picker: Picker, item: Item, area: Area, isBeside: boolean, style: Style): Line[] {
  const head: Line[] = isBeside
    ? [
        truncateLine([span(oneLine(item.title ?? '') || '(no title)', 'bold')], area.columns, glyphs(style).ellipsis),
        itemFacts(item, style),
        [],
      ]
    : [];
  const { preview } = picker;
  if (preview?.item !== item) return head;
  const { document, top, folds, matcher } = preview;
  const lines = document.window(top, area.rows - head.length, folds).map(({ line }) => matched(line, matcher));
  return [...head, ...lines];
}

/** A line with the words of the query marked. */
export const matched = (line: Line, matcher: Matcher | undefined): Line =>
  matcher ? highlighted(line, matcher.matches(textOf(line)), MATCH) : line;
