import type { SourceEvent, ToolResult } from '../../agents/source.ts';
import { packChunk, withResult } from '../../archive/bodies.ts';
import type { ChunkBody, OpenCall, ResultPatch, SessionDelta, SessionTail, TurnDelta } from '../../archive/delta.ts';
import { describeChunk } from '../../holdings/passages.ts';
import { tellsSecrets } from '../../redact/telling.ts';
import { type Call, hash53, type Limit, type Part, type Text, type ToolCall } from '../../transcript/index.ts';
import { CHUNK_SIZE, previewOf } from './limits.ts';
import { Protector } from './protect.ts';
import { sizeOf } from './sizes.ts';

/** The most tool calls without a result that are remembered over readings; older ones get theirs as a part of its own. */
const MOST_OPEN_CALLS = 500;
/** The call comes a line or two later, or never. */
const MOST_ORPHANS = 8;

interface OpenChunk extends ChunkBody {
  readonly turn: number;
  readonly chunk: number;
  readonly first: number;
  size: number;
  changed: boolean;
}

interface OpenTurn {
  readonly turn: number;
  begun?: { anchor: string; named: boolean; after?: number; prompt?: string };
  started?: number;
  ended?: number;
  readonly records: number[];
}

/**
 * Builds the turns of one session out of a reader's events: parts into chunks, results to their calls, records to
 * their turns. `take` gives what has come together since the last time.
 */
export class SessionAssembler {
  readonly nativeId: string;
  private readonly protector = new Protector();
  private facts: SessionDelta['facts'][number][] = [];
  private turns: OpenTurn[] = [];
  private chunks: OpenChunk[] = [];
  private patches: ResultPatch[] = [];
  private calls = new Map<string, Call>();
  private limits: Limit[] = [];
  private spawns: SessionDelta['spawns'][number][] = [];
  private openCalls: Map<string, OpenCall>;
  private turnCount: number;
  /** Results whose call was not met yet: where the parts lie that stand for them. */
  private orphans: Map<string, OpenCall>;
  private chunk: OpenChunk | undefined;
  private firstPrompt: string | undefined;
  private endsWithPrompt: boolean | undefined;
  private started: number | undefined;
  private ended: number | undefined;

  constructor(nativeId: string, tail?: SessionTail) {
    this.nativeId = nativeId;
    this.turnCount = tail?.turns ?? 0;
    this.openCalls = new Map(Object.entries(tail?.openCalls ?? {}));
    this.orphans = new Map(Object.entries(tail?.orphans ?? {}));
    const last = tail?.last;
    if (last) {
      const size = JSON.stringify(last.body).length;
      this.chunk = { ...last.body, turn: last.turn, chunk: last.chunk, first: last.first, size, changed: false };
    }
  }

  accept(told: Exclude<SourceEvent, { type: 'checkpoint' }>): void {
    const event = this.protector.event(told);
    switch (event.type) {
      case 'session':
        this.facts.push(event.facts);
        return;
      case 'turn':
        this.begin(event);
        return;
      case 'part':
        this.add(this.withoutTold(event.part), event.record, event.grows === true);
        return;
      case 'result':
        this.result(event.callId, event.record, event.result);
        return;
      case 'link':
        this.record(hash53(event.record), undefined);
        return;
      case 'call':
        this.call(event.call);
        return;
      case 'limit':
        this.limits.push(event.limit);
        return;
      case 'time':
        this.time(event.at);
        return;
    }
  }

  private withoutTold(part: Part): Part {
    return part.type === 'notice' ? this.protector.notice(part, this.chunk?.parts.at(-1)) : part;
  }

  private time(at: number): void {
    if (this.started === undefined || at < this.started) this.started = at;
    if (this.ended === undefined || at > this.ended) this.ended = at;
  }

