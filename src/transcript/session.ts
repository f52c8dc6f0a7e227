/** A session as every door shows it. Times are epoch milliseconds UTC; what is not known is absent. */
export interface Session {
  /** `${source}:${nativeId}` */
  readonly id: string;
  readonly source: string;
  readonly nativeId: string;
  readonly machine: string;
  readonly title?: string;
  readonly titleFrom?: TitleFrom;
  readonly cwd?: string;
  /** The folder that its history lies inside, where that is not the agent's own: it is that folder's alone. */
  readonly inside?: string;
  readonly roots: readonly string[];
  readonly project?: string;
  readonly branch?: string;
  readonly remote?: string;
  readonly models: readonly string[];
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** The last record's time, or the file's where no record has one. */
  readonly activeAt?: number;
  readonly client: Client;
  readonly parent?: Parent;
  /** Ids of the sessions that name this one as their parent. */
  readonly children: readonly string[];
  readonly pullRequests: readonly PullRequest[];
  readonly path: string;
  readonly status: Status;
  /** The agent's own file is no more; what was archived stays readable. */
  readonly gone: boolean;
  readonly counts: Counts;
  /** How many of its turns the agent's files do not hold any more, where there are such; they count above too. */
  readonly supersededTurns?: number;
  readonly tokens: Tokens;
  readonly tokensByModel: Readonly<Record<string, Tokens>>;
}

export type TitleFrom = 'user' | 'agent' | 'first-prompt';
export type Status = 'working' | 'waiting' | 'idle' | 'ended' | 'unclean';
export type Relation = 'subagent' | 'fork' | 'continuation';

export interface Parent {
  /** Id of the parent session. */
  readonly id: string;
  readonly relation: Relation;
  /** Id of the parent's turn at which this session leaves it. */
  readonly at?: string;
}

export interface Client {
  readonly name?: string;
  readonly version?: string;
  /** Where the agent ran: a terminal, an editor, a desktop program, an SDK. */
  readonly surface?: string;
  readonly provider?: string;
  readonly policy?: string;
  /** How hard the model was to think, in the agent's words. */
  readonly effort?: string;
  /** The time zone's name that the agent told the model. */
  readonly timezone?: string;
}

export interface PullRequest {
  readonly number?: number;
  readonly url: string;
  readonly repository?: string;
}

export interface Counts {
  readonly turns: number;
  /** Real prompts and answers' texts. */
  readonly messages: number;
  readonly toolCalls: number;
  readonly errors: number;
}

/** `input` never includes cached tokens; `reasoning` is the part of `output` that was thought. */
export interface Tokens {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly output: number;
  readonly reasoning: number;
}

export const NO_TOKENS: Tokens = {
  input: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
};

/** The sum of two token counts, field by field. */
export function addTokens(a: Tokens, b: Tokens): Tokens {
  return {
    input: a.input + b.input,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite5m: a.cacheWrite5m + b.cacheWrite5m,
    cacheWrite1h: a.cacheWrite1h + b.cacheWrite1h,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
  };
}

/** What calls took: how many there were, and their tokens. */
export interface Spent {
  readonly calls: number;
  readonly tokens: Tokens;
}

export const NOTHING_SPENT: Spent = { calls: 0, tokens: NO_TOKENS };

/** The sum of what two calls took, the second so many times. */
export function addSpent(a: Spent, b: Spent, times: 1 | -1 = 1): Spent {
  const { input, cacheRead, cacheWrite5m, cacheWrite1h, output, reasoning } = b.tokens;
  const tokens = addTokens(a.tokens, {
    input: times * input,
    cacheRead: times * cacheRead,
    cacheWrite5m: times * cacheWrite5m,
    cacheWrite1h: times * cacheWrite1h,
    output: times * output,
    reasoning: times * reasoning,
  });
  return { calls: a.calls + times * b.calls, tokens };
}

/** One request to a model, as the agent recorded it. `key` is the same in every copy of it. */
export interface Call extends Partial<Tokens> {
  readonly key: string;
  readonly turn: number;
  readonly model?: string;
  readonly at?: number;
  readonly contextWindow?: number;
  readonly webSearches?: number;
  readonly reportedCost?: number;
}

/** How much of an account's limits was used at a time, as the agent recorded it. */
export interface Limit {
  readonly at: number;
  readonly plan?: string;
  readonly primary?: LimitWindow;
  readonly secondary?: LimitWindow;
}

export interface LimitWindow {
  readonly usedPercent: number;
  readonly windowMinutes?: number;
  /** Milliseconds. */
  readonly resetsAt?: number;
}
