import { linearPattern } from '../home/linear-pattern.ts';
import type { Span } from './rule.ts';

/**
 * A pattern sees this much of a line at once: each attempt is linear, but a text has as many places to begin at as it
 * has characters.
 */
const WINDOW = 400;
/** Windows share this much, so that what is shorter is found wherever it stands. */
const SHARED = 200;

/**
 * What finds a user's own pattern in a text: on each line by itself; on long ones what is at most 200 characters.
 * @throws SyntaxError where the pattern is none, or cannot be run in linear time
 */
export function finderOf(source: string): (text: string) => readonly Span[] {
  const pattern = linearPattern(source);
  return (text) => {
    const spans: Span[] = [];
    for (let start = 0; start < text.length; ) {
      const newline = text.indexOf('\n', start);
      const end = newline < 0 ? text.length : newline;
      for (let at = start; at < end; at += WINDOW - SHARED) {
        const stretch = text.slice(at, Math.min(end, at + WINDOW));
        for (const match of stretch.matchAll(pattern))
          if (match[0] !== '') spans.push({ start: at + match.index, end: at + match.index + match[0].length });
        if (at + WINDOW >= end) break;
      }
      start = end + 1;
    }
    return spans;
  };
}
