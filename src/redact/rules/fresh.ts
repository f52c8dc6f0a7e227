/**
 * What ends in a letter or digit and yet glues nothing to what follows: an escaped character in JSON or in a URL, the
 * colour of a terminal.
 */
const ESCAPE = String.raw`\\[nrtbf]|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|%[0-9A-Fa-f]{2}|\[[0-9;]{0,16}m`;

/**
 * A pattern for `prefix`, of a fixed length, where it begins a word, followed by `rest`. The look behind stands after the
 * prefix so that the engine can search for the prefix's letters. `edge` is what may stand before it.
 */
export function fresh(prefix: string, rest: string, edge = '[^A-Za-z0-9]'): RegExp {
  return new RegExp(`${prefix}(?<=(?:^|${edge}|${ESCAPE})${prefix})${rest}`, 'y');
}
