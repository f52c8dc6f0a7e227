import { fromInside } from './folder.ts';
import { formatCount, formatDuration, plural } from './numbers.ts';
import { isRaw, oneLine } from './safe.ts';
import { apart, type Line, lineWidth, prefixed, print, type Span, span, truncateLine, wrapLine } from './spans.ts';
import { glyphs, type Mark, type Style } from './style.ts';
import { relativeAge } from './times.ts';
import { displayWidth, truncateStart } from './width.ts';

/** A hit of a search, as far as the terminal shows it. */
export interface RenderableHit {
  /** The turn's id: what `portolan show` takes. */
  readonly id: string;
  readonly session: string;
  readonly label: string;
  readonly title?: string;
  readonly project?: string;
  readonly inside?: string;
  /** Epoch milliseconds. */
  readonly timestamp?: number;
  /** The shortest id that names it here. */
  readonly shortId?: string;
  readonly turn: number;
  readonly snippet: string;
  /** UTF-16 offsets into the snippet: from, to. */
  readonly highlights: readonly (readonly [number, number])[];
  /** Other turns of the session that matched. */
  readonly moreTurns?: number;
  /** The agent's file does not hold the turn any more. */
  readonly superseded?: boolean;
}

export interface RenderableResult {
  readonly hits: readonly RenderableHit[];
  readonly total: { readonly turns: number; readonly relation: 'eq' | 'gte' };
  readonly tookMs: number;
  readonly query?: string;
  readonly index?: { readonly sessions: number; readonly turns: number };
  readonly sources?: Readonly<Record<string, { readonly state: string; readonly reason?: string }>>;
  readonly warnings?: readonly string[];
  /** The filters that hold for all hits, each as it is to be shown. */
  readonly filters?: readonly string[];
  /** Words that occur nowhere, and what was looked for too. */
  readonly corrections?: readonly { readonly from: string; readonly to: string }[];
}

/** How a match looks. */
export const MATCH: readonly Mark[] = ['bold', 'yellow'];

/** Text left before the first match where a snippet begins too far in front of it. */
const BEFORE_MATCH = 24;
/** Snippets are read across; a little more than prose still reads well. */
const MEASURE = 120;

/** Hits under their sessions, best first, and a line that sums up. Lines without a final newline. */
export function renderHits(result: RenderableResult, style: Style, now: number): string {
  const width = Math.min(style.width, MEASURE);
  const groups = new Map<string, RenderableHit[]>();
  for (const hit of result.hits) groups.set(hit.session, [...(groups.get(hit.session) ?? []), hit]);
  const rankWidth = String(groups.size).length;
  const out: Line[] = [...correctionLines(result, width)];
  let rank = 0;
  for (const hits of groups.values()) {
    const lead = [span(String(++rank).padStart(rankWidth), 'dim'), span('  ')];
    const indent = [span(' '.repeat(rankWidth + 2))];
    for (const line of prefixed(groupLines(hits, style, width - rankWidth - 2, now), lead, indent)) out.push(line);
    out.push([]);
  }
  for (const line of summaryLines(result, groups.size, style, width)) out.push(line);
  return print(style, out);
}

/** Three lines: title and age, whose it is and its id, the snippet. Further turns of the session take a line each. */
function groupLines(hits: readonly RenderableHit[], style: Style, width: number, now: number): Line[] {
  const [first, ...others] = hits as readonly [RenderableHit, ...RenderableHit[]];
  const { dot, ellipsis } = glyphs(style);
  const title = span(oneLine(first.title ?? '') || '(no title)', 'bold');
  const age = first.timestamp === undefined ? [] : [span(relativeAge(first.timestamp, now), 'dim')];
  const more = hits.reduce((most, hit) => Math.max(most, hit.moreTurns ?? 0), 0);
  const facts = [
    first.project ? span(oneLine(first.project), 'green') : undefined,
    span(oneLine(first.label), 'cyan'),
    first.inside === undefined ? undefined : span(fromInside(first.inside), 'yellow'),
    span(oneLine(first.shortId ?? first.id)),
    first.superseded ? span('superseded', 'yellow') : undefined,
    more > 0 ? span(`${plural(more, 'more turn')}`, 'dim') : undefined,
  ].filter((fact) => fact !== undefined);
  return [
    ...apart(truncateLine([title], width - lineWidth(age) - 2, ellipsis), age, width),
    truncateLine(
      facts.flatMap((fact, i) => (i > 0 ? [span(` ${dot} `, 'dim'), fact] : [fact])),
      width,
      ellipsis,
    ),
    truncateLine(excerptSpans(first, width, style), width, ellipsis),
    ...others.map((hit) => {
      const turn = [span(`#${hit.turn}`), span('  ')];
      return truncateLine([...turn, ...excerptSpans(hit, width - lineWidth(turn), style)], width, ellipsis);
    }),
  ];
}

