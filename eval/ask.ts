import { piecesOf } from '../src/holdings/passages.ts';
import { wordTokens } from '../src/lexical/words/identifiers.ts';
import { eachRun } from '../src/lexical/words/tokens.ts';
import type { Turn } from '../src/transcript/index.ts';
import { Chance } from '../test/support/chance.ts';
import { type Corpus, type Known, tokensIn } from './turns.ts';

/** How a turn is asked for. */
export const KINDS = ['telling', 'ordinary', 'mistaken', 'error', 'path', 'identifier'] as const;
export type Kind = (typeof KINDS)[number];

export interface Question {
  readonly kind: Kind;
  readonly text: string;
}

/** A word that stands nowhere else would be found by any index; what does, has rivals. */
const FEWEST_TURNS = 2;
/** The share of turns that an ordinary word stands in, about. */
const ORDINARY = 0.01;
const WORDS = 3;
const WORD = /^\p{L}{4,24}$/u;

const ERROR_LINE = /\b(?:error|exception|failed|failure|fatal|panic|cannot|denied|not found|undefined|traceback)\b/i;
const SHORTEST_LINE = 16;
const LONGEST_PIECE = 100;

/** The words that a turn can be asked for by; undefined where it says too little. */
export function tellingWords(corpus: Corpus, turn: Turn): readonly string[] | undefined {
  const said = wordsOf(corpus, textsOf(turn, ['prompt', 'answer']));
  const words = said.length >= WORDS ? said : wordsOf(corpus, textsOf(turn));
  return words.length < WORDS ? undefined : words;
}

/**
 * The ways to ask for a turn: by its three rarest words that stand in another turn too; by three ordinary ones; by two
 * of these and one that it does not hold, as memory has it; and by the rarest line of an error, path and identifier.
 */
export function questionsFor(corpus: Corpus, known: Known, seed: number): Question[] {
  const turn = corpus.read(known);
  const telling = tellingWords(corpus, turn);
  if (!telling) return [];
  const ordinary = ordinaryWords(corpus, telling);
  const stranger = strangerTo(telling, corpus, seed + known.turn);
  const error = rarest(corpus, textsOf(turn, ['output']).flatMap(errorLines));
  const path = rarest(corpus, textsOf(turn, ['paths']).flatMap(pathTails));
  const identifier = rarest(corpus, identifiersIn(textsOf(turn, ['prompt', 'answer', 'tools'])));
  const all: readonly (readonly [Kind, string | undefined])[] = [
    ['telling', telling.slice(0, WORDS).join(' ')],
    ['ordinary', ordinary.join(' ')],
    ['mistaken', stranger && [...ordinary.slice(0, 2), stranger].join(' ')],
    ['error', error],
    ['path', path],
    ['identifier', identifier],
  ];
  return all.flatMap(([kind, text]) => (text === undefined ? [] : [{ kind, text }]));
}

type FieldName = ReturnType<typeof piecesOf>[number]['field'];

function textsOf(turn: Turn, fields?: readonly FieldName[]): string[] {
  return turn.parts.flatMap((part) =>
    piecesOf(part).flatMap(({ field, text }) => (!fields || fields.includes(field) ? [text] : [])),
  );
}

/** Words of letters alone that have rivals, the rarest first. */
function wordsOf(corpus: Corpus, texts: readonly string[]): string[] {
  const words = new Set<string>();
  for (const text of texts)
    eachRun(text, (start, end) => {
      const [word, ...rest] = wordTokens(text.slice(start, end));
      if (word !== undefined && rest.length === 0 && WORD.test(word)) words.add(word);
    });
  return [...words].filter((word) => corpus.turnsWith(word) >= FEWEST_TURNS).sort(byRarity(corpus));
}

/** The rarest first; the alphabet decides between equals. */
function byRarity(corpus: Corpus) {
  return (a: string, b: string) => corpus.turnsWith(a) - corpus.turnsWith(b) || (a < b ? -1 : 1);
}

function ordinaryWords(corpus: Corpus, words: readonly string[]): string[] {
  const aim = Math.log(ORDINARY * corpus.turns.length);
  const distance = (word: string) => Math.abs(Math.log(corpus.turnsWith(word)) - aim);
  return [...words].sort((a, b) => distance(a) - distance(b) || byRarity(corpus)(a, b)).slice(0, WORDS);
}

/** An ordinary word of some other turn. */
function strangerTo(words: readonly string[], corpus: Corpus, seed: number): string | undefined {
  const chance = new Chance(seed);
  const own = new Set(words);
  for (let tries = 0; tries < 50; tries++) {
    const other = tellingWords(corpus, corpus.read(chance.of(corpus.turns)));
    const word = other && ordinaryWords(corpus, other)[0];
    if (word !== undefined && !own.has(word)) return word;
  }
  return undefined;
}

/** The text whose tokens are rarest together: its inverse document frequencies, added up. */
function rarest(corpus: Corpus, texts: readonly string[]): string | undefined {
  const rarity = (text: string) => {
    let sum = 0;
    for (const token of new Set(tokensIn(text)))
      sum += Math.log(corpus.turns.length / Math.max(1, corpus.turnsWith(token)));
    return sum;
  };
  let best: { readonly text: string; readonly rarity: number } | undefined;
  for (const text of new Set(texts)) {
    const one = { text, rarity: rarity(text) };
    if (!best || one.rarity > best.rarity || (one.rarity === best.rarity && one.text < best.text)) best = one;
  }
  return best?.text;
}

/** Lines that tell of a failure, as somebody would paste them. */
function errorLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length >= SHORTEST_LINE && line.length <= 400 && ERROR_LINE.test(line))
    .map(beginningOf);
}

/** The whole words of a line's beginning. */
function beginningOf(line: string): string {
  if (line.length <= LONGEST_PIECE) return line;
  const cut = line.slice(0, LONGEST_PIECE);
  const space = cut.lastIndexOf(' ');
  return space > SHORTEST_LINE ? cut.slice(0, space) : cut;
}

/** The last two names of each path: what people remember of it. */
function pathTails(paths: string): string[] {
  return paths.split('\n').flatMap((path) => /[^\\/]+[\\/][^\\/]+$/.exec(path)?.[0] ?? []);
}

/** Names of several parts: `camelCase`, `snake_case`, `kebab-case`. */
function identifiersIn(texts: readonly string[]): string[] {
  const found: string[] = [];
  for (const text of texts)
    eachRun(text, (start, end, kind) => {
      if (kind !== 'ascii' || end - start < 8 || end - start > 60) return;
      const run = text.slice(start, end);
      if (/^[A-Za-z]{3}/.test(run) && wordTokens(run).length > 2) found.push(run);
    });
  return found;
}
