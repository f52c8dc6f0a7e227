import { AllCursor } from './combine.ts';
import { type Cursor, END, Window } from './cursor.ts';
import type { Top } from './top.ts';

/** Passages of a segment that may be found at all. */
export interface Scope {
  readonly first: number;
  readonly last: number;
  /** Whether a passage is still here and passes the filter. */
  has(passage: number): boolean;
  /** The first passage at or after one that may pass the filter. */
  next(passage: number): number;
}

export interface Count {
  readonly matches: number;
  /** Some passages were passed over without a look. */
  readonly isLeast: boolean;
}

/** Documents of a window: their scores are added up in an array of that size. */
const SIZE = 2048;

/**
 * The best passages that match any of the parts. Window by window of passages, each part says the most that it can
 * give there (the bounds of its blocks, after Ding and Suel 2011). Parts that together cannot lift a passage among the
 * best are only asked about passages that another part has found (MaxScore: Turtle and Flood, "Query Evaluation:
 * Strategies and Optimizations", 1995); a window in which that is all of them is passed over. It gives what
 * block-max WAND gives, without sorting cursors at each step.
 */
export function collectAny(
  parts: readonly Cursor[],
  excluded: Cursor | undefined,
  scope: Scope,
  isExact: boolean,
  top: Top,
): Count {
  const window = new Window(new Float64Array(SIZE), false);
  const { scores, matched } = window;
  const bounds = new Float64Array(parts.length);
  const sums = new Float64Array(parts.length);
  const order = [...parts.keys()];
  let matches = 0;
  let isLeast = false;
  for (let from = scope.next(scope.first); from <= scope.last; from = scope.next(from + SIZE)) {
    const to = Math.min(from + SIZE, scope.last + 1);
    for (let i = 0; i < parts.length; i++) bounds[i] = parts[i]!.bound(from, to);
    order.sort((a, b) => bounds[a]! - bounds[b]!);
    const threshold = top.threshold;
    let sum = 0;
    let helpers = 0;
    for (const [rank, part] of order.entries()) {
      sum += bounds[part]!;
      sums[rank] = sum;
      if (sum * ROUNDING <= (isExact ? 0 : threshold)) helpers = rank + 1;
    }
    if (sum === 0) continue;
    if (helpers > 0 && sums[helpers - 1]! > 0) isLeast = true;
    if (helpers === parts.length) continue;
    for (let rank = helpers; rank < order.length; rank++) {
      const part = order[rank]!;
      const others = sum - bounds[part]!;
      const least = isExact ? 0 : threshold / ROUNDING - others;
      if (bounds[part]! > 0) parts[part]!.collect(from, to, window, Math.max(0, least));
    }
    const help = helpers > 0 ? sums[helpers - 1]! : 0;
    let least = threshold;
    for (let word = 0; word < matched.length; word++) {
      let bits = matched[word]!;
      if (bits === 0) continue;
      matched[word] = 0;
      for (; bits !== 0; bits &= bits - 1) {
        const i = (word << 5) + 31 - Math.clz32(bits & -bits);
        let score = scores[i]!;
        scores[i] = 0;
        if (help > 0 && (score + help) * ROUNDING <= least) continue;
        const passage = from + i;
        if (!scope.has(passage) || excluded?.next(passage) === passage) continue;
        matches++;
        for (let rank = helpers - 1; rank >= 0; rank--) {
          if ((score + sums[rank]!) * ROUNDING <= least) break;
          const part = parts[order[rank]!]!;
          if (part.next(passage) === passage) score += part.score();
        }
        if (score <= least && least > 0) continue;
        top.add(passage, score);
        least = top.threshold;
      }
    }
  }
  return { matches, isLeast: isLeast || window.hasPassedOver };
}

/** Sums of bounds may come out lower than the same sum in another order, by less than this. */
const ROUNDING = 1 + 1e-9;

/** Where even the rarest part has one match in so many passages, to skip to its matches saves nothing. */
const DENSE = 8;

/** The best passages that match all parts and not what is excluded. Every match is counted. */
export function collectAll(parts: readonly Cursor[], excluded: Cursor | undefined, scope: Scope, top: Top): Count {
  const rarest = Math.min(...parts.map((part) => part.cost));
  const isDense = parts.length > 1 && rarest * DENSE > scope.last - scope.first;
  const matches = isDense ? collectMeeting(parts, excluded, scope, top) : collectLed(parts, excluded, scope, top);
  return { matches, isLeast: false };
}

/** The rarest part leads: to score one passage takes less than to ask for its bound. */
function collectLed(parts: readonly Cursor[], excluded: Cursor | undefined, scope: Scope, top: Top): number {
  const cursor = parts.length > 1 ? new AllCursor(parts) : parts[0]!;
  let matches = 0;
  for (let doc = cursor.next(scope.first); doc !== END; doc = cursor.next(doc + 1)) {
    if (!scope.has(doc)) {
      const after = scope.next(doc + 1);
      if (after > scope.last) break;
      doc = after - 1;
      continue;
    }
    if (excluded?.next(doc) === doc) continue;
    matches++;
    top.add(doc, cursor.score());
  }
  return matches;
}

/** Window by window the matches of each part are marked, and scored where that may lift a passage among the best. */
function collectMeeting(parts: readonly Cursor[], excluded: Cursor | undefined, scope: Scope, top: Top): number {
  const scores = new Float64Array(SIZE);
  const windows = parts.map(() => new Window(scores, true));
  const bounds = new Float64Array(parts.length);
  let matches = 0;
  for (let from = scope.next(scope.first); from <= scope.last; from = scope.next(from + SIZE)) {
    const to = Math.min(from + SIZE, scope.last + 1);
    for (let i = 0; i < parts.length; i++) bounds[i] = parts[i]!.bound(from, to);
    if (bounds.includes(0)) continue;
    const sum = bounds.reduce((total, bound) => total + bound, 0);
    const { threshold } = top;
    for (let i = 0; i < parts.length; i++)
      parts[i]!.collect(from, to, windows[i]!, Math.max(0, threshold / ROUNDING - (sum - bounds[i]!)));
    let least = threshold;
    for (let word = 0; word < SIZE >> 5; word++) {
      let some = 0;
      let bits = -1;
      for (const { matched } of windows) {
        some |= matched[word]!;
        bits &= matched[word]!;
        matched[word] = 0;
      }
      for (; bits !== 0; bits &= bits - 1) {
        const i = (word << 5) + 31 - Math.clz32(bits & -bits);
        const passage = from + i;
        if (!scope.has(passage) || excluded?.next(passage) === passage) continue;
        matches++;
        if (scores[i]! <= least && least > 0) continue;
        top.add(passage, scores[i]!);
        least = top.threshold;
      }
      if (some !== 0) scores.fill(0, word << 5, (word + 1) << 5);
    }
  }
  return matches;
}
