/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tai_Le}\p{Script=New_Tai_Lue}\p{Script=Tai_Tham}\p{Script=Tai_Viet}\p{Script=Javanese}\p{Script=Balinese}ー々]/u;
/** Whether a unit is of such a script: 1 yes, 2 no, 0 not looked up yet. */
const KNOWN = new Uint8Array(0x10000);

/** Whether a text holds some that is written without spaces between its words. */
export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text);
}

/** A word in stretches that are written without spaces and others: the first as overlapping pairs of characters. */
export function stretchesOf(word: string): string[] {
  const out: string[] = [];
  /** Where the stretch begins, and whether its characters are parted. */
  let begin = 0;
  let isWide = false;
  let last = '';
  for (let i = 0; i < word.length; ) {
    const length = word.codePointAt(i)! > 0xffff ? 2 : 1;
    const character = word.slice(i, i + length);
    const isHere = length === 1 ? isUnspacedUnit(word.charCodeAt(i)) : UNSPACED.test(character);
    if (isWide && last !== '') out.push(isHere ? last + character : last);
    else if (!isWide && isHere && i > begin) out.push(word.slice(begin, i));
    if (isHere !== isWide) begin = i;
    last = character;
    isWide = isHere;
    i += length;
  }
  if (isWide) out.push(last);
  else if (begin < word.length) out.push(word.slice(begin));
  return out;
}

function isUnspacedUnit(unit: number): boolean {
  let known = KNOWN[unit]!;
  if (known === 0) {
    known = UNSPACED.test(String.fromCharCode(unit)) ? 1 : 2;
    KNOWN[unit] = known;
  }
  return known === 1;
}
