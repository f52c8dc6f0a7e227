import { filtersFrom, type Reading } from './filters.ts';
import { kindOf, type TextKind } from './pasted.ts';
import { type Clause, FIELD_NAMES, type FieldName, TIME_FIELDS, type TimeField, type Word } from './query.ts';

/** What a query is made of, in order. */
export type Piece =
  | { readonly type: 'open'; readonly negated: boolean }
  | { readonly type: 'close' }
  | { readonly type: 'or' }
  /** A word of no special form, which plain language may be made of. */
  | { readonly type: 'bare'; readonly word: Word }
  | { readonly type: 'clause'; readonly clause: Clause; readonly negated: boolean };

const FIELDS: ReadonlyMap<string, FieldName | 'word'> = new Map([
  ...FIELD_NAMES.map((name) => [name, name] as const),
  ['word', 'word'] as const,
]);
const FIELD = /([a-z]{2,8}):/iy;
const SPACE = /\s*/y;
/** Words of a time: `the last couple of days`. */
const LONGEST_TIME = 6;
/** Deeper groups are text. */
const DEEPEST = 24;

/** Cuts a query into pieces. */
export function piecesOf(text: string, reading: Reading): Piece[] {
  return new Lexer(text, kindOf(text), reading).read();
}

export function wordOf(text: string): Word {
  return text.length > 1 && text.endsWith('*')
    ? { type: 'word', text: text.slice(0, -1), prefix: true }
    : { type: 'word', text, prefix: false };
}

class Lexer {
  private readonly text: string;
  private readonly kind: TextKind;
  private readonly reading: Reading;
  /** Offsets of the parentheses that make groups. */
  private readonly groups: ReadonlySet<number>;
  private at = 0;

  constructor(text: string, kind: TextKind, reading: Reading) {
    this.text = text;
    this.kind = kind;
    this.reading = reading;
    this.groups = kind !== 'query' || !text.includes('(') ? new Set() : groupsIn(text);
  }

  read(): Piece[] {
    const pieces: Piece[] = [];
    for (;;) {
      SPACE.lastIndex = this.at;
      SPACE.test(this.text);
      this.at = SPACE.lastIndex;
      if (this.at >= this.text.length) return pieces;
      const piece = this.next();
      if (piece) pieces.push(piece);
    }
  }

  private next(): Piece | undefined {
    const { text, groups, at } = this;
    if (groups.has(at)) {
      this.at++;
      return text[at] === '(' ? { type: 'open', negated: false } : { type: 'close' };
    }
    if (text[at] === '-' && groups.has(at + 1) && text[at + 1] === '(') {
      this.at += 2;
      return { type: 'open', negated: true };
    }
    const negated = text[at] === '-';
    const begin = negated ? at + 1 : at;
    return this.quoted(begin, negated) ?? this.field(begin, negated) ?? this.bare(negated);
  }

  /** `"a phrase"`, to its closing quote. */
  private quoted(begin: number, negated: boolean): Piece | undefined {
    const quoted = this.quotation(begin);
    if (!quoted) return undefined;
    this.at = quoted.end;
    const isEmpty = quoted.value.trim() === '';
    return isEmpty ? undefined : { type: 'clause', negated, clause: { type: 'phrase', text: quoted.value } };
  }

  /** `field:value`, `field:"a value",another`. What is pasted is text where the field cannot take a value. */
  private field(begin: number, negated: boolean): Piece | undefined {
    FIELD.lastIndex = begin;
    const name = FIELDS.get(FIELD.exec(this.text)?.[1]?.toLowerCase() ?? '');
    if (name === undefined) return undefined;
    let i = begin + name.length + 1;
    if (isTimeField(name) && this.text[i] !== '"') return this.time(name, i, negated);
    const values: string[] = [];
    for (;;) {
      const quoted = this.quotation(i, ',');
      const end = quoted?.end ?? this.endOfValue(i, name);
      const value = quoted?.value ?? this.text.slice(i, end);
      if (value.trim() !== '') values.push(value);
      i = end;
      if (this.text[i] !== ',') break;
      i++;
    }
    const clause = this.clauseOf(name, values);
    if (!clause) return undefined;
    this.at = i;
    return { type: 'clause', clause, negated };
  }

  /** A time without quotes may be of several words: `since:last friday`. */
  private time(name: TimeField, begin: number, negated: boolean): Piece | undefined {
    const ends: number[] = [];
    for (let i = begin; ends.length < LONGEST_TIME && i < this.text.length && !this.isEnd(i); ) {
      while (i < this.text.length && !this.isEnd(i)) i++;
      ends.push(i);
      if (this.text[i] === ' ') i++;
    }
    const read = (end: number) => this.clauseOf(name, [this.text.slice(begin, end)]);
    const [shortest] = ends;
    if (shortest === undefined) return undefined;
    const end = ends.findLast((one) => read(one)?.type === 'filter') ?? shortest;
    const clause = read(end);
    if (!clause) return undefined;
    this.at = end;
    return { type: 'clause', clause, negated };
  }

