import { inline } from './inline.ts';
import { safeText } from './safe.ts';
import { type Line, lineWidth, prefixed, print, type Span, span, wrapHard, wrapLine } from './spans.ts';
import { glyphs, measure, type Style } from './style.ts';
import { cells, isDelimiterRow, table } from './table.ts';

/** Quotes in quotes deeper than this are text. */
const DEEPEST = 6;

/** Markdown as terminal text, no wider than the measure for prose. Line breaks are kept: agents and people mean them. */
export function renderMarkdown(text: string, style: Style, width = measure(style)): string {
  return print(style, markdownLines(text, style, width));
}

/** The same as lines, for what stands beside a bar or a gutter. */
export function markdownLines(text: string, style: Style, width: number): Line[] {
  return blocks(safeText(text).split('\n'), style, Math.max(8, width), 0);
}

const FENCE = /^ *(`{3,}|~{3,})([^`]*)$/;
const HEADING = /^ {0,3}(#{1,6}) +(\S.*)$/;
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/;
const QUOTE = /^ *> ?(.*)$/;
const ITEM = /^( *)([-*+]|\d{1,9}[.)])( +|$)(.*)$/;
const UNDERLINE = /^ {0,3}(=+|-{2,}) *$/;

interface Level {
  /** Column of the item's sign in the source. */
  readonly indent: number;
  /** Column of its text in the source. */
  readonly content: number;
  /** Columns of its text in what is printed. */
  readonly margin: number;
  readonly bullet: boolean;
}

