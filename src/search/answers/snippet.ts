import { piecesOf, toolText } from '../../holdings/passages.ts';
import { FIELD_WEIGHTS, type Field } from '../../lexical/fields.ts';
import { callDiffs, type FileDiff } from '../../transcript/changes.ts';
import { undressed } from '../../transcript/dressing.ts';
import type { Part, ToolCall } from '../../transcript/index.ts';
import type { Match, Matcher } from '../matching/matcher.ts';

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
  /** How many of the query's words stand in what it was cut from. */
  readonly words: number;
}

/** What people want to see first: where words stand in the question as well, its answer. */
const SHOWN_FIRST: Readonly<Record<Field, number>> = { ...FIELD_WEIGHTS, answer: FIELD_WEIGHTS.prompt + 0.5 };
/** What a call that was asked for is worth, in words. */
const WORTH_OF_ASKED = 5;

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

/**
 * The best place of a passage to show: the field and the window with most of the words.
 * @param isAsked whether a part, by its place, is a call that was asked for
 */
export function snippetOf(
  stretches: readonly Stretch[],
  matcher: Matcher,
  isAsked: (part: number) => boolean = () => false,
): Snippet | undefined {
  let best: { stretch: Stretch; matches: readonly Match[]; words: number; worth: number } | undefined;
  for (const stretch of stretches) {
    if (matcher.fields && !matcher.fields.includes(stretch.field)) continue;
    const matches = matcher.matches(stretch.text);
    const words = new Set(matches.map((match) => match.word)).size;
    const asked = isAsked(stretch.part) ? WORTH_OF_ASKED : 0;
    const worth = words * 10 + (words > 0 ? SHOWN_FIRST[stretch.field] + asked : 0);
    if (!best || worth > best.worth) best = { stretch, matches, words, worth };
  }
  return best && { ...cut(best.stretch, best.matches), words: best.words };
}

/** Lines in which a tool says what went wrong. */
const COMPLAINT =
  /^.*(?:error|exception|fail(?:ed|ure)|fatal|panic|denied|not found|no such|cannot|unable|invalid|traceback).*$/im;

/** What is shown of a call that was asked for: the error, the lines that were changed, else what it was called with. */
export function callSnippet(call: ToolCall, cwd: string | undefined): Snippet {
  const changes = callDiffs(call);
  if (call.isError && call.output !== undefined && call.output.trim() !== '') {
    const text = undressed(call.output).trim();
    const said = COMPLAINT.exec(text);
    const match = said ? [{ start: said.index, end: said.index + said[0].length, word: 0 }] : [];
    return { ...cut({ part: 0, field: 'output', text }, match), highlights: [], words: 0 };
  }
  const text =
    changes.length > 0
      ? changes.map((change) => changeText(change, cwd)).join('\n')
      : [...call.paths, toolText(call)].join('\n');
  return { ...cut({ part: 0, field: 'tools', text: undressed(text) }, []), words: 0 };
}

/** A file's name, and the lines of it that were taken out and put in. */
function changeText({ path, lines }: FileDiff, cwd: string | undefined): string {
  const changed = lines.filter(({ sign, text }) => (sign === '+' || sign === '-') && text.trim() !== '');
  const isInside = cwd !== undefined && path?.startsWith(cwd) && /[\\/]/.test(path[cwd.length] ?? '');
  const name = isInside ? path?.slice(cwd.length + 1) : path;
  return [...(name === undefined ? [] : [name]), ...changed.map(({ sign, text }) => `${sign} ${text.trim()}`)].join(
    '\n',
  );
}

function cut({ field, text, part }: Stretch, matches: readonly Match[]): Omit<Snippet, 'words'> {
  const [from, to] = window(text, matches);
  const before = from > 0 ? '…' : '';
  const after = to < text.length ? '…' : '';
  // A passage may begin or end inside a character.
  const shown = text.slice(from, to).replace(/\s/g, ' ').toWellFormed();
  return {
    field,
    part,
    text: `${before}${shown}${after}`,
    highlights: matches
      .filter(({ start, end }) => start >= from && end <= to)
      .map(({ start, end }) => [start - from + before.length, end - from + before.length] as const),
  };
}

/** The stretch of about a snippet's length that holds most words, and of those most matches, begun at a word. */
function window(text: string, matches: readonly Match[]): readonly [number, number] {
  if (text.length <= SNIPPET) return [0, text.length];
  let start = matches[0]?.start ?? 0;
  let most = 0;
  for (let i = 0; i < matches.length; i++) {
    const words = new Set<number>();
    let j = i;
    for (; j < matches.length && matches[j]!.end - matches[i]!.start <= SNIPPET - BEFORE; j++)
      words.add(matches[j]!.word);
    const worth = words.size * 1000 + (j - i);
    if (worth > most) {
      most = worth;
      start = matches[i]!.start;
    }
  }
  let from = Math.max(0, Math.min(start - BEFORE, text.length - SNIPPET));
  const space = text.slice(from, start).search(/\s/);
  if (from > 0 && space >= 0) from += space + 1;
  let to = Math.min(text.length, from + SNIPPET);
  const last = text.lastIndexOf(' ', to);
  const lastMatch = matches.findLast(({ end }) => end <= to)?.end ?? 0;
  if (to < text.length && last > from + SNIPPET / 2 && last >= lastMatch) to = last;
  return [unbroken(text, from), unbroken(text, to)];
}

/** An offset that does not part the two halves of a character. */
function unbroken(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  return code >= 0xdc00 && code <= 0xdfff ? offset - 1 : offset;
}
