import type { Tokens } from '../../transcript/index.ts';
import { type Fields, fields, number } from '../fields.ts';

export interface UsageState {
  /** The last total: input, cached input, output, reasoning, written to the cache. */
  total?: Totals;
  /** Each response's usage has a record of its own: totals are only followed. */
  byRecord?: boolean;
  /** The totals go on from another session's. */
  continues?: boolean;
  /** The file begins with a copy of another's records, which may leave out some of them. */
  isCopy?: boolean;
}

type Totals = readonly [input: number, cached: number, output: number, reasoning: number, written: number];

export type Usage = Pick<Tokens, 'input' | 'cacheRead' | 'cacheWrite5m' | 'output' | 'reasoning'>;

/**
 * What a `token_count` adds to the last one. Totals are written again without a new request, which adds nothing, and
 * begin anew where a session is taken up: then all of it is new.
 */
export function added(state: UsageState, info: Fields): Usage | undefined {
  const total = totals(info.total_token_usage);
  if (!total) return undefined;
  const last = totals(info.last_token_usage);
  const before = state.total ?? (state.continues && last ? minus(total, last) : NOTHING);
  state.total = total;
  const isLess = total[0] + total[2] < before[0] + before[2];
  const grown = isLess ? total : minus(total, before);
  // What the copy left out is in the total: only the last request is new.
  const more = state.isCopy && last && last[0] + last[2] < grown[0] + grown[2] ? last : grown;
  return more.every((count) => count === 0) ? undefined : usage(more);
}

/** The usage of one response, from its own record. */
export function ofResponse(said: unknown): Usage | undefined {
  const total = totals(said);
  return total && usage(total);
}

const NOTHING: Totals = [0, 0, 0, 0, 0];

function totals(said: unknown): Totals | undefined {
  const given = fields(said);
  const input = number(given.input_tokens);
  const output = number(given.output_tokens);
  if (input === undefined && output === undefined) return undefined;
  const cached = number(given.cached_input_tokens) ?? number(given.cache_read_input_tokens) ?? 0;
  return [
    input ?? 0,
    cached,
    output ?? 0,
    number(given.reasoning_output_tokens) ?? 0,
    number(given.cache_write_input_tokens) ?? 0,
  ];
}

function minus(a: Totals, b: Totals): Totals {
  const one = (i: 0 | 1 | 2 | 3 | 4) => Math.max(0, a[i] - b[i]);
  return [one(0), one(1), one(2), one(3), one(4)];
}

/** Codex counts cached tokens, read or written, as input too. */
function usage([input, cached, output, reasoning, written]: Totals): Usage {
  return {
    input: Math.max(0, input - cached - written),
    cacheRead: cached,
    cacheWrite5m: written,
    output,
    reasoning,
  };
}
