import type { NotShown } from '../agents/not-shown.ts';
import type { Checkpoint, SessionFacts, Tally } from '../agents/source.ts';
import type { Call, Limit, Part, ToolKind } from '../transcript/index.ts';

/** A run of parts of one turn, as it is stored. */
export interface ChunkBody {
  readonly parts: Part[];
  /** For each part the hash of the record it stands in, 0 where the record has no name. */
  readonly records: number[];
  /** What stood here is lost: a notice stands in its place. */
  readonly isDamaged?: true;
}

/** A tool call that waits for its result: where its part lies, and whether its command prints secrets. */
export type OpenCall = readonly [turn: number, chunk: number, part: number, told?: 'all' | 'some'];

/** What the writer knows of a session that a reading goes on with. */
export interface SessionTail {
  readonly nativeId: string;
  readonly turns: number;
  /** The last turn's last chunk, to be gone on with. Absent where each event begins a new turn. */
  readonly last?: { readonly turn: number; readonly chunk: number; readonly first: number; readonly body: ChunkBody };
  readonly openCalls: Readonly<Record<string, OpenCall>>;
  /** Results without their call. */
  readonly orphans: Readonly<Record<string, OpenCall>>;
}

export interface TurnDelta {
  readonly turn: number;
  /** The facts of a turn that begins here; absent where an earlier turn goes on. */
  readonly begun?: { readonly anchor: string; readonly after?: number; readonly prompt?: string };
  readonly started?: number;
  readonly ended?: number;
  /** Records in order, hash and time by turns. */
  readonly records: Float64Array;
}

export interface ChunkDelta {
  readonly turn: number;
  readonly chunk: number;
  readonly first: number;
  /** zstd of the JSON of a `ChunkBody`. */
  readonly body: Uint8Array;
  readonly kept: number;
  readonly passages: readonly PassageDelta[];
  /** The tokens of all passages, UTF-8. */
  readonly tokens: Uint8Array;
  readonly touches: readonly Touch[];
  readonly tools: readonly ToolUse[];
  readonly counts: ChunkCounts;
}

/** That a tool was called in a chunk, and whether it failed. */
export interface ToolUse {
  readonly name: string;
  readonly kind: ToolKind;
  readonly isError: boolean;
}

export interface ChunkCounts {
  readonly messages: number;
  readonly toolCalls: number;
  readonly errors: number;
}

/** A file that a tool call named. */
export interface Touch {
  readonly path: string;
  readonly kind: string;
}

/** A passage with its tokens, ready for the index. Character offsets are UTF-16 units inside a part's text. */
export interface PassageDelta {
  readonly firstPart: number;
  readonly from: number;
  readonly lastPart: number;
  readonly to: number;
  readonly at?: number;
  /** Bits: see `PassageFlag`. */
  readonly flags: number;
  /** Bytes of the tokens per field, in the order of the index's fields; where they begin in the chunk's `tokens`. */
  readonly tokenStart: number;
  readonly tokenLengths: readonly number[];
  /** UTF-8 bytes of the text that was indexed. */
  readonly bytes: number;
}

/** A result whose call lies in a chunk that is stored already. */
export interface ResultPatch {
  readonly at: OpenCall;
  readonly result: Partial<Extract<Part, { type: 'tool_call' }>>;
}

export interface SessionDelta {
  readonly nativeId: string;
  readonly facts: readonly SessionFacts[];
  readonly turns: readonly TurnDelta[];
  readonly turnCount: number;
  readonly chunks: readonly ChunkDelta[];
  readonly patches: readonly ResultPatch[];
  readonly calls: readonly Call[];
  readonly limits: readonly Limit[];
  readonly openCalls: Readonly<Record<string, OpenCall>>;
  readonly orphans: Readonly<Record<string, OpenCall>>;
  readonly spawns: readonly { readonly child: string; readonly turn: number; readonly callId: string }[];
  readonly firstPrompt?: string;
  /** Whether the last thing said is a prompt; absent where nothing was said. */
  readonly endsWithPrompt?: boolean;
  readonly started?: number;
  readonly ended?: number;
  readonly secrets: number;
  readonly cutOutputs: number;
  /** Texts that are kept or indexed in part, by kind. */
  readonly notShown: NotShown;
}

/** What one reading of a unit gave up to a checkpoint. */
export interface UnitDelta {
  /** The unit is read from its beginning: what its sessions held before is replaced. */
  readonly fresh: boolean;
  readonly sessions: readonly SessionDelta[];
  readonly checkpoint: Checkpoint;
  readonly tally: Tally;
  /** The last of this reading. */
  readonly done: boolean;
}
