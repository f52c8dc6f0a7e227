import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Histories of our own making where gen.mjs has none of that shape: one huge session, thousands of small ones. */

const WORDS =
  'the to a of and in is that for it this with file code error test function value type data line name list run set get check make change build user path key server request response query index table cache token session config module class method object string number array map promise event handler'.split(
    ' ',
  );

/** mulberry32: the same numbers on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A session id that a number stands for. */
export function sessionId(number: number): string {
  const hex = number.toString(16).padStart(12, '0');
  return `be9c4000-0000-4000-8000-${hex}`;
}

const BEGIN = Date.parse('2026-10-01T08:00:00Z');

/** Writes one session, line by line as Claude Code does. */
class SessionWriter {
  private readonly random: () => number;
  private readonly id: string;
  private readonly cwd: string;
  private parent: string | null = null;
  private at: number;
  private record = 0;

  constructor(number: number, cwd: string) {
    this.random = randomFrom(number + 1);
    this.id = sessionId(number);
    this.cwd = cwd;
    this.at = BEGIN + number * 60_000;
  }

  /** A prompt, a tool call with its output of `lines` lines, and the answer. */
  turn(lines: number): string {
    const call = `toolu_${this.id.slice(-6)}_${this.record}`;
    const output = Array.from({ length: lines }, (_, i) => `${i + 1}\t${this.sentence(9)}`).join('\n');
    return (
      this.prompt(this.sentence(14)) +
      this.line('assistant', this.message([{ type: 'text', text: this.sentence(20) }])) +
      this.line(
        'assistant',
        this.message([
          { type: 'tool_use', id: call, name: 'Bash', input: { command: `npm test -- ${this.word()}_${this.word()}` } },
        ]),
      ) +
      this.line('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content: output }] }) +
      this.line('assistant', this.message([{ type: 'text', text: this.sentence(60) }]))
    );
  }

  prompt(text: string): string {
    return this.line('user', { role: 'user', content: text });
  }

  private message(content: object[]): object {
    const usage = { input_tokens: 5, cache_read_input_tokens: 900, output_tokens: 120 };
    const id = `msg_${this.id.slice(-6)}_${this.record}`;
    return { role: 'assistant', type: 'message', model: 'claude-sonnet-4-5-20250929', id, content, usage };
  }

  private line(type: string, message: object): string {
    const uuid = `${this.id.slice(0, 24)}${(this.record++).toString(16).padStart(6, '0')}${this.id.slice(-6)}`;
    this.at += 1000;
    const timestamp = new Date(this.at).toISOString();
    const base = { parentUuid: this.parent, isSidechain: false, userType: 'external', cwd: this.cwd };
    const more = { sessionId: this.id, version: '2.1.319', gitBranch: 'main', type, message, uuid, timestamp };
    this.parent = uuid;
    return `${JSON.stringify({ ...base, ...more })}\n`;
  }

  private word(): string {
    return WORDS[Math.floor(this.random() * WORDS.length)]!;
  }

  private sentence(words: number): string {
    return Array.from({ length: words }, () => this.word()).join(' ');
  }
}

export interface GrowingSession {
  readonly path: string;
  readonly bytes: number;
  /** The line of a next prompt. */
  prompt(text: string): string;
}

/** Writes a session of about `bytes` bytes under a home, and can go on with it. */
export function writeHugeSession(home: string, bytes: number): GrowingSession {
  const cwd = '/home/dev/bench/huge';
  const folder = join(home, '.claude', 'projects', '-home-dev-bench-huge');
  mkdirSync(folder, { recursive: true });
  const number = 0xfffff;
  const path = join(folder, `${sessionId(number)}.jsonl`);
  const writer = new SessionWriter(number, cwd);
  const file = openSync(path, 'w');
  let written = 0;
  while (written < bytes) {
    let text = '';
    while (text.length < 1 << 20) text += writer.turn(120);
    written += writeSync(file, text);
  }
  closeSync(file);
  return { path, bytes: written, prompt: (text) => writer.prompt(text) };
}

/** Writes `count` small sessions, a hundred a project. */
export function writeSmallSessions(home: string, count: number): number {
  let bytes = 0;
  for (let number = 0; number < count; number++) {
    const project = Math.floor(number / 100);
    const folder = join(home, '.claude', 'projects', `-home-dev-bench-p${project}`);
    if (number % 100 === 0) mkdirSync(folder, { recursive: true });
    const file = openSync(join(folder, `${sessionId(number)}.jsonl`), 'w');
    bytes += writeSync(file, new SessionWriter(number, `/home/dev/bench/p${project}`).turn(3));
    closeSync(file);
  }
  return bytes;
}
