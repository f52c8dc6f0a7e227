import { createHash } from 'node:crypto';

/** Records of Claude Code transcripts in words of our own. */

export const SESSION = '5f0c2f0e-7c1b-4c57-9d5e-0a4f6d1b2c3d';
export const CWD = '/home/dev/projects/pier';

export type Record_ = Readonly<Record<string, unknown>>;

/** A UUID that is always the same for the same name. */
export function uuid(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The lines of a file that holds these records. */
export function jsonl(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

export interface Usage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly [field: string]: unknown;
}

/** Makes the records of one conversation: each follows the one made before it, a second later. */
export class Script {
  private readonly envelope: Record_;
  private readonly name: string;
  private count = 0;
  private last: string | null = null;

  constructor(envelope: Record_ = {}, name = SESSION) {
    this.envelope = { sessionId: SESSION, cwd: CWD, version: '2.1.332', ...envelope };
    this.name = name;
  }

  /** The uuid of the record made last. */
  get leaf(): string {
    return this.last ?? '';
  }

  /** The next record follows that one. */
  goBackTo(leaf: string | null): void {
    this.last = leaf;
  }

  record(type: string, rest: Record_ = {}): Record_ {
    this.count++;
    const record = {
      type,
      uuid: uuid(`${this.name} ${this.count}`),
      parentUuid: this.last,
      timestamp: new Date(Date.parse('2026-11-21T10:00:00Z') + this.count * 1000).toISOString(),
      ...this.envelope,
      ...rest,
    };
    this.last = record.uuid as string;
    return record;
  }

  user(content: unknown, rest: Record_ = {}): Record_ {
    return this.record('user', { message: { role: 'user', content }, ...rest });
  }

  /** An assistant's record: a text, or content blocks. */
  answer(content: unknown, { id, model = 'claude-opus-5-5', usage }: Answer = {}, rest: Record_ = {}): Record_ {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return this.record('assistant', {
      message: {
        id: id ?? `msg_${this.name.slice(0, 4)}${this.count + 1}`,
        role: 'assistant',
        model,
        content: blocks,
        usage,
      },
      ...rest,
    });
  }

  call(callId: string, name: string, input: unknown, answer: Answer = {}): Record_ {
    return this.answer([{ type: 'tool_use', id: callId, name, input }], answer);
  }

  result(callId: string, content: unknown, toolUseResult?: unknown, isError = false): Record_ {
    return this.user([{ type: 'tool_result', tool_use_id: callId, content, is_error: isError }], { toolUseResult });
  }
}

export interface Answer {
  readonly id?: string;
  readonly model?: string;
  readonly usage?: Usage;
}
