import { basename } from 'node:path';
import type { Where } from '../../transcript/index.ts';
import { textOfContent } from '../content.ts';
import { type Fields, fields, list, number, text, time } from '../fields.ts';
import { parsedJson } from '../json.ts';
import { NotShownCounter } from '../not-shown.ts';
import { type Said, SessionTeller } from '../session-teller.ts';
import type { SnapshotReader } from '../snapshot.ts';
import type { SourceEvent } from '../source.ts';
import { callOf } from './tools.ts';

/** Around what a person said: seen in 3.0 of the program. */
const INPUT = /^<user_input(?: mode="\w*")?>\n?([\s\S]*?)\n?<\/user_input>\s*$/;

/** Reads the messages of a session of the program in the terminal, written anew with every one. */
export class Session implements SnapshotReader {
  readonly events: SourceEvent[] = [];
  readonly notShown = new NotShownCounter();
  private readonly tell: SessionTeller;

  constructor(document: Fields, beside: Fields, path: string) {
    const own = basename(path, '.messages.json');
    this.tell = new SessionTeller(text(document.sessionId) ?? own, this.events);
    const { mode, parentThreadId, version } = fields(document.origin);
    const isAgent = mode === 'subagent' || own.startsWith('agent_');
    const metadata = fields(beside.metadata);
    const parent = text(parentThreadId) ?? text(beside.session_id);
    const [title, cwd] = [text(metadata.title), text(beside.cwd)];
    const [client, branch] = [
      text(version) ?? text(fields(metadata.sessionHistoryOrigin).version),
      text(fields(metadata.git).branch),
    ];
    this.tell.facts({
      client: { name: 'cline', ...(client !== undefined && { version: client }) },
      ...(cwd !== undefined && { cwd }),
      ...(branch !== undefined && { branch }),
      ...(!isAgent && title !== undefined && { titles: { generated: title } }),
      ...(isAgent && parent !== undefined && { parent: { nativeId: parent, relation: 'subagent' } }),
    });
    this.tell.time(time(beside.started_at));
    for (const kind of ['system_prompt', 'systemPrompt'])
      if (text(document[kind]) !== undefined) this.notShown.add('system prompt');
  }

  record(message: Fields, where: Where): string | undefined {
    const said: Said = { where, at: time(message.ts), record: text(message.id) };
    const { role, content } = message;
    if (role !== 'user' && role !== 'assistant') return `message:${text(role) ?? 'untyped'}`;
    const parts = list(typeof content === 'string' ? [{ type: 'text', text: content }] : content).map(fields);
    if (role === 'user' && parts.some(({ type }) => type !== 'tool_result')) this.tell.turn(said);
    let unknown: string | undefined;
    for (const part of parts) {
      const name = this.part(part, role, said);
      unknown ??= name;
    }
    if (role === 'assistant') this.spent(message, said);
    return unknown;
  }

  private part(part: Fields, role: 'user' | 'assistant', said: Said): string | undefined {
    switch (part.type) {
      case 'text': {
        const words = text(part.text);
        this.tell.text(role, role === 'user' ? (INPUT.exec(words ?? '')?.[1] ?? words) : words, said);
        return undefined;
      }
      case 'thinking':
        this.tell.thought(text(part.thinking), said);
        return undefined;
      case 'redacted_thinking':
        this.notShown.add('redacted_thinking');
        return undefined;
      case 'tool_use':
        this.tell.called(callOf(text(part.id), text(part.name) ?? 'unknown', part.input), said);
        return undefined;
      case 'tool_result':
        this.tell.result(text(part.tool_use_id) ?? '', resultOf(part), said);
        return undefined;
      case 'image':
      case 'file':
        this.tell.attached({ kind: part.type }, said);
        return undefined;
      default:
        return `part:${text(part.type) ?? 'untyped'}`;
    }
  }

  /** `inputTokens` has what was read from the cache and written to it. */
  private spent({ metrics, modelInfo }: Fields, said: Said): void {
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cost } = fields(metrics);
    const model = text(fields(modelInfo).id);
    this.tell.model(model);
    const input = number(inputTokens);
    if (input === undefined) return;
    const [cacheRead, cacheWrite5m, price] = [
      number(cacheReadTokens) ?? 0,
      number(cacheWriteTokens) ?? 0,
      number(cost),
    ];
    this.tell.spent({
      key: said.record ?? `${this.tell.session} ${said.where.line}`,
      input: Math.max(0, input - cacheRead - cacheWrite5m),
      output: number(outputTokens) ?? 0,
      cacheRead,
      cacheWrite5m,
      ...(model !== undefined && { model }),
      ...(said.at !== undefined && { at: said.at }),
      ...(price !== undefined && price > 0 && { reportedCost: price }),
    });
  }
}

/** What came of a call: one answer for each thing that was asked, or one as JSON in a text. */
function resultOf({ content, is_error: isError }: Fields) {
  const answers = Array.isArray(content) ? content : [parsedJson(content) ?? content];
  const output = answers.map(answerOf).join('\n');
  const failed = answers.some((answer) => fields(answer).success === false);
  const code = /^\[Command exited with code (\d{1,3})\]/.exec(output)?.[1];
  return {
    isError: failed || isError === true,
    output,
    ...(code !== undefined && { exitCode: Number(code) }),
  };
}

function answerOf(answer: unknown): string {
  if (typeof answer === 'string') return answer;
  const { result, error, text: said } = fields(answer);
  return text(result) ?? text(said) ?? text(error) ?? textOfContent(result) ?? JSON.stringify(answer);
}
