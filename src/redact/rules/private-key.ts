import type { Span } from '../rule.ts';

/** What is further apart is no pair of markers: a key of 16,384 bits has 13 kB, a PGP key with a photograph more. */
const FARTHEST = 256 * 1024;
/** A run of this many characters of base64 is no word of prose. */
const LONG = 40;

const END = /-{4,6} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/y;
const RUN = /[A-Za-z0-9+/=]+/y;
/** A slash as some JSON writers escape it, inside a run. */
const SLASH = /\\{1,8}\//y;
const HEADER =
  /(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID|Subject|X-[\w-]{1,40}): ?[^\n\r\\"]{0,200}/y;
/** A line break, also one escaped (more than once) in JSON, in a URL, in XML. */
const BREAK = String.raw`[\n\r]|\\{1,8}(?:[nr]|u000[aAdD])|%0[aAdD]|&#(?:10|13|x[aAdD]);`;
/** Blanks and the marks of quotes, comments, tables, diffs and line numbers. */
const MARK = String.raw`[^\S\n\r]|\\{0,8}["']|\\{1,8}t|\\(?=\s)|[${'`'},;|│>#*]|\+(?=\s)|-(?!-)|\d{1,6} ?[→:|\t-]`;
const ONE_BREAK = new RegExp(BREAK);
const EACH_BREAK = new RegExp(BREAK, 'g');
const GAP = new RegExp(`(?:${BREAK}|${MARK}){0,200}`, 'y');
const MARKS = new RegExp(`(?:${MARK}){0,200}`, 'y');
/** What a text that was cut ends in. */
const CUT = /$|\.{3}|…/y;

/** The secret that a BEGIN marker opens: up to its END, or as far as a key's lines go. Nothing where it is only named. */
export function fromBegin(text: string, marker: Span): Span | undefined {
  const close = text.indexOf('----', marker.end);
  const closed = close < 0 || close - marker.end > FARTHEST ? undefined : after(END, text, close);
  const end =
    closed !== undefined && isDense(text.slice(marker.end, close))
      ? (endOfLines(text, closed, true) ?? closed) // a key's lines behind an END: that one was a decoy
      : endOfLines(text, marker.end, false);
  return end === undefined ? undefined : { start: marker.start, end };
}

/** The secret that an END marker closes although its BEGIN was cut off: the key's lines before it. */
export function fromEnd(text: string, marker: Span): Span | undefined {
  // From the marker before this one, so that many markers never make the same stretch be read twice.
  const fence = marker.start < 8 ? -1 : text.lastIndexOf('----', marker.start - 8);
  const floor = Math.max(fence < 0 ? 0 : fence + 4, marker.start - FARTHEST);
  let start: number | undefined;
  let long = false;
  let taken = 0;
  for (const line of linesOf(text, floor, marker.start).reverse()) {
    const first = after(MARKS, text, line.start) ?? line.start;
    let last = line.end;
    while (last > first && !isBase64(text.charCodeAt(last - 1))) last--;
    let from = last;
    while (from > first && isBase64(text.charCodeAt(from - 1))) from--;
    const length = last - from;
    if (length === 0 && last === first) continue;
    // A key's lines are long but for its last, and a checksum below that.
    if (line.end - last > 8 || (from > first ? !isMixed(text.slice(from, last), 16) : length < LONG && taken > 1))
      break;
    long ||= length >= LONG;
    start = from > first ? from : line.start;
    taken++;
    if (from > first) break;
  }
  return long && start !== undefined ? { start, end: marker.end } : undefined;
}

/** Where the lines of a key that begin at `from` end, if any do; `strict` asks for a first line too long for a word. */
function endOfLines(text: string, from: number, strict: boolean): number | undefined {
  let end: number | undefined;
  let inside = false;
  let onlyLong = strict;
  let at = from;
  for (;;) {
    const next = after(GAP, text, at) ?? at;
    const broken = ONE_BREAK.test(text.slice(at, next));
    const closed = inside ? after(END, text, next) : undefined;
    const header = end === undefined && broken ? after(HEADER, text, next) : undefined;
    if (closed !== undefined) {
      // It may be a decoy: a key's lines may follow, but a word after the END is no such line.
      end = closed;
      inside = false;
      onlyLong = true;
      at = closed;
    } else if (header !== undefined) {
      at = header;
    } else {
      const stop = endOfRun(text, next);
      const run = text.slice(next, stop);
      if (!(inside ? continues(text, run, stop, broken) : opens(text, run, stop, broken, onlyLong))) return end;
      inside = true;
      end = stop;
      at = stop;
    }
  }
}

/** Whether a run of base64 behind a marker is the first of a key and not a word. */
function opens(text: string, run: string, stop: number, broken: boolean, onlyLong: boolean): boolean {
  if (run.length >= LONG) return broken || isMixed(run, LONG);
  if (onlyLong) return false;
  return isMixed(run, 20) || (run.length >= (broken ? 8 : 16) && isCut(text, stop));
}

/** Whether a run of base64 behind a line of a key belongs to it: no word, or a line of its own, or the last of all. */
function continues(text: string, run: string, stop: number, broken: boolean): boolean {
  if (run === '') return false;
  if (run.length >= LONG || isMixed(run, 8) || isCut(text, stop)) return true;
  const next = after(GAP, text, stop) ?? stop;
  return after(END, text, next) !== undefined || (broken && ONE_BREAK.test(text.slice(stop, next)));
}

/** Whether most of a text are runs of base64, as between the markers of a key and not between two markers named in prose. */
function isDense(body: string): boolean {
  let sum = 0;
  let mixed = false;
  for (const [run] of body.matchAll(/[A-Za-z0-9+/=]{16,}/g)) {
    sum += run.length;
    mixed ||= isMixed(run, 16);
  }
  return mixed && sum * 2 >= body.length;
}

/** Whether a run has at least `length` characters, and both cases and digits among them. */
function isMixed(run: string, length: number): boolean {
  return run.length >= length && /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run);
}

function endOfRun(text: string, at: number): number {
  let end = at;
  for (;;) {
    const run = after(RUN, text, end) ?? after(SLASH, text, end);
    if (run === undefined) return end;
    end = run;
  }
}

function linesOf(text: string, from: number, to: number): Span[] {
  const lines: Span[] = [];
  let start = from;
  // Searched in the stretch alone: a search in the whole text would read on to a break far behind it, each time.
  for (const found of text.slice(from, to).matchAll(EACH_BREAK)) {
    lines.push({ start, end: from + found.index });
    start = from + found.index + found[0].length;
  }
  lines.push({ start, end: to });
  return lines;
}

function isBase64(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 47 && code <= 57) ||
    code === 43 ||
    code === 61
  );
}

function isCut(text: string, at: number): boolean {
  return after(CUT, text, at) !== undefined;
}

/** Where a sticky pattern's match at `at` ends, if it matches there. */
function after(sticky: RegExp, text: string, at: number): number | undefined {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : undefined;
}
