/** A word as a shell takes it whole. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) && !word.startsWith('~') ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