function correctionLines({ corrections = [] }: RenderableResult, width: number): Line[] {
  if (corrections.length === 0) return [];
  const found = corrections.flatMap(({ to }, i) => [span(i === 0 ? '' : ', '), span(oneLine(to), 'bold')]);
  const nowhere = [...new Set(corrections.map(({ from }) => oneLine(from)))].join(', ');
  return [
    ...wrapLine([span('Also searched for '), ...found, span(`; not found anywhere: ${nowhere}`, 'dim')], width),
    [],
  ];
}

/** The snippet as one line, its matches marked. The offsets are those of the raw text, so it is cut before it is cleaned. */
export function snippetSpans(hit: Pick<RenderableHit, 'snippet' | 'highlights'>): Line {
  const out: Span[] = [];
  const { snippet } = hit;
  const take = (from: number, to: number, found: boolean) => {
    const raw = snippet.slice(from, to);
    // Space at the edges must stay: `oneLine` would glue a match to its neighbours.
    const clean = (/^\s/.test(raw) ? ' ' : '') + oneLine(raw) + (/\S\s+$/.test(raw) ? ' ' : '');
    if (clean !== '') out.push(found ? { text: clean, marks: MATCH } : span(clean));
  };
  let at = 0;
  for (const [from, to] of [...hit.highlights].sort((a, b) => a[0] - b[0])) {
    const start = Math.min(Math.max(from, at), snippet.length);
    const end = Math.min(to, snippet.length);
    if (!(end > start)) continue;
    // A sequence cut in two by a highlight would lose its beginning; then the match goes unmarked.
    if (isRaw(snippet.slice(start, end).replace(/\s/g, ''))) continue;
    take(at, start, false);
    take(start, end, true);
    at = end;
  }
  take(at, snippet.length, false);
  return out;
}

/** The stretch of a snippet that fits into a line, with a match in it. */
export function excerptSpans(hit: Pick<RenderableHit, 'snippet' | 'highlights'>, room: number, style: Style): Line {
  const spans = snippetSpans(hit);
  const first = spans.findIndex(({ marks }) => marks === MATCH);
  const lead = spans.slice(0, Math.max(0, first));
  if (first <= 0 || lineWidth(lead) + displayWidth(spans[first]!.text) <= room) return spans;
  const text = lead.map((one) => one.text).join('');
  return [span(truncateStart(text, Math.min(BEFORE_MATCH, room >> 1), glyphs(style).ellipsis)), ...spans.slice(first)];
}

const SEARCHED_IN_PART = 'partial';

function summaryLines(result: RenderableResult, groups: number, style: Style, width: number): Line[] {
  const { dot } = glyphs(style);
  const out: Line[] = [];
  const { turns, relation } = result.total;
  if (turns === 0 && result.hits.length === 0) {
    out.push(
      ...wrapLine([span(result.query ? `Nothing found for ${oneLine(result.query)}` : 'Nothing found', 'bold')], width),
    );
  }
  const count = `${relation === 'gte' ? 'at least ' : ''}${plural(turns, 'turn')}`;
  const facts = [
    groups > 0 ? `${count}, shown from ${plural(groups, 'session')}` : undefined,
    formatDuration(result.tookMs),
    result.index
      ? `${formatCount(result.index.turns)} turns of ${plural(result.index.sessions, 'session')} searched`
      : undefined,
  ];
  out.push(...wrapLine([span(facts.filter((fact) => fact !== undefined).join(` ${dot} `), 'dim')], width));
  const filters = (result.filters ?? []).map(oneLine).join(` ${dot} `);
  if (filters !== '') out.push(...wrapLine([span(`only ${filters}`, 'dim')], width));
  for (const [source, { state, reason }] of Object.entries(result.sources ?? {})) {
    if (state === 'searched') continue;
    const text = `${oneLine(source)} ${state === SEARCHED_IN_PART ? 'searched in part' : oneLine(state)}${reason === undefined ? '' : `: ${oneLine(reason)}`}`;
    out.push(...wrapLine([span(text, 'yellow')], width));
  }
  for (const warning of result.warnings ?? []) out.push(...wrapLine([span(oneLine(warning), 'yellow')], width));
  return out;
}
