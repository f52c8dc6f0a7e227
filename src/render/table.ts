import { inline } from './inline.ts';
import { type Line, lineWidth, marked, prefixed, span, wrapLine } from './spans.ts';
import { glyphs, type Style } from './style.ts';

type Align = 'left' | 'right' | 'center';
const NARROWEST = 6;
/** A pasted line with thousands of bars is no table that anybody could read. */
const MOST_COLUMNS = 60;

/** The cells of a row: parted at bars that are neither escaped nor inside a code span. */
export function cells(row: string): string[] {
  const out: string[] = [];
  let cell = '';
  let code = false;
  const ticks = (row.match(/`/g)?.length ?? 0) % 2 === 0;
  const body = row.trim();
  for (let at = body.startsWith('|') ? 1 : 0; at < body.length; at++) {
    const char = body[at]!;
    if (char === '`' && ticks) code = !code;
    if (char === '\\' && body[at + 1] === '|') {
      cell += '|';
      at++;
    } else if (char === '|' && !code) {
      out.push(cell.trim());
      cell = '';
    } else cell += char;
  }
  if (cell.trim() !== '' || !body.endsWith('|')) out.push(cell.trim());
  return out;
}

/** Whether a line is the one below a table's head: `|---|:--:|`. */
export function isDelimiterRow(line: string | undefined): boolean {
  if (line === undefined || !line.includes('-') || !/^[\s|:-]+$/.test(line) || !line.includes('|')) return false;
  const columns = cells(line);
  return columns.length <= MOST_COLUMNS && columns.every((cell) => /^:?-+:?$/.test(cell));
}

/** A table no wider than `width`: aligned, its cells wrapped where they must; as records where even that fails. */
export function table(head: string[], delimiter: string, rows: string[][], style: Style, width: number): Line[] {
  const aligns = cells(delimiter).map(alignOf);
  const most = rows.reduce((widest, row) => Math.max(widest, row.length), Math.max(head.length, aligns.length));
  const columns = Math.min(MOST_COLUMNS, most);
  const heads = fill(head, columns).map((cell) => marked(inline(cell, style), 'bold'));
  const body = rows.map((row) => fill(row, columns).map((cell) => inline(cell, style)));
  const natural = heads.map((cell, c) =>
    body.reduce((most, row) => Math.max(most, lineWidth(row[c]!)), Math.max(1, lineWidth(cell))),
  );
  const room = width - 3 * (columns - 1);
  const widths = shrink(natural, room);
  if (!widths) return records(heads, body, style, width);
  const { gutter, rule, cross } = glyphs(style);
  const bar = span(` ${gutter} `, 'dim');
  const line = span(widths.map((w) => rule.repeat(w)).join(`${rule}${cross}${rule}`), 'dim');
  const wrapped = body.some((row) => row.some((cell, c) => lineWidth(cell) > widths[c]!));
  const laid = body.map((row) => rowLines(row, widths, aligns, bar));
  // Rows of several lines run into each other without a line between.
  const parted = wrapped ? laid.flatMap((row, i) => (i === 0 ? row : [[line], ...row])) : laid.flat();
  return [...rowLines(heads, widths, aligns, bar), [line], ...parted];
}

/** A row of just so many cells; what is beyond the last stands in it. */
function fill(row: string[], columns: number): string[] {
  const cut = row.length > columns ? [...row.slice(0, columns - 1), row.slice(columns - 1).join(' | ')] : row;
  return Array.from({ length: columns }, (_, c) => cut[c] ?? '');
}

function alignOf(cell: string): Align {
  if (!cell.endsWith(':')) return 'left';
  return cell.startsWith(':') ? 'center' : 'right';
}

/** Widths that fit into the room: the widest columns give first. Undefined where they would get too narrow to read. */
function shrink(natural: readonly number[], room: number): number[] | undefined {
  const total = natural.reduce((sum, w) => sum + w, 0);
  if (total <= room) return [...natural];
  const least = natural.reduce((sum, w) => sum + Math.min(w, NARROWEST), 0);
  if (least > room) return undefined;
  // The largest cap under which the columns fit; what rounding leaves goes to the first capped ones.
  let low = NARROWEST;
  let high = room;
  const under = (cap: number) => natural.reduce((sum, w) => sum + Math.min(w, cap), 0);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (under(middle) <= room) low = middle;
    else high = middle - 1;
  }
  let left = room - under(low);
  return natural.map((w) => (w > low && left-- > 0 ? low + 1 : Math.min(w, low)));
}

function rowLines(
  row: readonly Line[],
  widths: readonly number[],
  aligns: readonly Align[],
  bar: Line[number],
): Line[] {
  const columns = row.map((cell, c) => wrapLine(cell, widths[c]!));
  const height = columns.reduce((most, lines) => Math.max(most, lines.length), 1);
  return Array.from({ length: height }, (_, i) =>
    columns.flatMap((lines, c) => {
      const cell = lines[i] ?? [];
      const missing = Math.max(0, widths[c]! - lineWidth(cell));
      const before = aligns[c] === 'right' ? missing : aligns[c] === 'center' ? missing >> 1 : 0;
      const padded = [span(' '.repeat(before)), ...cell, span(' '.repeat(missing - before))];
      return c === 0 ? padded : [bar, ...padded];
    }),
  );
}

/** Every row as lines "head: cell", for a table of more columns than fit. */
function records(heads: readonly Line[], rows: readonly Line[][], style: Style, width: number): Line[] {
  if (rows.length === 0) return heads.flatMap((cell) => wrapLine(cell, width));
  const { bullets } = glyphs(style);
  return rows.flatMap((row) => {
    const fields = row.flatMap((cell, c) => {
      const head = heads[c]!;
      if (cell.length === 0 && head.length === 0) return [];
      return prefixed(wrapLine([...head, span(head.length > 0 ? ': ' : ''), ...cell], width - 4), [], [span('  ')]);
    });
    return prefixed(fields, [span(`${bullets[0]} `, 'dim')], [span('  ')]);
  });
}
