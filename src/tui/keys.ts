/**
 * A key as the picker knows it: `a`, `Ö`, `up`, `enter`, `ctrl-c`, `alt-j`, `paste`. Keys that write something carry it
 * as `text`.
 */
export interface Key {
  readonly name: string;
  readonly text?: string;
}

const ESC = '\x1b';

/** What terminals send behind `ESC [` or `ESC O`, without modifiers. */
const FINALS: ReadonlyMap<string, string> = new Map([
  ['A', 'up'],
  ['B', 'down'],
  ['C', 'right'],
  ['D', 'left'],
  ['F', 'end'],
  ['H', 'home'],
  ['P', 'f1'],
  ['Z', 'backtab'],
]);
/** `ESC [ n ~`. */
const TILDES: ReadonlyMap<string, string> = new Map([
  ['1', 'home'],
  ['3', 'delete'],
  ['4', 'end'],
  ['5', 'pageup'],
  ['6', 'pagedown'],
  ['7', 'home'],
  ['8', 'end'],
  ['11', 'f1'],
]);
const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['\r', 'enter'],
  ['\n', 'enter'],
  ['\t', 'tab'],
  ['\x7f', 'backspace'],
  ['\b', 'backspace'],
  ['\x00', 'ctrl-space'],
]);
/** A whole control sequence: its parameters and its last character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this file is about
const SEQUENCE = /^\x1b(?:\[([0-9;:<=>?]*)[ -/]*([@-~])|O([A-Za-z]))/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the beginning of such a sequence, cut off by the chunk's end
const CUT_OFF = /^\x1b(?:\[[0-9;:<=>?]*[ -/]*|O)?$/;
const PASTE_BEGIN = '\x1b[200~';
const PASTE_END = '\x1b[201~';
/** A pasted text longer than this is no query. */
const LONGEST_PASTE = 4000;

/** Reads keys from what a terminal sends, in whatever pieces it comes. */
export class KeyReader {
  private rest = '';

  /** The keys that are complete now. */
  read(chunk: string): Key[] {
    this.rest += chunk;
    const keys: Key[] = [];
    for (;;) {
      const key = this.next();
      if (!key) return keys;
      if (key.name !== '') keys.push(key);
    }
  }

  /** Whether something waits that may be the beginning of a sequence, or the key Escape alone. */
  get isWaiting(): boolean {
    return this.rest !== '';
  }

  /** Nothing more came: what waits is taken as it is. */
  settle(): Key[] {
    const { rest } = this;
    if (rest === '' || rest.startsWith(PASTE_BEGIN)) return [];
    this.rest = '';
    return rest === ESC ? [{ name: 'escape' }] : [{ name: 'escape' }, ...this.read(rest.slice(1)), ...this.settle()];
  }

  /** The next key; one without a name is a sequence that means nothing here. */
  private next(): Key | undefined {
    const { rest } = this;
    if (rest === '') return undefined;
    if (rest.startsWith(PASTE_BEGIN)) return this.pasted();
    if (!rest.startsWith(ESC)) {
      const char = String.fromCodePoint(rest.codePointAt(0)!);
      return this.take(char.length, plainKey(char));
    }
    const found = SEQUENCE.exec(rest);
    if (found) return this.take(found[0].length, { name: sequenceName(found[1] ?? '', found[2] ?? found[3]!) });
    if (CUT_OFF.test(rest)) return undefined;
    if (rest[1] === ESC) return this.take(1, { name: 'escape' });
    const char = String.fromCodePoint(rest.codePointAt(1)!);
    const { name } = plainKey(char);
    return this.take(1 + char.length, { name: `alt-${name}` });
  }

  private pasted(): Key | undefined {
    const end = this.rest.indexOf(PASTE_END);
    if (end < 0) return undefined;
    const text = this.rest.slice(PASTE_BEGIN.length, end).slice(0, LONGEST_PASTE);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a query is one line
    return this.take(end + PASTE_END.length, { name: 'paste', text: text.replace(/[\x00-\x1f\x7f]+/g, ' ').trim() });
  }

  private take(length: number, key: Key): Key {
    this.rest = this.rest.slice(length);
    return key;
  }
}

function plainKey(char: string): Key {
  const control = CONTROLS.get(char);
  if (control !== undefined) return { name: control };
  const code = char.codePointAt(0)!;
  if (code < 0x1b) return { name: `ctrl-${String.fromCharCode(code + 0x60)}` };
  if (code < 0x20 || (code >= 0x80 && code < 0xa0)) return { name: '' };
  return { name: char, text: char };
}

function sequenceName(parameters: string, final: string): string {
  const [first = '', modifier] = parameters.split(';');
  const name = final === '~' ? TILDES.get(first) : FINALS.get(final);
  if (name === undefined) return '';
  // The second parameter is one more than the sum of shift 1, alt 2, ctrl 4.
  const held = modifier === undefined ? 0 : Number(modifier) - 1;
  return `${held & 4 ? 'ctrl-' : ''}${held & 2 ? 'alt-' : ''}${name}`;
}
