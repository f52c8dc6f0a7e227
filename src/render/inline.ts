import { type Line, type Span, span } from './spans.ts';
import type { Mark, Style } from './style.ts';

/**
 * Inline markdown: emphasis, code spans, links. Stricter than CommonMark where people write code without marking it:
 * `snake_case`, `__init__`, `*.ts`, `2**3` stay as they are. What does not close is text. Linear: a search for a
 * closing mark that failed is not made again further on, and each kind of emphasis nests only once.
 */
export function inline(text: string, style: Style, marks: readonly Mark[] = []): Line {
  const out: Span[] = [];
  parse(text, { style, marks, inside: '' }, out);
  return out;
}

interface Context {
  readonly style: Style;
  readonly marks: readonly Mark[];
  /** Delimiters that are open around this text. */
  readonly inside: string;
}

interface Emphasis {
  readonly delimiter: string;
  readonly mark: Mark;
  readonly name: string;
}

const EMPHASES: readonly Emphasis[] = [
  { delimiter: '**', mark: 'bold', name: 'B' },
  { delimiter: '__', mark: 'bold', name: 'B' },
  { delimiter: '~~', mark: 'strike', name: 'S' },
  { delimiter: '*', mark: 'italic', name: 'I' },
  { delimiter: '_', mark: 'italic', name: 'I' },
];

const SPECIAL = /[`*_~[!<\\h]/g;
const LINK =
  /!?\[([^[\]\n]{0,1000})\]\(<?([^()\s<>]{0,2000}(?:\([^()\s<>]{0,500}\)[^()\s<>]{0,500})?)>?(?:\s"[^"\n]{0,300}")?\)/y;
const URL = /<?https?:\/\/[^\s<>"'`]+[^\s<>"'`.,;:!?)\]}*_]>?/y;
const ESCAPE = /\\[*_`[\]#|~<>]/y;
const WORD = /[\p{L}\p{N}_]/u;
const ASCII_WORD = /[A-Za-z0-9_]/;

function parse(text: string, context: Context, out: Span[]): void {
  const dead = new Set<string>();
  let from = 0;
  let at = 0;
  const flush = (to: number) => {
    if (to > from) out.push({ text: text.slice(from, to), marks: context.marks });
  };
  for (;;) {
    SPECIAL.lastIndex = at;
    const hit = SPECIAL.exec(text);
    if (!hit) break;
    at = hit.index;
    const end = special(text, at, context, dead, () => flush(at), out);
    if (end > 0) from = at = end;
    else at += -end || 1;
  }
  flush(text.length);
}

/** Renders what begins at `at` and gives where it ends; else minus the number of characters to take as text. */
function special(
  text: string,
  at: number,
  context: Context,
  dead: Set<string>,
  flush: () => void,
  out: Span[],
): number {
  const char = text[at];
  if (char === '\\') {
    if (!sticky(ESCAPE, text, at)) return -1;
    flush();
    out.push({ text: text[at + 1]!, marks: context.marks });
    return at + 2;
  }
  if (char === '`') return codeSpan(text, at, context, dead, flush, out);
  if (char === '[' || char === '!') return link(text, at, context, flush, out);
  if (char === '<' || char === 'h') {
    const url = at > 0 && WORD.test(text[at - 1]!) ? undefined : sticky(URL, text, at);
    if (!url) return -1;
    flush();
    out.push({ text: url[0].replace(/^<|>$/g, ''), marks: [...context.marks, 'underline'] });
    return at + url[0].length;
  }
  for (const emphasis of EMPHASES) {
    const { delimiter, name, mark } = emphasis;
    if (!text.startsWith(delimiter, at)) continue;
    const run = runLength(text, at, char!);
    if (run > 3) return -run;
    if (context.inside.includes(name) || dead.has(delimiter) || !opens(text, at, delimiter)) continue;
    const close = closing(text, at + delimiter.length, delimiter);
    if (close < 0) {
      dead.add(delimiter);
      continue;
    }
    const inner = text.slice(at + delimiter.length, close);
    if (delimiter === '__' && /^\w*$/.test(inner)) return -(close + 2 - at);
    flush();
    parse(inner, { ...context, marks: [...context.marks, mark], inside: context.inside + name }, out);
    return close + delimiter.length;
  }
  return -runLength(text, at, char!);
}

function codeSpan(
  text: string,
  at: number,
  context: Context,
  dead: Set<string>,
  flush: () => void,
  out: Span[],
): number {
  const ticks = runLength(text, at, '`');
  const fence = '`'.repeat(Math.min(ticks, 5));
  if (ticks > 4 || dead.has(fence)) return -ticks;
  for (let close = at + ticks; ; ) {
    close = text.indexOf(fence, close);
    if (close < 0) break;
    const run = runLength(text, close, '`');
    if (run === ticks) {
      flush();
      const body = text.slice(at + ticks, close).replace(/^ (.*\S.*) $/, '$1');
      // Without colour the ticks are what tells code from prose.
      out.push({ text: context.style.color ? body : `\`${body}\``, marks: [...context.marks, 'cyan'] });
      return close + ticks;
    }
    close += run;
  }
  dead.add(fence);
  return -ticks;
}

function link(text: string, at: number, context: Context, flush: () => void, out: Span[]): number {
  const hit = sticky(LINK, text, at);
  if (!hit) return -1;
  const [whole, label = '', url = ''] = hit;
  if (url === '') return -1;
  flush();
  const same = label === url || label === '';
  if (!same) parse(label, { ...context, marks: [...context.marks, 'underline'] }, out);
  if (same) out.push({ text: url, marks: [...context.marks, 'underline'] });
  else out.push(span(` (${url})`, 'dim'));
  return at + whole.length;
}

function sticky(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

function runLength(text: string, at: number, char: string): number {
  let end = at;
  while (text[end] === char) end++;
  return Math.max(1, end - at);
}

const isSpace = (char: string | undefined) => char === undefined || char === ' ' || char === '\u00a0';

function opens(text: string, at: number, delimiter: string): boolean {
  if (isSpace(text[at + delimiter.length])) return false;
  const before = text[at - 1];
  if (before === undefined) return true;
  // Between CJK characters there is no space, so only letters that words are made of keep a star from opening.
  return delimiter === '**' || delimiter === '~~'
    ? !ASCII_WORD.test(before)
    : !WORD.test(before) && !'/.\\*_'.includes(before);
}

function closes(text: string, at: number, delimiter: string): boolean {
  if (isSpace(text[at - 1])) return false;
  const after = text[at + delimiter.length];
  if (after === undefined) return true;
  return delimiter === '**' || delimiter === '~~'
    ? !ASCII_WORD.test(after)
    : !WORD.test(after) && !'/.\\'.includes(after);
}

/** Where the delimiter next closes; a run that is too long or too short for it does not. */
function closing(text: string, from: number, delimiter: string): number {
  const char = delimiter[0]!;
  for (let at = text.indexOf(delimiter, from + 1); at >= 0; at = text.indexOf(delimiter, at)) {
    const run = runLength(text, at, char);
    const fits = delimiter.length === 2 ? run === 2 || run === 3 : run === 1 || run === 3;
    const end = at + run - delimiter.length;
    if (fits && closes(text, end, delimiter) && !isSpace(text[at - 1])) return end;
    at += run;
  }
  return -1;
}
