/**
 * A token in which `*` stands for any run of characters and `?` for any one: no token holds either. Only terms with its
 * literal beginning are looked at.
 */
export function isPattern(token: string): boolean {
  return token.includes('*') || token.includes('?');
}

/** What stands before the first wildcard. */
export function literalBeginning(pattern: string): string {
  return pattern.slice(0, pattern.search(/[*?]/));
}

/** Whether a term matches as a whole. Takes at most the product of their lengths. */
export function matchesPattern(term: string, pattern: string): boolean {
  const letters = [...term];
  const signs = [...pattern];
  let at = 0;
  let sign = 0;
  // Where the last star stands, and from where on it has to take one letter more.
  let star = -1;
  let taken = 0;
  while (at < letters.length) {
    if (signs[sign] === '*') {
      star = sign++;
      taken = at;
    } else if (signs[sign] === '?' || signs[sign] === letters[at]) {
      sign++;
      at++;
    } else if (star >= 0) {
      sign = star + 1;
      taken++;
      at = taken;
    } else return false;
  }
  while (signs[sign] === '*') sign++;
  return sign === signs.length;
}
