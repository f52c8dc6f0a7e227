/** What the terminal can do, decided once by the command and passed to everything that renders. */
export interface Style {
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** False where only ASCII can be shown. */
  readonly unicode?: boolean;
}

export type Mark = keyof typeof CODES;

/** The sixteen colours and attributes only: the user's own theme says how they look, on light and on dark. */
const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  inverse: [7, 27],
  strike: [9, 29],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const;

/** Prose is hard to follow in longer lines. */
const MEASURE = 100;
const NARROWEST = 24;

/** Columns for prose: the terminal's, at most about a hundred. */
export const measure = (style: Style) => Math.max(NARROWEST, Math.min(style.width, MEASURE));

/** The text in the given marks; as it is where the style has no colour. */
export function paint(style: Style, text: string, ...marks: readonly Mark[]): string {
  if (!style.color || marks.length === 0 || text === '') return text;
  const opening = marks.map((mark) => CODES[mark][0]).join(';');
  const closing = [...new Set(marks.map((mark) => CODES[mark][1]))].join(';');
  return `\x1b[${opening}m${text}\x1b[${closing}m`;
}

export const bold = (style: Style, text: string) => paint(style, text, 'bold');
export const dim = (style: Style, text: string) => paint(style, text, 'dim');

const UNICODE = {
  bar: '▌',
  gutter: '│',
  wrapped: '┆',
  corner: '╭',
  rule: '─',
  cross: '┼',
  bullets: ['•', '◦', '▪'],
  call: '●',
  fail: '✗',
  arrow: '→',
  ellipsis: '…',
  minus: '−',
  dot: '·',
  open: '☐',
  done: '☑',
  doing: '◐',
  full: '━',
  empty: '─',
};
const ASCII: typeof UNICODE = {
  bar: '|',
  gutter: '|',
  wrapped: ':',
  corner: '+',
  rule: '-',
  cross: '+',
  bullets: ['*', '-', '+'],
  call: '*',
  fail: 'x',
  arrow: '->',
  ellipsis: '...',
  minus: '-',
  dot: '-',
  open: '[ ]',
  done: '[x]',
  doing: '[~]',
  full: '#',
  empty: '-',
};

/** The signs that fit the terminal. */
export const glyphs = (style: Style) => (style.unicode === false ? ASCII : UNICODE);

interface Output {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/**
 * The style for a stream: colour only on a terminal, unless FORCE_COLOR says otherwise; none with NO_COLOR or a dumb
 * terminal. As in Node, FORCE_COLOR wins over NO_COLOR.
 */
export function terminalStyle(stream: Output, env: Readonly<Record<string, string | undefined>>): Style {
  const width = stream.columns || Number.parseInt(env.COLUMNS ?? '', 10) || 80;
  return { color: hasColor(stream, env), width: Math.max(NARROWEST, width), unicode: hasUnicode(stream, env) };
}

function hasColor(stream: Output, env: Readonly<Record<string, string | undefined>>): boolean {
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  return stream.isTTY === true && env.TERM !== 'dumb';
}

function hasUnicode(stream: Output, env: Readonly<Record<string, string | undefined>>): boolean {
  // The kernel's console has a font of 512 signs. A file or a pipe gets UTF-8, whatever the locale.
  if (stream.isTTY !== true) return true;
  if (env.TERM === 'linux' || env.TERM === 'dumb') return false;
  const charset = (env.LC_ALL || env.LC_CTYPE || env.LANG || '').split('.')[1];
  return charset === undefined || /^utf-?8/i.test(charset);
}