  private clauseOf(name: FieldName | 'word', values: readonly string[]): Clause | undefined {
    if (name === 'word') return values.length === 1 ? wordOf(values[0]!) : undefined;
    const of = filtersFrom(name, values, this.reading);
    if (this.kind === 'paste' && of.some((one) => one.type === 'unreadable')) return undefined;
    return of.length > 1 ? { type: 'or', of } : of[0];
  }

  /** Where a value without quotes ends: at the comma of a list, else with the word. */
  private endOfValue(begin: number, name: string): number {
    let i = begin;
    while (i < this.text.length && !this.isEnd(i) && !(name !== 'word' && this.text[i] === ',')) i++;
    return i;
  }

  /** A word, an exclusion of one, `OR`. Quotes at its ends that close nothing are left out. */
  private bare(negated: boolean): Piece | undefined {
    const { text } = this;
    const begin = this.at;
    while (this.at < text.length && !this.isEnd(this.at)) this.at++;
    const token = text.slice(begin, this.at);
    if (token === 'OR' && this.kind === 'query') return { type: 'or' };
    const excluded = negated && this.kind === 'query' && isExclusion(token);
    const word = trimmed(excluded ? token.slice(1) : token);
    if (word === '') return undefined;
    if (excluded) return { type: 'clause', clause: wordOf(word), negated: true };
    const isPlain = this.kind === 'query' && word === token && !word.endsWith('*');
    return isPlain ? { type: 'bare', word: wordOf(word) } : { type: 'clause', clause: wordOf(word), negated: false };
  }

  private isEnd(i: number): boolean {
    const code = this.text.charCodeAt(i);
    return isSpace(code) || this.groups.has(i);
  }

  /** What stands between a quote and the next, `""` for a quote itself; undefined where that one closes nothing. */
  private quotation(begin: number, alsoAfter = ''): { readonly value: string; readonly end: number } | undefined {
    const { text } = this;
    if (text[begin] !== '"') return undefined;
    let i = begin + 1;
    for (;;) {
      const quote = text.indexOf('"', i);
      if (quote < 0) return undefined;
      const after = quote + 1;
      if (after >= text.length || this.isEnd(after) || (alsoAfter !== '' && text[after] === alsoAfter))
        return { value: text.slice(begin + 1, quote).replaceAll('""', '"'), end: after };
      if (text[after] !== '"') return undefined;
      i = after + 1;
    }
  }
}

function isTimeField(name: FieldName | 'word'): name is TimeField {
  return TIME_FIELDS.some((field) => field === name);
}

const CLOSE = 41;

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || (code >= 160 && /\s/.test(String.fromCharCode(code)));
}

/** Whether `-…` leaves something out: not a flag (`-v`, `--all`), a number (`-1`) or an arrow (`->`). */
function isExclusion(token: string): boolean {
  if (/^-\p{Extended_Pictographic}/u.test(token)) return true;
  return /^-["'(]*[\p{L}\p{N}_.@#/]/u.test(token) && /\p{L}.|.\p{L}/u.test(token.slice(1)) && !/^--/.test(token);
}

/** Without the quotes at its ends. */
function trimmed(token: string): string {
  let [from, to] = [0, token.length];
  while (from < to && token[from] === '"') from++;
  while (to > from && token[to - 1] === '"') to--;
  return token.slice(from, to);
}

/**
 * The offsets of the parentheses that make groups: an opening one before a word and a closing one after, that belong
 * together. Those inside words (`call(x)`) belong to the words, and what stands in quotes is not looked at.
 */
function groupsIn(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  const open: number[] = [];
  let inWord = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isSpace(code)) inWord = 0;
    else if (code === 34) i = endOfQuotation(text, i);
    else if (code === 40) {
      if (isBefore(text, i, open)) open.push(i);
      else inWord++;
    } else if (code === CLOSE) {
      if (inWord > 0) inWord--;
      else if (isAfter(text, i) && open.length > 0) {
        const begin = open.pop()!;
        if (open.length < DEEPEST) {
          found.add(begin);
          found.add(i);
        }
      }
    }
  }
  return found;
}

function isBefore(text: string, i: number, open: readonly number[]): boolean {
  let before = i - 1;
  if (before >= 0 && text[before] === '-') before--;
  return before < 0 || isSpace(text.charCodeAt(before)) || open.at(-1) === before;
}

function isAfter(text: string, i: number): boolean {
  return i + 1 >= text.length || isSpace(text.charCodeAt(i + 1)) || text.charCodeAt(i + 1) === CLOSE;
}

/** The quote that closes the one at `begin`, or that one itself where none does. */
function endOfQuotation(text: string, begin: number): number {
  const before = text.charCodeAt(begin - 1);
  const isOpening = begin === 0 || isSpace(before) || before === 40 || before === 45 || before === 58 || before === 44;
  if (!isOpening) return begin;
  for (let i = begin + 1; ; i += 2) {
    i = text.indexOf('"', i);
    if (i < 0) return begin;
    if (text[i + 1] !== '"') return i + 1 >= text.length || /[\s),]/.test(text[i + 1]!) ? i : begin;
  }
}
