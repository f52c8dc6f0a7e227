import type { Failure, SessionFacts } from '../agents/source.ts';
import type { Tokens } from '../transcript/index.ts';
import { isWhole } from './sums.ts';

export interface UnitRow {
  readonly id: number;
  readonly source: string;
  readonly path: string;
  readonly layout: string;
  readonly identity: string;
  readonly size: number;
  readonly modified: number;
  readonly reader: number;
  /** Where reading goes on: the offset and the line; absent where nothing was read. */
  readonly readTo?: number;
  readonly readLines?: number;
  readonly failures: readonly Failure[];
  readonly gone: boolean;
}

export interface SessionRow {
  readonly id: number;
  readonly key: string;
  readonly source: string;
  readonly nativeId: string;
  readonly unit: number;
  readonly kind: 'transcript' | 'prompts';
  readonly facts: SessionFacts;
  readonly turns: number;
  readonly started?: number;
  readonly ended?: number;
  readonly firstPrompt?: string;
  readonly secrets: number;
  readonly revision: number;
}

export interface TurnRow {
  readonly turn: number;
  readonly anchor: string;
  readonly started?: number;
  readonly ended?: number;
  readonly after?: number;
  readonly prompt?: string;
}

/** One copy of a call; a figure that the file does not give is 0. */
export interface Sighting {
  readonly key: string;
  readonly turn: number;
  readonly model?: string;
  readonly at?: number;
  readonly tokens: Tokens;
  /** Whether the agent said what it took. */
  readonly isCounted: boolean;
  readonly webSearches: number;
}

export interface RawUnit {
  id: number;
  source: string;
  path: string;
  layout: string;
  identity: string;
  size: number;
  modified: number;
  reader: number;
  read_to: number | null;
  read_lines: number | null;
  failures: string | null;
  gone: number;
}

export interface RawSession {
  id: number;
  key: string;
  source: string;
  native_id: string;
  unit: number;
  kind: string;
  facts: string;
  turns: number;
  open_calls: string | null;
  orphans: string | null;
  started: number | null;
  ended: number | null;
  first_prompt: string | null;
  secrets: number;
  ends_with_prompt: number;
  revision: number;
  sum?: number | null;
}

export interface RawTurn {
  session: number;
  turn: number;
  anchor: string;
  started: number | null;
  ended: number | null;
  after: number | null;
  prompt: string | null;
  sum?: number | null;
}

export interface RawTokens {
  input: number | null;
  cache_read: number | null;
  cache_write_5m: number | null;
  cache_write_1h: number | null;
  output: number | null;
  reasoning: number | null;
}

export interface RawSighting extends RawTokens {
  key: string;
  turn: number;
  model: string | null;
  at: number | null;
  web_searches: number | null;
}

/** The pairs of hash and time in a turn's `records`. */
export function recordsOf(bytes: Uint8Array): Float64Array {
  // The bytes may lie at an odd address in a larger buffer.
  return new Float64Array(bytes.slice().buffer);
}

const NO_FAILURES: readonly Failure[] = [];

export function unitRow(row: RawUnit): UnitRow {
  return {
    id: row.id,
    source: row.source,
    path: row.path,
    layout: row.layout,
    identity: row.identity,
    size: row.size,
    modified: row.modified,
    reader: row.reader,
    gone: row.gone !== 0,
    failures: row.failures === null ? NO_FAILURES : (JSON.parse(row.failures) as Failure[]),
    ...(row.read_to !== null && { readTo: row.read_to }),
    ...(row.read_lines !== null && { readLines: row.read_lines }),
  };
}

/** A session's row; of one that is damaged what tells it apart, and nothing that could be shown in error. */
export function sessionRow(row: RawSession): SessionRow {
  const isTold = isWhole('sessions', { ...row });
  return {
    id: row.id,
    key: row.key,
    source: row.source,
    nativeId: row.native_id,
    unit: row.unit,
    kind: row.kind === 'prompts' ? 'prompts' : 'transcript',
    facts: isTold ? (JSON.parse(row.facts) as SessionFacts) : {},
    turns: row.turns,
    secrets: row.secrets,
    revision: row.revision,
    ...(row.started !== null && { started: row.started }),
    ...(row.ended !== null && { ended: row.ended }),
    ...(isTold && row.first_prompt !== null && { firstPrompt: row.first_prompt }),
  };
}

/** A turn's row; of one that is damaged nothing that could be shown in error. */
export function turnRow(row: RawTurn): TurnRow {
  const { turn, anchor } = row;
  if (!isWhole('turns', { ...row })) return { turn, anchor: String(turn) };
  return {
    turn,
    anchor,
    ...(row.started !== null && { started: row.started }),
    ...(row.ended !== null && { ended: row.ended }),
    ...(row.after !== null && { after: row.after }),
    ...(row.prompt !== null && { prompt: row.prompt }),
  };
}

export function sightingRow(row: RawSighting): Sighting {
  return {
    key: row.key,
    turn: row.turn,
    webSearches: row.web_searches ?? 0,
    tokens: tokensOf(row),
    isCounted: row.input !== null || row.output !== null,
    ...(row.model !== null && { model: row.model }),
    ...(row.at !== null && { at: row.at }),
  };
}

export function tokensOf(row: RawTokens): Tokens {
  return {
    input: row.input ?? 0,
    cacheRead: row.cache_read ?? 0,
    cacheWrite5m: row.cache_write_5m ?? 0,
    cacheWrite1h: row.cache_write_1h ?? 0,
    output: row.output ?? 0,
    reasoning: row.reasoning ?? 0,
  };
}
