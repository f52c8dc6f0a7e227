import { NO_TOKENS, type Session } from '../../src/transcript/session.ts';
import type { Attachment, Notice, Part, Text, Thinking, ToolCall, Turn } from '../../src/transcript/turn.ts';

const where = { offset: 0, line: 1 };

type Loose<T> = Omit<T, 'where'>;

export function aCall(more: Partial<ToolCall>): ToolCall {
  return { type: 'tool_call', name: 'Bash', kind: 'other', input: {}, paths: [], isError: false, where, ...more };
}

export function aTurn(
  parts: readonly (ToolCall | Loose<Text> | Loose<Thinking> | Loose<Notice> | Loose<Attachment>)[],
  more: Partial<Turn> = {},
): Turn {
  return {
    id: 'claude-code:5e955133#3',
    session: 'claude-code:5e955133',
    index: 3,
    anchor: 'a',
    rewound: false,
    parts: parts.map((part) => ({ where, ...part }) as Part),
    ...more,
  };
}

export function aSession(more: Partial<Session> = {}): Session {
  return {
    id: 'claude-code:957f326d-e59f-4b0e-9269-ba5a3a444e23',
    source: 'claude-code',
    nativeId: '957f326d-e59f-4b0e-9269-ba5a3a444e23',
    machine: 'quay-two',
    roots: [],
    models: [],
    client: {},
    children: [],
    pullRequests: [],
    path: '/x',
    status: 'idle',
    gone: false,
    counts: { turns: 3, messages: 14, toolCalls: 11, errors: 1 },
    tokens: NO_TOKENS,
    tokensByModel: {},
    ...more,
  };
}
