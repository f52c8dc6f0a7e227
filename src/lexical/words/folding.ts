/** Accents, and what chooses between shapes of a character. Marks of other scripts are letters of a kind: without them words would be other words. */
const ACCENTS = /[\u0300-\u036f\ufe00-\ufe0f]+/g;
/** Nobody writes so many marks on a letter; normalising long runs of them takes quadratic time. */
const MANY_MARKS = /(\p{M}{4})\p{M}+/gu;
const NON_ASCII = /\P{ASCII}/u;

/** What may come of folding beside letters and digits: `⑴` gives `(1)`. */
export const UNWORDLY = /[^\w\P{ASCII}]/gu;

/** NFKC, lower case, without accents: `Größe` gives `grosse`. */
export function fold(word: string): string {
  if (!NON_ASCII.test(word)) return word.toLowerCase();
  const spread = word.replace(MANY_MARKS, '$1').normalize('NFKD').toLowerCase();
  return spread.replace(ACCENTS, '').replaceAll('ß', 'ss').replaceAll('ı', 'i').normalize('NFC');
}
