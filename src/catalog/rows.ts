import type { Relation, TitleFrom, Tokens } from '../transcript/index.ts';
import type { CatalogSession, CatalogTurn, More } from './listed.ts';

/** Rows of the tables as SQLite gives them, and what they stand for. */

export interface RawSession {
  id: number;
  revision: number;
  key: string;
  source: string;
  native_id: string;
  kind: string;
  title: string | null;
  title_from: string | null;
  cwd: string | null;
  project: string | null;
  branch: string | null;
  remote: string | null;
  started: number | null;
  ended: number | null;
  active: number | null;
  parent: string | null;
  relation: string | null;
  parent_turn: number | null;
  hidden: number;
  gone: number;
  path: string;
  turns: number;
  messages: number;
  tool_calls: number;
  errors: number;
  tokens: string | null;
  more: string;
}

export interface RawTurn {
  turn: number;
  anchor: string;
  started: number | null;
  ended: number | null;
  prompt: string | null;
  rewound: number;
  superseded: number;
  replay_of: number | null;
  own_parts: number | null;
}

export function catalogTurn(row: RawTurn): CatalogTurn {
  return {
    turn: row.turn,
    anchor: row.anchor,
    rewound: row.rewound === 1,
    superseded: row.superseded === 1,
    ...(row.started !== null && { started: row.started }),
    ...(row.ended !== null && { ended: row.ended }),
    ...(row.prompt !== null && { prompt: row.prompt }),
    ...(row.replay_of !== null && { replayOf: row.replay_of }),
    ...(row.own_parts !== null && { ownParts: row.own_parts > 0 ? 'some' : 'none' }),
  };
}

export function catalogSession(row: RawSession): CatalogSession {
  const titleFrom = row.title_from as TitleFrom | null;
  return {
    id: row.id,
    revision: row.revision,
    key: row.key,
    source: row.source,
    nativeId: row.native_id,
    kind: row.kind === 'prompts' ? 'prompts' : 'transcript',
    hidden: row.hidden === 1,
    gone: row.gone === 1,
    path: row.path,
    turns: row.turns,
    messages: row.messages,
    toolCalls: row.tool_calls,
    errors: row.errors,
    // Written by `putSession` alone.
    tokens: JSON.parse(row.tokens ?? '{}') as Record<string, Tokens>,
    more: JSON.parse(row.more) as More,
    ...(row.title !== null && { title: row.title }),
    ...(titleFrom !== null && { titleFrom }),
    ...(row.cwd !== null && { cwd: row.cwd }),
    ...(row.project !== null && { project: row.project }),
    ...(row.branch !== null && { branch: row.branch }),
    ...(row.remote !== null && { remote: row.remote }),
    ...(row.started !== null && { started: row.started }),
    ...(row.ended !== null && { ended: row.ended }),
    ...(row.active !== null && { active: row.active }),
    ...(row.parent !== null && {
      parent: {
        key: row.parent,
        relation: (row.relation ?? 'fork') as Relation,
        ...(row.parent_turn !== null && { turn: row.parent_turn }),
      },
    }),
  };
}
