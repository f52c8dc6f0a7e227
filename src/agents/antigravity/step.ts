import type { Fields } from '../fields.ts';
import { number, time } from '../fields.ts';
import { Message } from './protobuf.ts';

/** Types of steps: those of the table `steps` that were seen, and what else the program's messages are known to have. */
export const STEP = {
  codeAction: 5,
  grepSearch: 7,
  viewFile: 8,
  listDirectory: 9,
  userInput: 14,
  plannerResponse: 15,
  errorMessage: 17,
  runCommand: 21,
  checkpoint: 23,
  commandStatus: 28,
  searchWeb: 33,
  mcpTool: 38,
  taskBoundary: 81,
  notifyUser: 82,
  ephemeralMessage: 90,
  conversationHistory: 98,
  knowledgeArtifacts: 99,
  systemMessage: 101,
  shellExec: 112,
  invokeSubagent: 127,
  generic: 132,
  directoryRules: 139,
} as const;

/** Values of a step's state: pending, running, being written, waiting for the person, queued. */
const OPEN: ReadonlySet<unknown> = new Set([1, 2, 8, 9, 11]);
/** Invalid, canceled, failed, interrupted. */
const FAILED: ReadonlySet<unknown> = new Set([4, 6, 7, 12]);
const STOPPED: ReadonlySet<unknown> = new Set([6, 12]);

const IMPLICIT = 3;

/** Steps that nothing but a tool makes, by the names that the program's log has for them. */
const TOOLS: ReadonlyMap<number, string> = new Map<number, string>([
  [STEP.codeAction, 'code_action'],
  [STEP.grepSearch, 'grep_search'],
  [STEP.viewFile, 'view_file'],
  [STEP.listDirectory, 'list_directory'],
  [STEP.runCommand, 'run_command'],
  [STEP.commandStatus, 'command_status'],
  [STEP.searchWeb, 'search_web'],
  [STEP.mcpTool, 'mcp_tool'],
  [STEP.shellExec, 'shell_exec'],
  [STEP.invokeSubagent, 'invoke_subagent'],
  [STEP.generic, 'generic'],
]);

/** A call of a tool, as the step that asks for it and the step that ran it have it. */
export interface StepCall {
  readonly id: string;
  readonly name: string;
  readonly args: string | undefined;
}

/** A row of `steps`: what a person said, a model answered, or a tool did. */
export class Step {
  readonly index: number;
  readonly type: number;
  readonly status: number | undefined;
  readonly payload: Message;
  /** Who did it, when, for whom: it stands in the row and in the payload. */
  readonly metadata: Message;

  private constructor(row: Fields, payload: Message) {
    this.payload = payload;
    this.metadata = payload.at(5) ?? Message.of(row.metadata) ?? EMPTY;
    this.index = number(row.idx) ?? 0;
    this.type = payload.number(1) ?? number(row.step_type) ?? 0;
    this.status = number(row.status) ?? payload.number(4);
  }

  static of(row: Fields): Step | Error {
    const payload = row.step_payload === null ? EMPTY : Message.of(row.step_payload);
    return payload ? new Step(row, payload) : new Error('a step that is no whole message');
  }

  get created(): number | undefined {
    return time(this.metadata.time(1));
  }

  /** When it was over, else when it began. */
  get ended(): number | undefined {
    return time(this.metadata.time(8)) ?? this.created;
  }

  /** The conversation that the step was made in: a copy of it in another one says so. */
  get conversation(): string | undefined {
    return this.metadata.text(20, 4);
  }

  get isOpen(): boolean {
    return OPEN.has(this.status);
  }

  get isFailed(): boolean {
    return FAILED.has(this.status);
  }

  /** Canceled or interrupted. */
  get isStopped(): boolean {
    return STOPPED.has(this.status);
  }

  /** The program itself wrote it in the person's place. */
  get isImplicit(): boolean {
    return this.metadata.number(3) === IMPLICIT;
  }

  /** The call that this step ran; of a tool that nobody called, as for a file that the person gave, one of its own. */
  get call(): StepCall | undefined {
    const name = TOOLS.get(this.type);
    const own = name === undefined ? undefined : { id: `step ${this.index}`, name, args: undefined };
    return callIn(this.metadata.at(4)) ?? own;
  }

  raw(): unknown {
    return { idx: this.index, step_type: this.type, status: this.status, step_payload: this.payload.plain() };
  }
}

/** A call: its id, the tool, the arguments as JSON. */
export function callIn(message: Message | undefined): StepCall | undefined {
  const id = message?.text(1);
  return message && id !== undefined ? { id, name: message.text(2) ?? 'unknown', args: message.text(3) } : undefined;
}

/** A row of `gen_metadata`: a request to a model. */
export class Generation {
  readonly data: Message;
  /** The step that came of it first. */
  readonly index: number;

  private constructor(data: Message) {
    this.data = data;
    this.index = data.numbersOf(2)[0] ?? data.number(1, 6) ?? Number.POSITIVE_INFINITY;
  }

  static of(row: Fields): Generation | Error {
    const data = Message.of(row.data);
    return data ? new Generation(data) : new Error('a request that is no whole message');
  }

  raw(): unknown {
    return { gen_metadata: this.data.plain() };
  }
}

const EMPTY = Message.of(new Uint8Array())!;
