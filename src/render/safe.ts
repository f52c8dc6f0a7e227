// biome-ignore-all lint/suspicious/noControlCharactersInRegex: control characters are what this file is about
// biome-ignore-all lint/suspicious/noMisleadingCharacterClass: the classes name single code points
import { displayWidth } from './width.ts';

/**
 * Text from a history may hold anything: colour codes of a test run, but also sequences that rename the window, write
 * the clipboard, move the cursor over what was printed, or turn the reading order round. Nothing of it may be obeyed.
 */

/** Whole sequences that only dress text: colours, cursor moves, titles, hyperlinks. Their payload is no text. */
const SEQUENCES =
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)|\x1b[()*+][0-9A-Za-z]|\x1b[=>78]/g;
const OVERSTRUCK = /_\x08|([^\n])\x08\1/g;
const LINE_ENDS = /\r+\n|[\r\v\f\x85\u2028\u2029]/g;
const INVISIBLE = /[\u00ad\u061c\u200b\u200e\u200f\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
const SUSPECT =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb]/;
const RAW = /[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/;

const named = (char: string) => `<U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`;

function visible(char: string): string {
  const code = char.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : named(char);
}

/**
 * The text as a terminal may show it: newlines kept (carriage returns become some), tabs expanded, dressing sequences
 * removed, every other control and every change of direction made visible, invisible characters removed.
 */
export function safeText(text: string, tab = 4): string {
  let safe = text;
  if (SUSPECT.test(safe)) {
    safe = safe
      .toWellFormed()
      .replace(SEQUENCES, '')
      .replace(OVERSTRUCK, '$1')
      .replace(LINE_ENDS, '\n')
      .replace(INVISIBLE, '')
      .replace(DIRECTIONS, named)
      .replace(CONTROLS, visible);
  }
  return safe.includes('\t') ? expandTabs(safe, tab) : safe;
}

/** The text as one line without surrounding space: for titles, names, arguments. */
export function oneLine(text: string): string {
  return safeText(text).replace(/\s+/g, ' ').trim();
}

/** Whether a text holds what a terminal might obey. */
export const isRaw = (text: string) => RAW.test(text);

/** The last gate before the terminal: no control of any kind, no newline, no change of direction. */
export function strictLine(text: string): string {
  return safeText(text).replace(/\n/g, '\u240a');
}

function expandTabs(text: string, tab: number): string {
  return text
    .split('\n')
    .map((line) => {
      if (!line.includes('\t')) return line;
      let column = 0;
      let out = '';
      for (const [i, piece] of line.split('\t').entries()) {
        if (i > 0) {
          const spaces = tab - (column % tab);
          out += ' '.repeat(spaces);
          column += spaces;
        }
        out += piece;
        column += displayWidth(piece);
      }
      return out;
    })
    .join('\n');
}
