import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * A small Claude Code history in our own words. Every method writes one line, or two for a tool call, and gives the
 * number of the line that holds what was said.
 */

export const START = Date.parse('2026-11-20T09:00:00Z');
export const MODEL = 'claude-opus-5-5';

/** A stable uuid for a name, so that two runs write the same files. */
export function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export interface Place {
  readonly cwd?: string;
  readonly branch?: string;
  /** Epoch milliseconds of the first record. */
  readonly start?: number;
  /** The session that a sub-agent belongs to: its file then lies in that one's folder. */
  readonly subagentOf?: Transcript;
}

export interface ToolOptions {
  readonly isError?: boolean;
  /** More of `toolUseResult`. */
  readonly told?: Readonly<Record<string, unknown>>;
}

/** One transcript file, written record by record. */
export class Transcript {
  readonly id: string;
  readonly cwd: string;
  private readonly lines: string[] = [];
  private readonly place: Place;
  private readonly agent: string | undefined;
  private readonly besides = new Map<string, string>();
  private now: number;
  private last: string | null = null;
  private count = 0;
  private readonly name: string;

  constructor(name: string, place: Place = {}) {
    this.name = name;
    this.place = place;
    this.cwd = place.cwd ?? place.subagentOf?.cwd ?? '/home/dev/projects/lantern';
    this.agent = place.subagentOf && `a${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
    this.id = place.subagentOf ? place.subagentOf.id : uuidOf(name);
    this.now = place.start ?? START;
  }

  /** The id under which Portolan knows it. */
  get key(): string {
    return `claude-code:${this.nativeId}`;
  }

  get nativeId(): string {
    return this.agent === undefined ? this.id : `agent-${this.agent}`;
  }

  /** Lets time pass, in minutes. */
  wait(minutes: number): void {
    this.now += minutes * 60_000;
  }

  /** The uuid of the last record, to which a rewind may go back. */
  get tip(): string | null {
    return this.last;
  }

  rewindTo(tip: string | null): void {
    this.last = tip;
  }

  prompt(text: string): number {
    return this.record({ type: 'user', message: { role: 'user', content: text } });
  }

  answer(text: string): number {
    return this.assistant({ type: 'text', text });
  }

  thinking(text: string): number {
    return this.assistant({ type: 'thinking', thinking: text, signature: 'c2ln' });
  }

  /** A tool call and its result: the lines of both. */
  tool(
    name: string,
    input: Readonly<Record<string, unknown>>,
    output: string,
    { isError = false, told = {} }: ToolOptions = {},
  ): { readonly call: number; readonly result: number; readonly id: string } {
    const { line: call, id } = this.call(name, input);
    const result = this.record({
      type: 'user',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: output, ...(isError && { is_error: true }) }],
      },
      toolUseResult: told,
    });
    return { call, result, id };
  }

  /** A tool call that has no result yet. */
  call(name: string, input: Readonly<Record<string, unknown>>): { readonly line: number; readonly id: string } {
    const id = `toolu_${uuidOf(`${this.name} ${this.count}`).slice(0, 8)}`;
    return { line: this.assistant({ type: 'tool_use', id, name, input }), id };
  }

  /** A record that is no message: a title, a summary. */
  plain(record: Readonly<Record<string, unknown>>): number {
    this.lines.push(JSON.stringify(record));
    return this.lines.length;
  }

  /** What lies beside a sub-agent's file. */
  meta(meta: Readonly<Record<string, unknown>>): void {
    this.besides.set(this.file.replace(/\.jsonl$/, '.meta.json'), JSON.stringify(meta));
  }

  private assistant(block: Readonly<Record<string, unknown>>): number {
    const key = `msg_${uuidOf(`${this.name} ${this.count}`).slice(0, 12)}`;
    return this.record({
      type: 'assistant',
      requestId: `req_${key}`,
      message: {
        id: key,
        type: 'message',
        role: 'assistant',
        model: MODEL,
        content: [block],
        stop_reason: block.type === 'tool_use' ? 'tool_use' : 'end_turn',
        usage: { input_tokens: 11, output_tokens: 7, cache_read_input_tokens: 100, cache_creation_input_tokens: 5 },
      },
    });
  }

  private record(record: Readonly<Record<string, unknown>>): number {
    const uuid = uuidOf(`${this.name} record ${this.count++}`);
    this.now += 1000;
    this.lines.push(
      JSON.stringify({
        parentUuid: this.last,
        isSidechain: this.agent !== undefined,
        ...(this.agent !== undefined && { agentId: this.agent }),
        userType: 'external',
        cwd: this.cwd,
        sessionId: this.id,
        version: '2.1.332',
        gitBranch: this.place.branch ?? 'main',
        entrypoint: 'cli',
        ...record,
        uuid,
        timestamp: new Date(this.now).toISOString(),
      }),
    );
    this.last = uuid;
    return this.lines.length;
  }

  /** The file's place below the user's home. */
  get file(): string {
    const folder = join('.claude', 'projects', this.cwd.replace(/[^A-Za-z0-9]/g, '-'));
    return this.agent === undefined
      ? join(folder, `${this.id}.jsonl`)
      : join(folder, this.id, 'subagents', `agent-${this.agent}.jsonl`);
  }

  text(): string {
    return `${this.lines.join('\n')}\n`;
  }

  write(home: string): void {
    for (const [file, text] of [[this.file, this.text()] as const, ...this.besides]) {
      const path = join(home, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }
}
