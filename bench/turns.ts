import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sessionId } from './synthetic.ts';

/** A session of short turns, which may be very many, and how it goes on. */
export interface TurnsFile {
  readonly path: string;
  /** The lines of the next turn, in which a word stands. */
  next(word: string): string;
}

const BEGIN = Date.parse('2026-10-01T08:00:00Z');
const CWD = '/home/dev/bench/quay';

type Writing = (number: number, said: string) => object[];

/** As Claude Code writes: a prompt and an answer, each with a name and the name of the one before. */
function claudeTurns(): Writing {
  let parent: string | null = null;
  let record = 0;
  const line = (type: string, message: object) => {
    const uuid = `be9c4000-0000-4000-9000-${(++record).toString(16).padStart(12, '0')}`;
    const made = { type, uuid, parentUuid: parent, sessionId: sessionId(1), cwd: CWD, version: '2.1.319', message };
    parent = uuid;
    return { ...made, timestamp: new Date(BEGIN + record * 1000).toISOString() };
  };
  const usage = { input_tokens: 5, output_tokens: 12 };
  return (number, said) => [
    line('user', { role: 'user', content: said }),
    line('assistant', {
      id: `msg_${number}`,
      role: 'assistant',
      model: 'claude-sonnet-4-5-20250929',
      content: [{ type: 'text', text: `Answer ${number}` }],
      usage,
    }),
  ];
}

/** As Codex writes: events, with the sum of all tokens behind each turn. */
function codexTurns(): Writing {
  let record = 0;
  const event = (payload: object) => ({
    timestamp: new Date(BEGIN + record++ * 1000).toISOString(),
    type: 'event_msg',
    payload,
  });
  return (number, said) => {
    const total_token_usage = { input_tokens: 5 * number, output_tokens: 12 * number, total_tokens: 17 * number };
    return [
      event({ type: 'user_message', message: said }),
      event({ type: 'agent_message', message: `Answer ${number}` }),
      event({ type: 'token_count', info: { total_token_usage } }),
    ];
  };
}

const AGENTS = {
  'claude-code': {
    path: join('.claude', 'projects', '-home-dev-bench-quay', `${sessionId(1)}.jsonl`),
    head: [],
    begin: claudeTurns,
  },
  codex: {
    path: join('.codex', 'sessions', '2026', '10', '01', `rollout-2026-10-01T08-00-00-${sessionId(1)}.jsonl`),
    head: [
      {
        timestamp: new Date(BEGIN).toISOString(),
        type: 'session_meta',
        payload: { id: sessionId(1), cwd: CWD, originator: 'codex_cli_rs', cli_version: '0.171.0' },
      },
    ],
    begin: codexTurns,
  },
} as const;

export type Agent = keyof typeof AGENTS;

/** Writes a session of so many turns under a home. */
export function writeTurns(home: string, agent: Agent, turns: number): TurnsFile {
  const { path: below, head, begin } = AGENTS[agent];
  const path = join(home, below);
  mkdirSync(dirname(path), { recursive: true });
  const turn = begin();
  const linesOf = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const file = openSync(path, 'w');
  let number = 0;
  let text = linesOf(head);
  while (number < turns) {
    for (const end = Math.min(turns, number + 1000); number < end; )
      text += linesOf(turn(++number, `Question ${number}`));
    writeSync(file, text);
    text = '';
  }
  closeSync(file);
  return { path, next: (word) => linesOf(turn(++number, `Look at ${word} once more`)) };
}