  private begin(event: Extract<SourceEvent, { type: 'turn' }>): void {
    // A first prompt opens turn 1: turn 0 is what stands before it, and may be empty.
    const turn: OpenTurn = { turn: Math.max(this.turnCount, 1), records: [] };
    turn.begun = {
      anchor: event.anchor ?? '',
      named: event.anchor !== undefined,
      ...(event.after !== undefined && { after: hash53(event.after) }),
    };
    if (event.at !== undefined) turn.started = turn.ended = event.at;
    this.turnCount = turn.turn + 1;
    this.turns.push(turn);
    this.chunk = undefined;
    if (event.record !== undefined) this.record(hash53(event.record), event.at);
  }

  /** The turn that goes on. */
  private turn(): OpenTurn {
    const last = this.turns.at(-1);
    if (last) return last;
    const turn: OpenTurn = { turn: Math.max(0, this.turnCount - 1), records: [] };
    if (this.turnCount === 0) {
      this.turnCount = 1;
      turn.begun = { anchor: 'start', named: true };
    }
    this.turns.push(turn);
    return turn;
  }

  private record(hash: number, at: number | undefined): void {
    const { records } = this.turn();
    if (records.length >= 2 && records[records.length - 2] === hash) return;
    records.push(hash, at ?? Number.NaN);
  }

  private add(part: Part, record: string | undefined, grows: boolean): void {
    const turn = this.turn();
    const hash = record === undefined ? 0 : hash53(record);
    if (hash !== 0) this.record(hash, part.at);
    if (part.at !== undefined) {
      this.time(part.at);
      if (turn.started === undefined || part.at < turn.started) turn.started = part.at;
      if (turn.ended === undefined || part.at > turn.ended) turn.ended = part.at;
    }
    if (grows && this.replaceLast(part)) return;
    if (part.type !== 'notice' && part.type !== 'attachment')
      this.endsWithPrompt = part.type === 'text' && part.role === 'user';
    if (part.type === 'text' && part.role === 'user') this.prompt(turn, part);
    const chunk = this.chunkFor(turn);
    if (part.type === 'tool_call' && part.callId !== undefined) {
      const told = part.command === undefined ? undefined : tellsSecrets(part.command);
      const place = [chunk.turn, chunk.chunk, chunk.parts.length] as const;
      this.openCalls.set(part.callId, told ? [...place, told] : place);
      // A sub-agent may know the call that started it where the result does not name the sub-agent.
      if (part.kind === 'agent')
        this.spawns.push({ child: `call ${part.callId}`, turn: chunk.turn, callId: part.callId });
    }
    chunk.parts.push(part);
    chunk.records.push(hash);
    chunk.size += sizeOf(part);
    chunk.changed = true;
    if (part.type === 'tool_call' && part.callId !== undefined && this.orphans.size > 0) this.adopt(part.callId);
  }

