import { piecesOf } from '../ingest/passages.ts';
import { FIELD_WEIGHTS, type Field } from '../lexical/fields.ts';
import { eachRun, wordTokens } from '../lexical/tokens.ts';
import type { Part } from '../transcript/index.ts';
import type { Query, Word } from './query.ts';

/** UTF-16 units of a snippet, about. */
const SNIPPET = 240;
const BEFORE = 70;

export interface Snippet {
  readonly field: Field;
  readonly text: string;
  /** UTF-16 offsets into `text`. */
  readonly highlights: readonly (readonly [number, number])[];
  /** The part it was cut from, by its place among the parts that were given. */
  readonly part: number;
}

/** What of a text matches a query: the tokens looked for, and beginnings. */
export class Matcher {
  private readonly tokens = new Set<string>();
  private readonly prefixes: string[] = [];

  constructor(query: Query) {
    const add = (word: Word) =>
      eachRun(word.text, (start, end) => {
        const tokens = wordTokens(word.text.slice(start, end));
        for (const token of tokens) this.tokens.add(token);
        const last = tokens.at(-1);
        if (word.prefix && last !== undefined) this.prefixes.push(last);
      });
    for (const word of query.words) add(word);
    for (const text of query.phrases) for (const word of text.split(/\s+/)) add({ text: word, prefix: false });
  }

  /** The matches in a text, and how many different words they are. */
  matches(text: string): { readonly ranges: readonly (readonly [number, number])[]; readonly words: number } {
    const ranges: [number, number][] = [];
    const words = new Set<string>();
    eachRun(text, (start, end) => {
      for (const token of wordTokens(text.slice(start, end))) {
        if (!this.tokens.has(token) && !this.prefixes.some((prefix) => token.startsWith(prefix))) continue;
        words.add(token);
        if (ranges.at(-1)?.[0] !== start) ranges.push([start, end]);
      }
    });
    return { ranges, words: words.size };
  }
}

interface Stretch {
  readonly part: number;
  readonly field: Field;
  readonly text: string;
}

/** The texts of a passage: those of its parts, cut to where the passage begins and ends. */
export function stretchesOf(parts: readonly Part[], from: number, to: number): Stretch[] {
  return parts.flatMap((part, index) => {
    let base = 0;
    return piecesOf(part).flatMap(({ field, text }) => {
      const begin = index === 0 ? Math.max(0, from - base) : 0;
      const end = index === parts.length - 1 ? Math.min(text.length, to - base) : text.length;
      base += text.length;
      return end > begin ? [{ part: index, field, text: text.slice(begin, end) }] : [];
    });
  });
}

/** The best place of a passage to show: the field and the window with most of the words. */
export function snippetOf(stretches: readonly Stretch[], matcher: Matcher): Snippet | undefined {
  let best: { stretch: Stretch; ranges: readonly (readonly [number, number])[]; worth: number } | undefined;
  for (const stretch of stretches) {
    const { ranges, words } = matcher.matches(stretch.text);
    const worth = words * 10 + (words > 0 ? FIELD_WEIGHTS[stretch.field] : 0);
    if (!best || worth > best.worth) best = { stretch, ranges, worth };
  }
  return best && cut(best.stretch, best.ranges);
}

function cut({ field, text, part }: Stretch, ranges: readonly (readonly [number, number])[]): Snippet {
  const [from, to] = window(text, ranges);
  const before = from > 0 ? '…' : '';
  const after = to < text.length ? '…' : '';
  const shown = text.slice(from, to).replace(/\s/g, ' ');
  return {
    field,
    part,
    text: `${before}${shown}${after}`,
    highlights: ranges
      .filter(([start, end]) => start >= from && end <= to)
      .map(([start, end]) => [start - from + before.length, end - from + before.length] as const),
  };
}

/** The stretch of about a snippet's length that holds most matches, begun at a word. */
function window(text: string, ranges: readonly (readonly [number, number])[]): readonly [number, number] {
  if (text.length <= SNIPPET) return [0, text.length];
  let start = ranges[0]?.[0] ?? 0;
  let most = 0;
  for (let i = 0; i < ranges.length; i++) {
    let j = i;
    while (j < ranges.length && ranges[j]![1] - ranges[i]![0] <= SNIPPET - BEFORE) j++;
    if (j - i > most) {
      most = j - i;
      start = ranges[i]![0];
    }
  }
  let from = Math.max(0, Math.min(start - BEFORE, text.length - SNIPPET));
  const space = text.slice(from, start).search(/\s/);
  if (from > 0 && space >= 0) from += space + 1;
  let to = Math.min(text.length, from + SNIPPET);
  const last = text.lastIndexOf(' ', to);
  const lastMatch = ranges.findLast(([, end]) => end <= to)?.[1] ?? 0;
  if (to < text.length && last > from + SNIPPET / 2 && last >= lastMatch) to = last;
  return [unbroken(text, from), unbroken(text, to)];
}

/** An offset that does not part the two halves of a character. */
function unbroken(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  return code >= 0xdc00 && code <= 0xdfff ? offset - 1 : offset;
}