/** The blocks of some lines. `depth` counts the quotes around them. */
function blocks(source: readonly string[], style: Style, width: number, depth: number): Line[] {
  const out: Line[] = [];
  const levels: Level[] = [];
  let blank = false;
  let at = 0;
  const margin = () => levels.at(-1)?.margin ?? 0;
  const room = () => Math.max(8, width - margin());
  const put = (lines: readonly Line[], first?: Line) => {
    const indent = margin() > 0 ? [span(' '.repeat(Math.min(margin(), width - 8)))] : [];
    // No spread: a fence may hold more lines than a call takes arguments.
    for (const line of prefixed(lines, first ?? indent, indent)) out.push(line);
  };
  const space = () => {
    if (out.length > 0 && out.at(-1)!.length > 0) out.push([]);
  };

  while (at < source.length) {
    const line = source[at]!;
    if (line.trim() === '') {
      blank = true;
      at++;
      continue;
    }
    const indent = indentOf(line);
    const item = RULE.test(line) ? null : ITEM.exec(line);
    if (item || blank) while (levels.length > 0 && indent < levels.at(-1)!.indent + 2) levels.pop();
    if (blank) space();
    const loose = blank;
    blank = false;

    const fence = FENCE.exec(line);
    if (fence) {
      const end = fenceEnd(source, at, fence[1]!);
      const body = source.slice(at + 1, end).map((code) => dedent(code, indent));
      put(codeBlock(body, fence[2]!.trim(), style, room()));
      at = end + 1;
      continue;
    }
    if (item) {
      const outer = margin();
      const [sign, body] = itemOf(item[2]!, item[4]!, levels.filter((level) => level.bullet).length, style);
      levels.push({
        indent,
        content: indent + item[2]!.length + 1,
        margin: outer + lineWidth(sign),
        bullet: !/\d/.test(item[2]!),
      });
      const first = [span(' '.repeat(Math.min(outer, Math.max(0, width - 8 - lineWidth(sign))))), ...sign];
      put(wrapLine(inline(body, style), room()), first);
      at++;
      continue;
    }
    if (indent >= 4 && levels.length === 0 && (loose || at === 0)) {
      const end = indentedEnd(source, at);
      put(source.slice(at, end).flatMap((code) => wrapHard([span(dedent(code, 2))], room())));
      at = end;
      continue;
    }
    const heading = HEADING.exec(line);
    if (heading) {
      levels.length = 0;
      if (out.length > 0) space();
      put(headingLines(heading[2]!.replace(/ +#+ *$/, ''), heading[1]!.length, style, room()));
      at++;
      continue;
    }
    if (RULE.test(line)) {
      levels.length = 0;
      put([[span(glyphs(style).rule.repeat(Math.min(room(), 40)), 'dim')]]);
      at++;
      continue;
    }
    if (QUOTE.test(line) && depth < DEEPEST) {
      let end = at;
      while (end < source.length && QUOTE.test(source[end]!)) end++;
      const inner = source.slice(at, end).map((quoted) => QUOTE.exec(quoted)![1]!);
      put(prefixed(blocks(inner, style, room() - 2, depth + 1), [span(`${glyphs(style).gutter} `, 'dim')]));
      at = end;
      continue;
    }
    if (line.includes('|') && isDelimiterRow(source[at + 1])) {
      let end = at + 2;
      while (end < source.length && source[end]!.includes('|')) end++;
      put(table(cells(line), source[at + 1]!, source.slice(at + 2, end).map(cells), style, room()));
      at = end;
      continue;
    }
    const underline = levels.length === 0 ? UNDERLINE.exec(source[at + 1] ?? '') : null;
    if (underline) {
      if (out.length > 0) space();
      put(headingLines(line.trim(), underline[1]!.startsWith('=') ? 1 : 2, style, room()));
      at += 2;
      continue;
    }
    put(paragraphLine(line, Math.max(0, indent - (levels.at(-1)?.content ?? 0)), style, room()));
    at++;
  }
  return out;
}

const indentOf = (line: string) => line.length - line.trimStart().length;
const dedent = (line: string, by: number) => line.slice(Math.min(by, indentOf(line)));

/** Where the fence closes; at the end of the text if it does not. */
function fenceEnd(source: readonly string[], start: number, fence: string): number {
  for (let at = start + 1; at < source.length; at++) {
    const close = source[at]!.trim();
    if (close.length >= fence.length && close === fence[0]!.repeat(close.length)) return at;
  }
  return source.length;
}

function indentedEnd(source: readonly string[], start: number): number {
  let end = start + 1;
  while (end < source.length && indentOf(source[end]!) >= 4 && source[end]!.trim() !== '') end++;
  return end;
}

/** One source line of a paragraph. Its own indent stays: prompts hold code and logs that nobody fenced. */
function paragraphLine(line: string, indent: number, style: Style, width: number): Line[] {
  const hang = Math.min(indent, width >> 1);
  return prefixed(wrapLine(inline(line.trim(), style), width - hang), hang > 0 ? [span(' '.repeat(hang))] : []);
}

function headingLines(text: string, level: number, style: Style, width: number): Line[] {
  const marks =
    level === 1 ? (['bold', 'underline'] as const) : level === 2 ? (['bold'] as const) : (['bold', 'italic'] as const);
  const sign = style.color ? '' : `${'#'.repeat(level)} `;
  const rest = sign === '' ? [] : [span(' '.repeat(sign.length))];
  return prefixed(wrapLine(inline(text, style, marks), width - sign.length), sign === '' ? [] : [span(sign)], rest);
}

/** An item's sign and its text: a number, a bullet, or the box of a task. */
function itemOf(sign: string, text: string, depth: number, style: Style): [Line, string] {
  const { bullets, done, open } = glyphs(style);
  const bullet = /\d/.test(sign) ? sign : bullets[depth % bullets.length]!;
  const task = /^\[([ xX])\] +(\S.*)$/.exec(text);
  if (!task) return [[span(`${bullet} `, 'dim')], text];
  const box = task[1] === ' ' ? span(`${open} `, 'dim') : span(`${done} `, 'green');
  return [/\d/.test(sign) ? [span(`${sign} `, 'dim'), box] : [box], task[2]!];
}

/** Code behind a dim gutter, under the name of its language; a diff in a diff's colours. */
export function codeBlock(code: readonly string[], language: string, style: Style, width: number): Line[] {
  const { gutter, corner, rule, wrapped } = glyphs(style);
  const isDiff = /^(diff|patch)\b/i.test(language);
  const lines = code.flatMap((text) => {
    const dress = isDiff ? diffMarks(text) : span(text);
    const [first = [], ...rest] = wrapHard([dress], Math.max(8, width - 2));
    return [[span(`${gutter} `, 'dim'), ...first], ...prefixed(rest, [span(`${wrapped} `, 'dim')])];
  });
  if (language === '') return lines;
  return [
    ...prefixed(wrapHard([span(language, 'dim')], Math.max(8, width - 3)), [span(`${corner}${rule} `, 'dim')]),
    ...lines,
  ];
}

function diffMarks(text: string): Span {
  if (/^(\+\+\+|---|diff |index )/.test(text)) return span(text, 'bold');
  if (text.startsWith('@@')) return span(text, 'cyan');
  if (text.startsWith('+')) return span(text, 'green');
  return text.startsWith('-') ? span(text, 'red') : span(text);
}