  /** Parallel calls and results are written in any order: a result that came before its call is given to it now. */
  private adopt(callId: string): void {
    const orphan = this.orphans.get(callId);
    const chunk = orphan && this.chunkAt(orphan);
    const part = orphan && chunk?.parts[orphan[2]];
    if (!chunk || part?.type !== 'tool_call') return;
    this.orphans.delete(callId);
    this.takeOut(chunk, orphan[2]);
    const { output, cut, isError, exitCode, endedAt, outputWhere, child, paths } = part;
    const given = { output, cut, isError, exitCode, endedAt, outputWhere, child, paths };
    // What the result did not say is absent, not undefined.
    const said: ResultPatch['result'] = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    );
    this.deliver(callId, this.openCalls.get(callId)!, said);
  }

  private takeOut(chunk: OpenChunk, index: number): void {
    chunk.parts.splice(index, 1);
    chunk.records.splice(index, 1);
    chunk.changed = true;
    for (const places of [this.openCalls, this.orphans])
      for (const [id, [turn, number, part, told]] of places) {
        if (turn !== chunk.turn || number !== chunk.chunk || part <= index) continue;
        places.set(id, told ? [turn, number, part - 1, told] : [turn, number, part - 1]);
      }
  }

  private prompt(turn: OpenTurn, part: Text): void {
    this.firstPrompt ??= previewOf(part.text);
    if (!turn.begun) return;
    turn.begun.prompt ??= previewOf(part.text);
    if (!turn.begun.named && turn.begun.anchor === '')
      turn.begun.anchor = hash53(`${part.at ?? ''}\n${part.text}`).toString(36);
  }

  private chunkFor(turn: OpenTurn): OpenChunk {
    const open = this.chunk;
    if (open && open.turn === turn.turn && open.size < CHUNK_SIZE) {
      if (!this.chunks.includes(open)) this.chunks.push(open);
      return open;
    }
    const after = open && open.turn === turn.turn ? open : undefined;
    const next: OpenChunk = {
      turn: turn.turn,
      chunk: after ? after.chunk + 1 : 0,
      first: after ? after.first + after.parts.length : 0,
      parts: [],
      records: [],
      size: 0,
      changed: true,
    };
    this.chunk = next;
    this.chunks.push(next);
    return next;
  }

  private replaceLast(part: Part): boolean {
    const chunk = this.chunk;
    const index = chunk?.parts.findLastIndex((other) => other.type === part.type) ?? -1;
    if (!chunk || index < 0) return false;
    chunk.size += sizeOf(part) - sizeOf(chunk.parts[index]!);
    chunk.parts[index] = part;
    chunk.changed = true;
    if (!this.chunks.includes(chunk)) this.chunks.push(chunk);
    return true;
  }

  private result(callId: string, record: string | undefined, result: ToolResult): void {
    if (record !== undefined) this.record(hash53(record), result.at);
    if (result.at !== undefined) {
      this.time(result.at);
      const turn = this.turn();
      if (turn.ended === undefined || result.at > turn.ended) turn.ended = result.at;
    }
    const given: ResultPatch['result'] = {
      isError: result.isError,
      ...(result.stage !== 'late' && { outputWhere: result.where }),
      ...(result.output !== undefined && { output: result.output }),
      ...(result.cut && { cut: result.cut }),
      ...(result.paths && result.paths.length > 0 && { paths: result.paths }),
      ...(result.exitCode !== undefined && { exitCode: result.exitCode }),
      ...(result.at !== undefined && { endedAt: result.at }),
      ...(result.child !== undefined && { child: result.child }),
    };
    const at = this.openCalls.get(callId);
    if (at) this.deliver(callId, at, given, result.stage === 'runs-on');
    else this.orphan(callId, record, result, given);
    for (const attachment of result.attachments ?? []) this.add(attachment, record, false);
    if (result.child !== undefined)
      this.spawns.push({ child: result.child, turn: at?.[0] ?? this.turn().turn, callId });
  }

  private deliver(callId: string, at: OpenCall, result: ResultPatch['result'], runsOn = false): void {
    if (!runsOn) this.openCalls.delete(callId);
    const { output } = result;
    const told = output === undefined ? undefined : at[3];
    const given = told
      ? { ...result, output: this.protector.toldOutput(output!, told, result.isError === true) }
      : result;
    const chunk = this.chunkAt(at);
    if (!chunk) {
      this.patches.push({ at, result: given });
      return;
    }
    const call = chunk.parts[at[2]];
    if (call?.type !== 'tool_call') return;
    const finished = withResult(call, given);
    chunk.parts[at[2]] = finished;
    chunk.size += finished.output?.length ?? 0;
    chunk.changed = true;
  }

  /** The chunk of a place, where it is not yet the archive's alone. */
  private chunkAt([turn, number]: OpenCall): OpenChunk | undefined {
    const isThere = (chunk: OpenChunk) => chunk.turn === turn && chunk.chunk === number;
    const held = this.chunks.find(isThere);
    if (held) return held;
    if (!this.chunk || !isThere(this.chunk)) return undefined;
    this.chunks.push(this.chunk);
    return this.chunk;
  }

  /** A result whose call is not in the file, at least not yet: a slice of a longer session. */
  private orphan(callId: string, record: string | undefined, result: ToolResult, given: ResultPatch['result']): void {
    if (given.output === undefined || given.output === '') return;
    const call: ToolCall = {
      type: 'tool_call',
      name: 'unknown',
      kind: 'other',
      input: {},
      paths: [],
      isError: false,
      where: result.where,
      ...(result.at !== undefined && { at: result.at }),
    };
    this.add(withResult(call, given), record, false);
    if (callId !== '' && this.chunk)
      this.orphans.set(callId, [this.chunk.turn, this.chunk.chunk, this.chunk.parts.length - 1]);
  }

  /** Copies of one request are known by its key, like copies of a record; the largest output is the whole one. */
  private call(call: Omit<Call, 'turn'>): void {
    this.record(hash53(`call ${call.key}`), call.at);
    const before = this.calls.get(call.key);
    const larger = !before || (call.output ?? -1) > (before.output ?? -1);
    const searches = Math.max(before?.webSearches ?? 0, call.webSearches ?? 0);
    this.calls.set(call.key, {
      ...(larger ? { ...before, ...call } : { ...call, ...before }),
      turn: before?.turn ?? this.turn().turn,
      key: call.key,
      ...((before?.webSearches ?? call.webSearches) !== undefined && { webSearches: searches }),
    });
  }

  /** What has come together since the last time; undefined where nothing has. */
  take(): SessionDelta | undefined {
    const changed = this.chunks.filter((chunk) => chunk.changed && chunk.parts.length > 0);
    const nothing =
      changed.length +
        this.turns.length +
        this.facts.length +
        this.calls.size +
        this.limits.length +
        this.patches.length ===
      0;
    if (nothing && this.started === undefined) return undefined;
    const delta: SessionDelta = {
      nativeId: this.nativeId,
      facts: this.facts,
      turns: this.turns.map(turnDelta),
      turnCount: this.turnCount,
      chunks: changed.map((chunk) => {
        const body: ChunkBody = { parts: chunk.parts, records: chunk.records };
        const { packed, kept } = packChunk(body);
        return { turn: chunk.turn, chunk: chunk.chunk, first: chunk.first, body: packed, kept, ...describeChunk(body) };
      }),
      patches: this.patches,
      calls: [...this.calls.values()],
      limits: this.limits,
      openCalls: Object.fromEntries([...this.openCalls].slice(-MOST_OPEN_CALLS)),
      orphans: Object.fromEntries([...this.orphans].slice(-MOST_ORPHANS)),
      spawns: this.spawns,
      secrets: this.protector.secrets,
      cutOutputs: this.protector.cutOutputs,
      notShown: this.protector.notShown.take(),
      ...(this.firstPrompt !== undefined && { firstPrompt: this.firstPrompt }),
      ...(this.endsWithPrompt !== undefined && { endsWithPrompt: this.endsWithPrompt }),
      ...(this.started !== undefined && { started: this.started }),
      ...(this.ended !== undefined && { ended: this.ended }),
    };
    this.facts = [];
    this.turns = [];
    this.patches = [];
    this.calls = new Map();
    this.limits = [];
    this.spawns = [];
    this.protector.secrets = this.protector.cutOutputs = 0;
    this.started = this.ended = this.endsWithPrompt = undefined;
    // The chunk that is still filled stays; the others are the archive's from here on.
    this.chunks = [];
    if (this.chunk) this.chunk.changed = false;
    return delta;
  }
}

function turnDelta(turn: OpenTurn): TurnDelta {
  const begun = turn.begun;
  return {
    turn: turn.turn,
    records: Float64Array.from(turn.records),
    ...(begun && {
      begun: {
        anchor: begun.anchor === '' ? hash53(`${turn.started ?? ''} ${turn.turn}`).toString(36) : begun.anchor,
        ...(begun.after !== undefined && { after: begun.after }),
        ...(begun.prompt !== undefined && { prompt: begun.prompt }),
      },
    }),
    ...(turn.started !== undefined && { started: turn.started }),
    ...(turn.ended !== undefined && { ended: turn.ended }),
  };
}
