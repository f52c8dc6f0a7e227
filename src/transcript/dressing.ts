// biome-ignore-all lint/suspicious/noControlCharactersInRegex: control characters are what this file is about

/**
 * What dresses a text for a terminal and is no text: colours, cursor moves, titles, hyperlinks, in seven bits and in
 * eight; and the beginning of such a sequence where the text was cut in it.
 */
const SEQUENCES =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*([@-~]|$)|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)|\x1b[()*+][0-9A-Za-z]|\x1b[=>78cDEHMN]/g;
/** How typewriters, and `man`, print bold and underlined letters. */
const OVERSTRUCK = /_\x08|([^\n])\x08\1/g;

/** The final letter of a sequence that takes what follows elsewhere on the screen. */
const MOVES = /^[@A-JLMPSTXZ`adef]$/;
/** Colour codes without what begins them, as in texts that went through JSON or lost their controls; a word follows. */
const WRITTEN = /\[(?:\d{1,3}(?:;\d{1,3})*)?m(?=[\p{L}\p{N}])/gu;
const WRITTEN_ENDS = ['[0m', '[39m', '[22m'];
const CONTROLS = ['\x1b', '\x9b', '\x9d', '\x90', '\b'];

/**
 * A text as words are looked for in it: without what dresses it for a terminal. Where the cursor was moved the words are
 * apart, and so is a word behind a colour code that is written out.
 */
export function undressed(text: string): string {
  let plain = text;
  if (CONTROLS.some((control) => plain.includes(control)))
    plain = plain
      .replace(SEQUENCES, (_, last: string | undefined) => (last !== undefined && MOVES.test(last) ? ' ' : ''))
      .replace(OVERSTRUCK, '$1');
  if (WRITTEN_ENDS.some((end) => plain.includes(end))) plain = plain.replace(WRITTEN, '$& ');
  return plain;
}
