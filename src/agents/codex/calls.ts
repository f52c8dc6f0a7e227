import { hash53 } from '../../transcript/index.ts';
import { type Fields, fields, list, number, text } from '../fields.ts';
import type { NotShownCounter } from '../not-shown.ts';
import { plainPath } from '../plain-path.ts';
import { type Inner, Scripts } from './code-mode.ts';
import type { Conversation, Told } from './conversation.ts';
import { imageOf, outputOf } from './outputs.ts';
import { changedPaths, commandLine, commandOf, kindOf, pathsOf } from './tools.ts';

/** What an event says of a call, for when its output comes. */
interface End {
  readonly exitCode?: number;
  readonly isError?: boolean;
  readonly child?: string;
}

export interface CallsState {
  /** Hashes of ids of calls that were told. */
  readonly told: readonly string[];
  readonly ends: readonly (readonly [call: string, end: End])[];
  readonly scripts: readonly Inner[];
  /** Hashes of ids of calls whose output was given before they ended. */
  readonly running?: readonly string[];
}

/** The state is kept with every checkpoint, so it must stay small: the newest is remembered. */
const REMEMBERED_CALLS = 300;
const REMEMBERED_ENDS = 100;

/**
 * Tells what tools were called and what they gave. A call stands in the file as the model made it, as its output, and
 * as an event of its end; in code mode only the script's call does, and the ends are all that is said of what it ran.
 */
export class Calls {
  private readonly told: Set<string>;
  private readonly ends: Map<string, End>;
  private readonly running: Set<string>;
  private readonly scripts: Scripts;
  private readonly conversation: () => Conversation;
  private readonly cwd: () => string | undefined;
  private readonly notShown: NotShownCounter;

  constructor(
    state: CallsState | undefined,
    conversation: () => Conversation,
    cwd: () => string | undefined,
    notShown: NotShownCounter,
  ) {
    this.told = new Set(state?.told);
    this.ends = new Map(state?.ends);
    this.running = new Set(state?.running);
    this.scripts = new Scripts(state?.scripts ?? []);
    this.conversation = conversation;
    this.cwd = cwd;
    this.notShown = notShown;
  }

  state(): CallsState {
    return { told: [...this.told], ends: [...this.ends], scripts: this.scripts.state(), running: [...this.running] };
  }

  private get to(): Conversation {
    return this.conversation();
  }

  private remember(callId: string): void {
    this.told.add(hashOf(callId));
    forget(this.told, REMEMBERED_CALLS);
  }

  /** A call as the model made it. */
  called(item: Fields, name: string, input: unknown, told: Told): undefined {
    const callId = text(item.call_id) ?? text(item.id);
    const kind = kindOf(name);
    const command = commandOf(kind, input);
    if (callId !== undefined) this.remember(callId);
    this.to.call({
      name,
      kind,
      input: input ?? {},
      paths: pathsOf(name, input, command, this.cwd()),
      ...told,
      ...(callId !== undefined && { callId }),
      ...(command !== undefined && { command }),
    });
  }

  /** A call's output, as the model was given it. */
  output(item: Fields, told: Told): undefined {
    const callId = text(item.call_id) ?? '';
    const end = this.ends.get(hashOf(callId)) ?? {};
    this.ends.delete(hashOf(callId));
    const { texts, isError, exitCode = end.exitCode, images, isScript, runsOn } = outputOf(item.output);
    const output = (isScript ? this.scripts.rest(texts) : texts).join('\n');
    // Where the end is known already, nothing more comes.
    const isRunning = runsOn === true && end.exitCode === undefined;
    if (isRunning) this.running.add(hashOf(callId));
    forget(this.running, REMEMBERED_ENDS);
    const child = end.child ?? AGENT_ID.exec(output)?.[1];
    this.to.result(callId, {
      isError: isError || end.isError === true || (exitCode !== undefined && exitCode !== 0),
      ...told,
      ...(output !== '' && { output }),
      ...(exitCode !== undefined && { exitCode }),
      ...(child !== undefined && { child }),
      ...(isRunning && { stage: 'runs-on' as const }),
      ...(images.length > 0 && { attachments: images.map((image) => imageOf(image, told.where, told.at)) }),
    });
  }

  /** Whether the call itself stands in the file: then only its end is noted. */
  private isTold(callId: string): boolean {
    return this.told.has(hashOf(callId));
  }

  /** What the end of a call says again that was told with it: whole where the model was given a part. */
  private repeated(kind: string, said: Fields, names: readonly string[]): void {
    for (const name of names)
      if (said[name] !== undefined && said[name] !== null && said[name] !== '') this.notShown.add(`${kind} ${name}`);
  }

  private ended(callId: string, end: End): undefined {
    this.ends.set(hashOf(callId), { ...this.ends.get(hashOf(callId)), ...end });
    forget(this.ends, REMEMBERED_ENDS);
  }

