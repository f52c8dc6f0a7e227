import type { Attachment, Call, Client, Cut, Limit, Part, PullRequest, Relation, Where } from '../transcript/index.ts';
import type { Installer } from './install.ts';
import type { NotShown } from './not-shown.ts';

/** What a source may know of the machine: never read from `process` inside a source, so that tests can set it. */
export interface Environment {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Folders where agents are known to have worked, where histories that lie inside them are to be read too. */
  readonly projects: readonly string[];
}

/** A folder that may hold a history. */
export interface Root {
  readonly path: string;
  /** How the folder is laid out, in the source's own words. */
  readonly layout: string;
  /** It lies inside this folder, which an agent merely worked in: whoever wrote that may have written the history. */
  readonly inside?: string;
}

/** What a listing of units meets besides them. */
export interface Encounters {
  /** Something is there and cannot be read. */
  unreadable?(path: string, reason: string): void;
  /** A link leads out of the agent's own home, and is not followed. */
  leadsOut?(link: string): void;
  /** A folder is about to be listed. */
  listed?(folder: string): void;
}

/** A file, a row of a database, a remote session: what is read as one piece. Cheap to list. */
export interface Unit {
  readonly source: string;
  /** Where it lies; a row of a listing is `<the listing's path>#<its key>` (`rowPath`). */
  readonly path: string;
  readonly layout: string;
  /**
   * `append` formats resume at a checkpoint; `snapshot` formats are read whole whenever their mark is another one. A
   * `listing` is not read: its `rows` are units.
   */
  readonly format: 'append' | 'snapshot' | 'listing';
  /** Bytes; of a row, which has none, a number that grows with it. */
  readonly size: number;
  /** Milliseconds; with `size` and `identity` the mark of change. */
  readonly modified: number;
  /** What stays when the file is renamed: device and inode; of a row its key. */
  readonly identity: string;
  /** One session and its sub-agents are all that it holds: where that one is not to be kept, it is not read on. */
  readonly isOneSession?: boolean;
  /** Files beside it tell of it too, and are in `modified`: it is read on when they change, though it did not grow. */
  readonly isToldBeside?: boolean;
  /** As of the root: the folder that the history lies inside, where that is not the agent's own. */
  readonly inside?: string;
}

/** Where a reader may go on. `state` is the reader's own, at most 64 kB as JSON. */
export interface Checkpoint {
  readonly offset: number;
  readonly line: number;
  readonly state: unknown;
  /** Hashes of the first and of the last 4 kB before `offset`: they tell an append from a rewrite. */
  readonly headHash: string;
  readonly tailHash: string;
}

/** What a source knows of a session. Later facts replace earlier ones; lists are united. */
export interface SessionFacts {
  /** `prompts`: all that is left is the prompts, in the agent's own prompt history. */
  readonly kind?: 'transcript' | 'prompts';
  readonly titles?: Titles;
  readonly cwd?: string;
  readonly roots?: readonly string[];
  readonly branch?: string;
  readonly remote?: string;
  readonly models?: readonly string[];
  readonly client?: Client;
  /** The native id of the parent, where the layout or a record says it. */
  readonly parent?: { readonly nativeId: string; readonly relation: Relation };
  /** The id of the parent's tool call that started this session. */
  readonly startedBy?: string;
  readonly pullRequests?: readonly PullRequest[];
  /** A repetition inside another file: where the session has a file of its own, that one is shown. */
  readonly isEcho?: boolean;
  /** The agent itself took the conversation on here, in the background: no person forked it. */
  readonly isHandedOver?: boolean;
  /** The folder that the history lies inside, where that is not the agent's own. */
  readonly inside?: string;
  /** The native id of the transcript that would hold these prompts. */
  readonly transcript?: string;
  readonly activeAt?: number;
}

/** All names a session was given, by who gave them. */
export interface Titles {
  readonly user?: string;
  readonly agent?: string;
  /** Made by a model, to be replaced by any of the above. */
  readonly generated?: string;
  /** Summaries name the session that holds their leaf record, often another one. */
  readonly summaries?: readonly { readonly text: string; readonly leaf: string }[];
}

export interface ToolResult {
  readonly output?: string;
  readonly cut?: Cut;
  readonly isError: boolean;
  readonly exitCode?: number;
  readonly paths?: readonly string[];
  readonly child?: string;
  readonly at?: number;
  readonly where: Where;
  /** The call runs on after this: how it ended comes later (`late`), without an output of its own. */
  readonly stage?: 'runs-on' | 'late';
  /** Images and files inside the result. */
  readonly attachments?: readonly Attachment[];
}

export interface Failure {
  readonly path: string;
  readonly line?: number;
  readonly reason: string;
  /** So many further ones of the file are not told by themselves. */
  readonly more?: number;
  /** The version of the reader that fails on the file as it is, as often as it is tried. */
  readonly under?: number;
}

/** Counts since the last checkpoint. */
export interface Tally {
  readonly records: number;
  readonly bytes: number;
  /** Record types never seen before, with counts. */
  readonly unknown: Readonly<Record<string, number>>;
  /** What is known and not shown, by kind. `docs/sources.md` says of each kind what it is. */
  readonly notShown: NotShown;
  readonly failures: readonly Failure[];
}

