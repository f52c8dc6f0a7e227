import type { Span } from '../rule.ts';

/** A header of fewer characters than this says nothing: `{"alg":"x"}` has 15. */
const SHORTEST_HEADER = 11;

/**
 * The whole JWT whose second part was found: from where its header begins in the run of characters before. Going back
 * from there reads each run once, whatever the text holds; going forward from each `eyJ` would not.
 */
export function fromSecondPart(text: string, part: Span): Span | undefined {
  let from = part.start;
  while (from > 0 && text[from - 1] === '=') from--;
  while (from > 0 && isBase64Url(text.charCodeAt(from - 1))) from--;
  const header = text.slice(from, part.start).indexOf('eyJ');
  const start = from + header;
  return header < 0 || part.start - start < SHORTEST_HEADER ? undefined : { start, end: part.end };
}

function isBase64Url(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 45 ||
    code === 95
  );
}
