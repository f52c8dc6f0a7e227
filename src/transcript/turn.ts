/** What a person did once: from one real prompt up to the next. Turn 0 is what stands before the first prompt. */
export interface Turn {
  /** `${session.id}#${index}` */
  readonly id: string;
  readonly session: string;
  readonly index: number;
  /** The native id of the prompt's record, else a hash of the prompt and its time. */
  readonly anchor: string;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** The prompt's text; its parts stand in `parts` too, as texts of the user. */
  readonly prompt?: string;
  readonly parts: readonly Part[];
  /** On a branch that was left by a rewind or an edited prompt. */
  readonly rewound: boolean;
  /** No file of the agent's holds it any more: it was written anew without it. */
  readonly superseded?: true;
  /** The id of the session these parts were copied from, where the turn is a replay. */
  readonly replayOf?: string;
}

/** Where a part stands in the agent's own file. */
export interface Where {
  /** Absent where it is the session's own file. */
  readonly path?: string;
  /** Byte offset of the record's line. */
  readonly offset: number;
  /** Line number, from 1. */
  readonly line: number;
}

interface Placed {
  readonly at?: number;
  readonly where: Where;
}

export interface Text extends Placed {
  readonly type: 'text';
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly cut?: Cut;
}

export interface Thinking extends Placed {
  readonly type: 'thinking';
  readonly text: string;
  readonly cut?: Cut;
}

export const TOOL_KINDS = ['read', 'edit', 'write', 'shell', 'search', 'web', 'agent', 'plan', 'mcp', 'other'] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

export interface ToolCall extends Placed {
  readonly type: 'tool_call';
  /** The agent's own id of the call. */
  readonly callId?: string;
  readonly name: string;
  readonly kind: ToolKind;
  /** The arguments as the agent recorded them. */
  readonly input: unknown;
  readonly command?: string;
  readonly paths: readonly string[];
  readonly output?: string;
  readonly cut?: Cut;
  readonly isError: boolean;
  readonly exitCode?: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Where the result stands. */
  readonly outputWhere?: Where;
  /** Id of the sub-agent's session that this call started. */
  readonly child?: string;
}

/** `damage`: what stood here is lost in the archive. */
export type NoticeKind = 'compaction' | 'interruption' | 'command' | 'system' | 'summary' | 'model-change' | 'damage';

export interface Notice extends Placed {
  readonly type: 'notice';
  readonly kind: NoticeKind;
  readonly text: string;
  readonly cut?: Cut;
}

/** Something that came with a message. Never the bytes themselves. */
export interface Attachment extends Placed {
  readonly type: 'attachment';
  readonly kind: string;
  readonly name?: string;
  readonly mime?: string;
  readonly bytes?: number;
}

/** What was left out of a text that was longer than what is kept. */
export interface Cut {
  /** UTF-16 units of the whole text. */
  readonly length: number;
  /** UTF-16 units that were kept, from the beginning. */
  readonly kept: number;
}

export type Part = Text | Thinking | ToolCall | Notice | Attachment;

/**
 * Several files may hold one session: a copy, a backup, what was archived and goes on. One of them leads: its turns are the
 * session's. What only the others hold, and what a file held before it was written anew, stands behind these, numbered from
 * here on: its own may grow.
 */
export const FIRST_OUTSIDE = 1_000_001;

/** Whether a turn stands behind those that the session's own file holds. */
export function isBehind(turn: number): boolean {
  return turn >= FIRST_OUTSIDE;
}
