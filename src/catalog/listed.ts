import type { Client, PullRequest, Relation, TitleFrom, Tokens } from '../transcript/index.ts';

/** A session as the catalog lists it. */
export interface CatalogSession {
  readonly id: number;
  readonly revision: number;
  readonly key: string;
  readonly source: string;
  readonly nativeId: string;
  readonly kind: 'transcript' | 'prompts';
  readonly title?: string;
  readonly titleFrom?: TitleFrom;
  readonly cwd?: string;
  readonly project?: string;
  readonly branch?: string;
  readonly remote?: string;
  readonly started?: number;
  readonly ended?: number;
  readonly active?: number;
  readonly parent?: { readonly key: string; readonly relation: Relation; readonly turn?: number };
  readonly hidden: boolean;
  readonly gone: boolean;
  readonly path: string;
  readonly turns: number;
  readonly messages: number;
  readonly toolCalls: number;
  readonly errors: number;
  readonly tokens: Readonly<Record<string, Tokens>>;
  readonly more: More;
}

/** What is shown of a session but never searched by. */
export interface More {
  readonly roots: readonly string[];
  readonly models: readonly string[];
  readonly client: Client;
  readonly pullRequests: readonly PullRequest[];
  /** The last thing is a prompt or a tool call without a result. */
  readonly pending: boolean;
  readonly startedBy?: string;
  /** The folder that its history lies inside, where that is not the agent's own: whoever wrote it may have made it up. */
  readonly inside?: string;
}

export interface CatalogTurn {
  readonly turn: number;
  readonly anchor: string;
  readonly started?: number;
  readonly ended?: number;
  readonly prompt?: string;
  readonly rewound: boolean;
  /** No file of the session holds it any more. */
  readonly superseded: boolean;
  /** The session that shows this turn, or the first of its parts that this one does not. */
  readonly replayOf?: number;
  /** Which of its parts are this session's own; absent where all are. */
  readonly ownParts?: 'some' | 'none';
}
