import { statSync } from 'node:fs';
import { join } from 'node:path';
import { codex } from '../../../src/agents/codex/source.ts';
import type { Checkpoint, SourceEvent, Unit } from '../../../src/agents/source.ts';
import { redactDeep } from '../../../src/redact/redact.ts';
import { temporaryFolder, writeAt } from '../../support/folders.ts';
import { Told } from '../../support/reading.ts';

export const ID = '01a22bac-7772-7ca3-a76c-d3a02d668a66';
export const OTHER = '01a22bac-9999-7ca3-a76c-d3a02d668a66';
export const CWD = '/home/dev/projects/harbor';

type Fields = Record<string, unknown>;

/** Writes records as Codex does, a second apart. */
export class Script {
  readonly lines: Fields[] = [];
  private clock = Date.parse('2026-11-21T12:00:00Z');

  private add(type: string, payload: Fields): this {
    this.clock += 1000;
    this.lines.push({ timestamp: new Date(this.clock).toISOString(), type, payload });
    return this;
  }

  meta(id = ID, more: Fields = {}): this {
    return this.add('session_meta', {
      id,
      timestamp: '2026-11-21T12:00:00Z',
      cwd: CWD,
      originator: 'codex_cli_rs',
      cli_version: '0.111.0',
      source: 'cli',
      model_provider: 'openai',
      git: { branch: 'main', repository_url: 'https://example.com/harbor.git' },
      ...more,
    });
  }

  event(type: string, more: Fields = {}): this {
    return this.add('event_msg', { type, ...more });
  }

  item(type: string, more: Fields = {}): this {
    return this.add('response_item', { type, ...more });
  }

  done(type: string, more: Fields = {}): this {
    return this.event('item_completed', { item: { type, ...more } });
  }

  record(type: string, payload: Fields): this {
    return this.add(type, payload);
  }

  task(turn: string | undefined, model = 'gpt-5.5'): this {
    this.event('task_started', { ...(turn !== undefined && { turn_id: turn }), model_context_window: 258_400 });
    return this.add('turn_context', { ...(turn !== undefined && { turn_id: turn }), cwd: CWD, model });
  }

  heard(text: string, role = 'user'): this {
    return this.item('message', { role, content: [{ type: 'input_text', text }] });
  }

  said(text: string): this {
    return this.item('message', { role: 'assistant', content: [{ type: 'output_text', text }] });
  }

  asked(text: string): this {
    return this.heard(text).event('user_message', { message: text, images: [] });
  }

  answered(text: string): this {
    return this.event('agent_message', { message: text }).said(text);
  }

  call(id: string, command: string): this {
    return this.item('function_call', {
      name: 'exec_command',
      arguments: JSON.stringify({ cmd: command }),
      call_id: id,
    });
  }

  output(id: string, output: unknown): this {
    return this.item('function_call_output', { call_id: id, output });
  }

  tokens(input: number, output: number, more: Fields = {}): this {
    const total = {
      input_tokens: input,
      cached_input_tokens: Math.floor(input / 2),
      output_tokens: output,
      reasoning_output_tokens: 0,
      total_tokens: input + output,
    };
    const info = { total_token_usage: total, last_token_usage: total, model_context_window: 258_400, ...more };
    return this.event('token_count', { info, rate_limits: null });
  }
}

export const turnId = (n: number) => `019fc8be-0000-7000-8000-${String(n).padStart(12, '0')}`;

export function textOf(lines: readonly Fields[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

export function nameOf(id = ID): string {
  return `rollout-2026-11-21T12-00-00-${id}.jsonl`;
}

/** Writes a rollout into a home of its own; gives its path. */
export function rollout(script: Script | string, id = ID, home = join(temporaryFolder(), '.codex')): string {
  const text = typeof script === 'string' ? script : textOf(script.lines);
  return writeAt(join(home, 'sessions', '2026', '11', '21', nameOf(id)), text);
}

export function unitAt(path: string, layout = 'rollout'): Unit {
  const { size, mtimeMs, dev, ino } = statSync(layout === 'compressed' ? `${path}.zst` : path);
  return {
    source: 'codex',
    path,
    layout,
    format: 'append',
    size,
    modified: Math.floor(mtimeMs),
    identity: `${dev}:${ino}`,
  };
}

/** Reads a file as the source does, from its beginning or from a checkpoint, which is kept as the archive keeps it. */
export async function told(path: string, { layout = 'rollout', from }: { layout?: string; from?: Checkpoint } = {}) {
  const events: SourceEvent[] = [];
  const kept =
    from && ({ ...from, state: redactDeep(JSON.parse(JSON.stringify(from.state)) as unknown).value } as Checkpoint);
  for await (const event of codex.read(unitAt(path, layout), kept)) events.push(event);
  return new Told(events);
}

export const read = (script: Script, id = ID) => told(rollout(script, id));
