/**
 * The tokeniser. It gives Unicode words, folded (NFKC, case, accents), identifiers both whole and in parts, and CJK
 * text as overlapping pairs of characters.
 *
 *   getUserName     getusername get user name
 *   max_page-size   max_page_size max page size
 *   src/auth/a.ts   src auth a_ts a ts             (each name of a path whole, and in parts)
 *   数据库            数据 据库
 *
 * The whole of an identifier stands before its parts, which follow each other, so that a phrase finds either.
 */

/** Longer words are cut: nobody types them. */
const LONGEST_WORD = 64;
/** Longer runs of hexadecimal or base64 text are no words: only their beginning is kept. */
const LONGEST_CODE = 40;
const KEPT_OF_A_CODE = 12;

const KIND = { other: 0, lower: 1, upper: 2, digit: 3, joiner: 4, wide: 5 } as const;

/** What each ASCII code is to a word: a letter, a digit, a joiner of an identifier, or an end. */
const CLASS = new Uint8Array(128);
for (let c = 97; c <= 122; c++) CLASS[c] = KIND.lower;
for (let c = 65; c <= 90; c++) CLASS[c] = KIND.upper;
for (let c = 48; c <= 57; c++) CLASS[c] = KIND.digit;
for (const c of '_-.') CLASS[c.charCodeAt(0)] = KIND.joiner;

const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]/u;
const MARKS = /\p{M}+/gu;

/** Whether a UTF-16 unit belongs to a word. Surrogates are taken as letters: astral CJK and emoji. */
function isWide(code: number): boolean {
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba;
  if (code >= 0xd800 && code <= 0xdfff) return true;
  return WORD_CHARACTER.test(String.fromCharCode(code));
}

/** Calls `found` for each run of word characters, with joiners inside it, in a text. */
export function eachRun(text: string, found: (start: number, end: number, plain: boolean) => void): void {
  const length = text.length;
  let i = 0;
  while (i < length) {
    const c = text.charCodeAt(i);
    const kind = c < 128 ? CLASS[c]! : isWide(c) ? KIND.wide : KIND.other;
    if (kind === KIND.other || kind === KIND.joiner) {
      i++;
      continue;
    }
    const start = i;
    let last = i;
    let plain = kind === KIND.lower;
    i++;
    while (i < length) {
      const d = text.charCodeAt(i);
      const next = d < 128 ? CLASS[d]! : isWide(d) ? KIND.wide : KIND.other;
      if (next === KIND.other) break;
      if (next === KIND.joiner) {
        // One joiner between word characters holds an identifier together; two or more part it.
        if (i - last > 1) break;
        plain = false;
      } else {
        last = i;
        if (next !== KIND.lower) plain = false;
      }
      i++;
    }
    found(start, last + 1, plain);
    i = last + 1;
  }
}

/** The tokens of a text, parted by spaces. */
export function tokensOf(text: string): string {
  let out = '';
  eachRun(text, (start, end, plain) => {
    if (plain) {
      if (end - start <= LONGEST_WORD) out += `${text.slice(start, end)} `;
      else out += `${text.slice(start, start + LONGEST_WORD)} `;
    } else out += `${wordTokens(text.slice(start, end)).join(' ')} `;
  });
  return out;
}

/** The tokens of one run: its whole first, then its parts where it has several. */
export function wordTokens(run: string): string[] {
  if (isCode(run)) return [fold(run.slice(0, KEPT_OF_A_CODE))];
  const parts = partsOf(run);
  if (parts.length === 1) return tokensOfPart(parts[0]!);
  const folded = parts.flatMap(tokensOfPart);
  // Parts of a camelCase word are parted by nothing, so its whole is the plain word; joiners are all one.
  const whole = fold(run).replace(/[-.]/g, '_').slice(0, LONGEST_WORD);
  return CJK.test(run) ? folded : [whole, ...folded];
}

function tokensOfPart(part: string): string[] {
  const folded = fold(part);
  if (!NON_ASCII.test(folded) || !CJK.test(folded)) return [folded.slice(0, LONGEST_WORD)];
  return segments(folded).flatMap((segment) => (CJK.test(segment) ? pairs(segment) : [segment.slice(0, LONGEST_WORD)]));
}

const NON_ASCII = /\P{ASCII}/u;

/** NFKC, lower case, without accents: `Größe` gives `grosse`. */
export function fold(word: string): string {
  if (!NON_ASCII.test(word)) return word.toLowerCase();
  return word
    .normalize('NFKD')
    .toLowerCase()
    .replace(MARKS, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .normalize('NFC');
}

/** Splits at joiners, at changes of case, and between letters and digits only where a joiner stands. */
function partsOf(run: string): string[] {
  const parts: string[] = [];
  for (const name of run.split(/[_.-]/)) {
    if (name === '') continue;
    let start = 0;
    for (let i = 1; i < name.length; i++) {
      const before = caseOf(name.charCodeAt(i - 1));
      const here = caseOf(name.charCodeAt(i));
      const after = i + 1 < name.length ? caseOf(name.charCodeAt(i + 1)) : KIND.other;
      const rises = here === KIND.upper && (before === KIND.lower || before === KIND.digit);
      // HTTPServer: the last capital belongs to the next word.
      const turns = here === KIND.upper && before === KIND.upper && after === KIND.lower;
      if (rises || turns) {
        parts.push(name.slice(start, i));
        start = i;
      }
    }
    parts.push(name.slice(start));
  }
  return parts;
}

function caseOf(code: number): number {
  if (code < 128) return CLASS[code]!;
  const character = String.fromCharCode(code);
  if (character.toLowerCase() !== character) return KIND.upper;
  return KIND.lower;
}

/** Long runs of letters and digits without a word in them: hashes, keys, base64. */
function isCode(run: string): boolean {
  if (run.length < LONGEST_CODE) return false;
  let digits = 0;
  for (let i = 0; i < run.length; i++) if (run.charCodeAt(i) >= 48 && run.charCodeAt(i) <= 57) digits++;
  return digits > run.length / 8 && !/[_.-]/.test(run);
}

/** A folded word in stretches of CJK and of other scripts. */
function segments(word: string): string[] {
  const out: string[] = [];
  let wide: boolean | undefined;
  for (const character of word) {
    const isCjk = CJK.test(character);
    if (isCjk === wide) out[out.length - 1] += character;
    else out.push(character);
    wide = isCjk;
  }
  return out;
}

function pairs(segment: string): string[] {
  const characters = [...segment];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, i) => characters[i] + character);
}