  /** A command that the agent ran for a call, or in a script of code mode. */
  commandEnded(callId: string, said: Fields, told: Told): undefined {
    // What the person ran by `!` is told with its output, as a message.
    this.repeated('command', said, ['parsed_cmd']);
    if (said.source === 'user_shell') {
      this.repeated('command', said, PRINTED);
      return;
    }
    const exitCode = number(said.exit_code);
    const isError = (exitCode !== undefined && exitCode !== 0) || isFailed(said.status);
    const isRunning = this.running.delete(hashOf(callId));
    if (isRunning || this.isTold(callId)) this.repeated('command', said, PRINTED);
    if (isRunning) {
      this.to.result(callId, { isError, stage: 'late', ...told, ...(exitCode !== undefined && { exitCode }) });
      return;
    }
    if (this.isTold(callId)) return this.ended(callId, { isError, ...(exitCode !== undefined && { exitCode }) });
    const cwd = text(said.cwd);
    const folder = cwd === undefined ? this.cwd() : plainPath(cwd);
    const command = typeof said.command === 'string' ? text(said.command) : commandLine(said.command);
    this.to.call({
      callId,
      name: 'exec_command',
      kind: 'shell',
      input: { cmd: command, ...(folder !== undefined && { workdir: folder }) },
      paths: pathsOf('exec_command', {}, command, folder),
      ...told,
      ...(command !== undefined && { command }),
    });
    const output =
      text(said.aggregated_output) ?? [text(said.stdout), text(said.stderr)].filter((one) => one).join('\n');
    this.scripts.told(output);
    this.to.result(callId, {
      isError,
      ...told,
      ...(output !== '' && { output }),
      ...(exitCode !== undefined && { exitCode }),
    });
  }

  patchEnded(callId: string, said: Fields, told: Told): undefined {
    const isError = said.success === false || isFailed(said.status);
    if (this.isTold(callId)) {
      this.repeated('patch', said, ['changes', 'stdout', 'stderr']);
      return this.ended(callId, { isError });
    }
    this.to.call({
      callId,
      name: 'apply_patch',
      kind: 'edit',
      input: { changes: said.changes ?? {} },
      paths: changedPaths(said.changes, this.cwd()),
      ...told,
    });
    const output = [text(said.stdout), text(said.stderr)].filter((one) => one).join('\n');
    this.scripts.told(output);
    this.to.result(callId, { isError, ...told, ...(output !== '' && { output }) });
  }

  mcpEnded(
    callId: string,
    call: { readonly server: unknown; readonly tool: unknown; readonly input: unknown; readonly result: unknown },
    told: Told,
  ): undefined {
    const given = fields(call.result);
    const result = fields(given.Ok ?? call.result);
    const failure = text(given.Err) ?? text(given.message) ?? text(call.result);
    const isError = failure !== undefined || result.isError === true || result.is_error === true;
    if (this.isTold(callId)) {
      this.notShown.add('mcp call result');
      return this.ended(callId, { isError });
    }
    this.to.call({
      callId,
      name: `mcp__${text(call.server) ?? 'unknown'}__${text(call.tool) ?? 'unknown'}`,
      kind: 'mcp',
      input: call.input ?? {},
      paths: [],
      ...told,
    });
    const { texts, images } = outputOf(failure ?? list(result.content));
    const output = texts.join('\n');
    // A script prints the text, or the whole result.
    this.scripts.told(output);
    if (call.result !== undefined) this.scripts.told(JSON.stringify(call.result));
    this.to.result(callId, {
      isError,
      ...told,
      ...(output !== '' && { output }),
      ...(images.length > 0 && { attachments: images.map((image) => imageOf(image, told.where, told.at)) }),
    });
  }

  /** What a script searched for; its answers stand in what the script printed. Other searches are items of the answer. */
  searched(callId: string, item: Fields, told: Told): undefined {
    if (!callId.startsWith('exec-') || this.isTold(callId)) {
      this.notShown.add('web search query');
      return;
    }
    const input = { query: item.query, ...fields(item.action) };
    this.to.call({ callId, name: 'web_search', kind: 'web', input, paths: [], ...told });
  }

  spawned(callId: unknown, thread: unknown): undefined {
    const call = text(callId);
    const child = text(thread);
    if (call !== undefined && child !== undefined) this.ended(call, { child });
  }

  collaborated(callId: string, item: Fields, told: Told): undefined {
    const child = list(item.receiver_thread_ids).map(text)[0];
    const tool = text(item.tool) ?? '';
    const isSpawn = tool.toLowerCase().includes('spawn');
    if (this.isTold(callId)) {
      if (isSpawn && child !== undefined) this.ended(callId, { child });
      return;
    }
    const { type: _type, id: _id, ...input } = item;
    this.to.call({ callId, name: tool === '' ? 'agent' : tool, kind: 'agent', input, paths: [], ...told });
    this.to.result(callId, {
      isError: isFailed(item.status),
      ...told,
      ...(isSpawn && child !== undefined && { child }),
    });
  }
}

const PRINTED = ['aggregated_output', 'stdout', 'stderr', 'formatted_output'] as const;

/** Leaves the newest of a set or a map. */
function forget(all: Set<string> | Map<string, unknown>, most: number): void {
  for (const key of all.keys()) {
    if (all.size <= most) return;
    all.delete(key);
  }
}

const hashOf = (id: string) => hash53(id).toString(36);

/** What the first sub-agents' calls gave: the session that was started. */
const AGENT_ID = /^\{"agent_id":"([0-9a-f]{8}-[0-9a-f-]{27})"/;

function isFailed(status: unknown): boolean {
  return status === 'failed' || status === 'declined';
}