/**
 * What a reader tells, in the order of the file. `session` is the native id; `record` is the native id of the record
 * that a thing stands in, by which copies of it in other files are recognised.
 */
export type SourceEvent =
  | { readonly type: 'session'; readonly session: string; readonly facts: SessionFacts }
  | {
      readonly type: 'turn';
      readonly session: string;
      /** The native id of the prompt's record; where there is none, the turn is known by its prompt and time. */
      readonly anchor?: string;
      readonly record?: string;
      /** The record this turn follows in the conversation's tree; absent where the file does not say. */
      readonly after?: string;
      readonly at?: number;
    }
  | {
      readonly type: 'part';
      readonly session: string;
      readonly part: Part;
      readonly record?: string;
      /** The same message was written again, longer: this part takes the place of the last one of its type. */
      readonly grows?: boolean;
    }
  | {
      readonly type: 'result';
      readonly session: string;
      readonly callId: string;
      readonly record?: string;
      readonly result: ToolResult;
    }
  /** A record that shows nothing but is a link of the tree. */
  | { readonly type: 'link'; readonly session: string; readonly record: string }
  | { readonly type: 'call'; readonly session: string; readonly call: Omit<Call, 'turn'> }
  | { readonly type: 'limit'; readonly session: string; readonly limit: Limit }
  /** A time at which something happened, where no part tells it. */
  | { readonly type: 'time'; readonly session: string; readonly at: number }
  /** All before it may be kept. The last one ends the reading. */
  | { readonly type: 'checkpoint'; readonly checkpoint: Checkpoint; readonly tally: Tally; readonly isLast: boolean };

/** How to take a session up again in its agent. */
export interface Resume {
  readonly argv: readonly string[];
  readonly cwd?: string;
}

export interface Resumable {
  readonly nativeId: string;
  readonly cwd?: string;
  /** Where the agent ran, as its client's `surface`. */
  readonly surface?: string;
  /** The session at the top, where this is a sub-agent's. */
  readonly root?: { readonly nativeId: string; readonly cwd?: string };
}

/** What a source may tell besides turns, and what each means to a user. The order is that of the matrix. */
export const CAPABILITIES = {
  titles: 'names that the agent or its user gave to sessions',
  project: 'the folder a session worked in',
  times: 'when each turn was',
  thinking: 'what the model thought, where that is readable',
  tools: 'tool calls with arguments and results',
  errors: 'which calls failed',
  files: 'the files that calls touched',
  models: 'which model answered',
  tokens: 'what each call cost, in tokens',
  subagents: 'sessions that another session started, linked both ways',
  forks: 'sessions that go on from another one',
  rewinds: 'turns that were left behind',
  resume: 'the command that takes a session up again',
} as const;

export type Capability = keyof typeof CAPABILITIES;

/** Folders that an agent, or a program that starts agents, makes for its work. Names are in small letters. */
export interface FolderLayout {
  /** The names that tell it, one below the other. */
  readonly below: readonly string[];
  /**
   * What is told by the names beside these: the repository that they stand in, the repository's name before or after
   * that of the worktree, or nothing, where a folder is made for a conversation alone.
   */
  readonly holds: 'worktrees of the folder above' | 'repository/worktree' | 'worktree/repository' | 'scratch';
}

type Named = Readonly<Record<string, unknown>>;

/** One kind of history. */
export interface Source {
  readonly id: string;
  readonly label: string;
  /** How our server and skill are put into it, where it takes them. */
  readonly install?: Installer;
  /** Where it makes folders of its own to work in. */
  readonly folders?: readonly FolderLayout[];
  /** Raised when the reader reads more or better: every unit is read again. */
  readonly version: number;
  readonly capabilities: readonly Capability[];
  /** Why what is read is not known to be right: no file that the agent itself wrote was seen. */
  readonly unverified?: string;
  roots(env: Environment): Root[];
  units(root: Root, met?: Encounters): AsyncIterable<Unit>;
  /**
   * The units that a listing (a database, an index, a page of an API) holds, all of them.
   * @throws where they cannot be told now: what was kept of them then stays as it is
   */
  rows?(listing: Unit): Iterable<Unit> | AsyncIterable<Unit>;
  /** The folders below which units appear and grow, and single files beside them: what is watched. Without it, the root. */
  places?(root: Root): { readonly folders: readonly string[]; readonly files: readonly string[] };
  /**
   * The unit that a path is or is part of, if it is one: a database for its log, a session for a file beside it. Cheap,
   * since it is asked of many paths; without it a change means that the root is listed again.
   */
  unitAt?(root: Root, path: string): Unit | undefined;
  read(unit: Unit, from?: Checkpoint): AsyncIterable<SourceEvent>;
  /** The records of a unit as they stand there, the first being number 1 (`Where.line`), for `show --raw`; else the file's lines. */
  records?(unit: Unit): Iterable<string>;
  /** The native id of the session that calls our server, where the agent tells: in what it adds to a call, or in the environment. */
  caller?(meta: Named, variables: Named): unknown;
  /** The agent's own command that takes a session up again; undefined where it has none for this one. */
  resume?(session: Resumable, options: { readonly prompt?: string }): Resume | undefined;
}
