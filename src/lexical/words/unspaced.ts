/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tai_Le}\p{Script=New_Tai_Lue}\p{Script=Tai_Tham}\p{Script=Tai_Viet}\p{Script=Javanese}\p{Script=Balinese}ー々]/u;

/** Whether a text holds some that is written without spaces between its words. */
export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text);
}

/** A word in stretches that are written without spaces and others: the first as overlapping pairs of characters. */
export function stretchesOf(word: string): string[] {
  const out: string[] = [];
  let wide: boolean | undefined;
  for (const character of word) {
    const isWide = UNSPACED.test(character);
    if (isWide === wide) out[out.length - 1] += character;
    else out.push(character);
    wide = isWide;
  }
  return out.flatMap((stretch) => (UNSPACED.test(stretch) ? pairs(stretch) : [stretch]));
}

/** Overlapping pairs, and the last character alone: so that a beginning finds every character. */
function pairs(stretch: string): string[] {
  const characters = [...stretch];
  return characters.map((character, i) => character + (characters[i + 1] ?? ''));
}
