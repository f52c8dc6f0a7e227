import { stripVTControlCharacters } from 'node:util';

/** One line of the table of design.md, "What it must reach". */
export interface Row {
  readonly what: string;
  /** The number it must reach, in words; "" where the row only tells. */
  readonly goal: string;
  /** What was measured; "-" where there is nothing to measure yet. */
  readonly measured: string;
  readonly verdict: Verdict;
  /** On what it was measured. */
  readonly on: string;
  /** The numbers behind it, for programs. */
  readonly figures?: Readonly<Record<string, number>>;
}

export type Verdict = 'OK' | 'over' | '-' | '' | 'FAILED';

/** A row with a number to keep under. */
export function limited(row: Omit<Row, 'verdict'>, value: number, limit: number): Row {
  return { ...row, verdict: value <= limit ? 'OK' : 'over' };
}

/** A row with a number to reach. */
export function reached(row: Omit<Row, 'verdict'>, value: number, least: number): Row {
  return { ...row, verdict: value >= least ? 'OK' : 'over' };
}

/** A row that only tells. */
export function told(row: Omit<Row, 'verdict' | 'goal'>): Row {
  return { ...row, goal: '', verdict: '' };
}

/** A row for what is not built yet. */
export function unbuilt(what: string, goal: string): Row {
  return { what, goal, measured: '-', verdict: '-', on: 'not built yet' };
}

const HEADINGS = ['What', 'Must reach', 'Measured', '', 'On'] as const;

/** The rows as a Markdown table whose columns also stand in line in a terminal. */
export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map((row) => [row.what, row.goal, row.measured, row.verdict, row.on].map(escaped));
  const widths = HEADINGS.map((heading, i) => Math.max(3, heading.length, ...cells.map((row) => row[i]!.length)));
  const line = (row: readonly string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  return [line(HEADINGS), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...cells.map(line)].join('\n');
}

function escaped(cell: string): string {
  return stripVTControlCharacters(cell).replaceAll('|', '\\|').replaceAll('\n', ' ');
}
