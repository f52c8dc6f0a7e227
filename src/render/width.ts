// biome-ignore-all lint/suspicious/noControlCharactersInRegex: control characters are what this file is about
// biome-ignore-all lint/suspicious/noMisleadingCharacterClass: the classes name single code points
/**
 * How many columns text takes in a terminal. Sums over clusters: a base character with its combining marks, an emoji
 * sequence, a flag. Linear, and without Intl.Segmenter, which is some twenty times slower on long outputs.
 */
export interface Cluster {
  readonly text: string;
  readonly width: number;
}

/** Blocks of the Unicode property East_Asian_Width W and F; the single wide symbols all are Emoji_Presentation. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x3247],
  [0x3250, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1d300, 0x1d376],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];

const PLAIN = /^[\x20-\x7e]*$/;
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}\u1160-\u11ff\ud7b0-\ud7ff\u{1f3fb}-\u{1f3ff}]$/u;
const EMOJI_WIDE = /^\p{Emoji_Presentation}$/u;
const EMOJI = /^\p{Emoji}$/u;
const SGR = /\x1b\[[\d;]*m/g;
const JOINER = '\u200d';
const EMOJI_STYLE = '\ufe0f';

function baseWidth(char: string): number {
  const code = char.codePointAt(0)!;
  if (code < 0x300) return code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0xad ? 0 : 1;
  // Most of what is not Latin is Chinese, Japanese or Korean.
  if ((code >= 0x3041 && code < 0x3247 && code !== 0x3099 && code !== 0x309a) || (code >= 0x3400 && code < 0xa48c))
    return 2;
  if (ZERO.test(char)) return 0;
  if (code < 0x1100) return 1;
  for (const [from, to] of WIDE) if (code >= from && code <= to) return 2;
  return EMOJI_WIDE.test(char) ? 2 : 1;
}

const isFlagHalf = (char: string) => char >= '\u{1f1e6}' && char <= '\u{1f1ff}' && char.length === 2;

/** The clusters of a text, each with its width. No control sequences are expected in it. */
export function* clusters(text: string): Generator<Cluster> {
  let cluster = '';
  let width = 0;
  let joined = false;
  let halfFlag = false;
  for (const char of text) {
    const own = baseWidth(char);
    const completesFlag = halfFlag && isFlagHalf(char);
    if (cluster !== '' && (own === 0 || joined || completesFlag)) {
      if (char === EMOJI_STYLE && width === 1 && EMOJI.test(cluster)) width = 2;
      cluster += char;
      joined = char === JOINER && width === 2;
      halfFlag = false;
      continue;
    }
    if (cluster !== '') yield { text: cluster, width };
    cluster = char;
    width = own;
    joined = false;
    halfFlag = isFlagHalf(char);
    if (own === 0 && ZERO.test(char) && char >= '\u{1f3fb}') width = 2;
  }
  if (cluster !== '') yield { text: cluster, width };
}

/** Columns that a line takes. Our own colour sequences count nothing. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  const bare = text.includes('\x1b') ? text.replace(SGR, '') : text;
  let sum = 0;
  for (const { width } of clusters(bare)) sum += width;
  return sum;
}

/** The text, cut with an ellipsis where it is wider than `width`. For text without colour: cut first, paint then. */
export function truncate(text: string, width: number, ellipsis = '…'): string {
  if (PLAIN.test(text) ? text.length <= width : text.length * 2 <= width || displayWidth(text) <= width) return text;
  const [kept] = splitAt(text, Math.max(0, width - displayWidth(ellipsis)));
  return width < displayWidth(ellipsis) ? '' : kept.trimEnd() + ellipsis;
}

/** The text, cut at its beginning: what counts in a path is its end. */
export function truncateStart(text: string, width: number, ellipsis = '…'): string {
  if (displayWidth(text) <= width) return text;
  const parts = [...clusters(text)];
  let room = width - displayWidth(ellipsis);
  let kept = '';
  while (parts.length > 0 && room >= parts.at(-1)!.width) {
    const last = parts.pop()!;
    room -= last.width;
    kept = last.text + kept;
  }
  return ellipsis + kept;
}

/** The text's beginning that fits into `width` columns, and the rest. */
export function splitAt(text: string, width: number): [string, string] {
  if (width <= 0) return ['', text];
  // A slice of at most 16 units a column bounds the work on a line of megabytes; clusters are hardly ever longer.
  const head = text.slice(0, width * 16 + 16);
  if (PLAIN.test(head)) return [text.slice(0, width), text.slice(width)];
  let used = 0;
  let kept = '';
  for (const cluster of clusters(head)) {
    if (used + cluster.width > width) break;
    used += cluster.width;
    kept += cluster.text;
  }
  return [kept, text.slice(kept.length)];
}

/** The text with spaces up to `width` columns; on its left with `align` "right". Wider text stays. */
export function pad(text: string, width: number, align: 'left' | 'right' | 'center' = 'left'): string {
  const missing = Math.max(0, width - displayWidth(text));
  if (align === 'right') return ' '.repeat(missing) + text;
  if (align === 'center') return ' '.repeat(missing >> 1) + text + ' '.repeat(missing - (missing >> 1));
  return text + ' '.repeat(missing);
}
