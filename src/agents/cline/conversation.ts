import type { Where } from '../../transcript/index.ts';
import { textOfContent } from '../content.ts';
import { type Fields, fields, list, number, text, time } from '../fields.ts';
import { NotShownCounter } from '../not-shown.ts';
import type { Said, SessionTeller } from '../session-teller.ts';
import type { SnapshotReader } from '../snapshot.ts';
import type { SourceEvent } from '../source.ts';
import { requestsOf, tellCost, timesOf } from './requests.ts';
import { callOf, taggedCalls, wordsOf } from './tools.ts';
import { folderIn, type Piece, piecesOf, timeIn } from './user-text.ts';

/** A call that was made and has no result yet. */
interface Open {
  readonly id: string;
  readonly name: string;
  readonly speaks: boolean;
}

/** Reads what was said to the model and by it: a person's words stand between tags, results are texts in the order of the calls. */
export class Conversation implements SnapshotReader {
  readonly events: SourceEvent[];
  readonly notShown = new NotShownCounter();
  private readonly tell: SessionTeller;
  private readonly times: ReadonlyMap<number, number>;
  /** What the requests cost, which the screen tells. */
  private readonly requests: Map<number, Fields[]>;
  private readonly hasScreen: boolean;
  private open: Open[] = [];
  private at: number | undefined;

  constructor(tell: SessionTeller, screen: readonly Fields[]) {
    this.tell = tell;
    this.events = tell.events;
    this.times = timesOf(screen);
    this.requests = requestsOf(screen);
    this.hasScreen = screen.length > 0;
  }

  record(message: Fields, where: Where): string | undefined {
    const parts = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
    const all = list(parts).map(fields);
    const texts = all.flatMap((part) => text(part.text) ?? []);
    this.at =
      time(message.ts) ?? this.times.get(where.line - 1) ?? texts.map(timeIn).find((at) => at !== undefined) ?? this.at;
    const said: Said = { where, at: this.at };
    if (message.role === 'user') return this.asked(all, texts, said);
    if (message.role === 'assistant') return this.answered(message, all, said);
    return `message:${text(message.role) ?? 'untyped'}`;
  }

  private asked(parts: readonly Fields[], texts: readonly string[], said: Said): string | undefined {
    const folder = texts.map(folderIn).find((found) => found !== undefined);
    if (folder !== undefined) this.tell.facts({ cwd: folder });
    const pieces = texts.flatMap(piecesOf);
    // Where nothing is between tags and nothing came of a call, all of it is what a person said.
    const isPlain = !pieces.some(({ type }) => type === 'words' || type === 'result') && this.open.length === 0;
    let isTurn = false;
    const speak = () => {
      if (!isTurn) this.tell.turn(said);
      isTurn = true;
    };
    for (const piece of pieces) {
      if (piece.type === 'words' || (isPlain && piece.type === 'other')) {
        speak();
        this.tell.text('user', piece.text, said);
      } else this.piece(piece, said);
    }
    let unknown: string | undefined;
    for (const part of parts) {
      if (part.type === 'tool_result')
        this.result(text(part.tool_use_id), textOfContent(part.content), said, part.is_error === true);
      else if (part.type === 'image' || part.type === 'document') {
        const mime = text(fields(part.source).media_type);
        this.tell.attached({ kind: part.type, ...(mime !== undefined && { mime }) }, said);
      } else if (part.type !== 'text') unknown ??= `part:${text(part.type) ?? 'untyped'}`;
    }
    return unknown;
  }

  private piece(piece: Exclude<Piece, { type: 'words' }>, said: Said): void {
    switch (piece.type) {
      case 'file':
        this.tell.attached({ kind: 'file', name: piece.name }, said);
        return;
      case 'injected':
        this.notShown.add(`injected/${piece.kind}`);
        return;
      case 'other':
        this.tell.notice('system', piece.text, said);
        return;
      case 'result': {
        const call = this.open.find(({ name }) => name === piece.tool) ?? this.open[0];
        this.result(call?.id, piece.output, said);
      }
    }
  }

  private result(id: string | undefined, output: string | undefined, said: Said, failed = false): void {
    const call = this.open.find((one) => one.id === id);
    this.open = this.open.filter((one) => one !== call);
    if (call?.speaks === true) {
      if (output !== undefined && output !== '') this.notShown.add('result of a question');
      return;
    }
    const { isError, exitCode } = outcomeIn(output ?? '');
    this.tell.result(
      id ?? '',
      {
        isError: failed || isError,
        ...(output !== undefined && { output }),
        ...(exitCode !== undefined && { exitCode }),
      },
      said,
    );
  }

  private answered(message: Fields, parts: readonly Fields[], said: Said): string | undefined {
    this.open = [];
    const hasCalls = parts.some(({ type }) => type === 'tool_use');
    let unknown: string | undefined;
    for (const part of parts) {
      if (part.type === 'text') this.spoke(text(part.text) ?? '', hasCalls, said);
      else if (part.type === 'thinking') this.tell.thought(text(part.thinking), said);
      else if (part.type === 'redacted_thinking') this.notShown.add('redacted_thinking');
      else if (part.type === 'tool_use') this.called(text(part.id), text(part.name) ?? 'unknown', part.input, said);
      else unknown ??= `part:${text(part.type) ?? 'untyped'}`;
    }
    this.spent(message, said);
    return unknown;
  }

  private spoke(answer: string, hasCalls: boolean, said: Said): void {
    const { calls, rest } = hasCalls ? { calls: [], rest: answer } : taggedCalls(answer);
    for (const [index, { before, name, input }] of calls.entries()) {
      this.tell.text('assistant', before.trim(), said);
      this.called(`${said.where.line}-${index}`, name, input, said);
    }
    this.tell.text('assistant', calls.length > 0 ? rest.trim() : rest, said);
  }

  /** What the agent says through a tool is what it says. */
  private called(id: string | undefined, name: string, input: unknown, said: Said): void {
    const words = wordsOf(name, input);
    const callId = id ?? `${said.where.line}-${this.open.length}`;
    this.open.push({ id: callId, name, speaks: words !== undefined });
    if (words === undefined) this.tell.called(callOf(callId, name, input), said);
    else this.tell.text('assistant', words, said);
  }

  /** Where there is no screen, the answers tell what they cost: `cached` is what was read from the cache and written to it. */
  private spent({ modelInfo, metrics }: Fields, said: Said): void {
    const model = text(fields(modelInfo).modelId);
    this.tell.model(model);
    const { prompt, completion, cached } = fields(fields(metrics).tokens);
    const input = number(prompt);
    this.tellCosts(said.where.line - 1);
    if (this.hasScreen || input === undefined) return;
    this.tell.spent({
      key: `${this.tell.session} ${said.where.line}`,
      input,
      output: number(completion) ?? 0,
      cacheRead: number(cached) ?? 0,
      ...(model !== undefined && { model }),
      ...(said.at !== undefined && { at: said.at }),
    });
  }

  private tellCosts(answer: number): void {
    for (const request of this.requests.get(answer) ?? []) tellCost(this.tell, request);
    this.requests.delete(answer);
  }

  settle(): void {
    for (const answer of [...this.requests.keys()]) this.tellCosts(answer);
  }
}

const FAILED =
  /^(?:Command failed with exit code (\d{1,3})|The user denied this operation|The tool execution failed|<error>|Error)/;

/** What the text of a result says of how the call ended. */
function outcomeIn(output: string): { readonly isError: boolean; readonly exitCode?: number } {
  const found = FAILED.exec(output);
  const code = found?.[1];
  return { isError: found !== null, ...(code !== undefined && { exitCode: Number(code) }) };
}
