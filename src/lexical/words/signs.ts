import { KIND, KINDS } from './runs.ts';

/** Names of languages end so: `C#`, `F#`, `C++`. Behind longer words it is an operator or a heading's anchor. */
const LONGEST_NAME = 2;
/** Numbers of issues. */
const LONGEST_NUMBER = 8;
/** Names that begin with a dot: `.NET`, `.env`. */
const LONGEST_DOTTED = 32;

const [PLUS, DOT, HASH, OPENING] = [43, 46, 35, 40];
/** What stands before a name that begins with a dot: a space, a quote, a path's separator. Behind others it is a call. */
const BEFORE_DOT = new Set([...' \t\n\r/\\"\'`(,:=['].map((sign) => sign.charCodeAt(0)));

/**
 * The stretch that a run of ASCII is together with the sign that belongs to its name (`C#`, `C++`, `.NET`, `#123`), in
 * the units of a text with a 0 at its end; undefined where it is a word alone.
 */
export function signedAt(
  units: Uint16Array,
  start: number,
  end: number,
): { readonly from: number; readonly to: number } | undefined {
  const after = units[end];
  if ((after === HASH || after === PLUS) && end - start <= LONGEST_NAME) {
    const to = after === HASH ? end + 1 : units[end + 1] === PLUS ? end + 2 : end;
    const isName = to > end && isOf(units, start, end, KIND.lower | KIND.upper) && !isWordly(units[to]);
    if (isName) return { from: start, to };
  }
  const before = start > 0 ? units[start - 1] : 0;
  if (before === HASH && end - start <= LONGEST_NUMBER && isOf(units, start, end, KIND.digit))
    return { from: start - 1, to: end };
  const isDotted =
    before === DOT &&
    end - start <= LONGEST_DOTTED &&
    after !== OPENING &&
    isOf(units, start, start + 1, KIND.lower | KIND.upper) &&
    (start === 1 || BEFORE_DOT.has(units[start - 2]!));
  return isDotted ? { from: start - 1, to: end } : undefined;
}

function isOf(units: Uint16Array, from: number, to: number, kinds: number): boolean {
  for (let i = from; i < to; i++) if ((KINDS[units[i]!]! & kinds) === 0) return false;
  return true;
}

function isWordly(unit: number | undefined): boolean {
  return unit !== undefined && (KINDS[unit]! & (KIND.lower | KIND.upper | KIND.digit)) !== 0;
}
