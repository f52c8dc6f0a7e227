import { EventEmitter } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadStream } from 'node:tty';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { span } from '../../src/render/spans.ts';
import type { Key } from '../../src/tui/keys.ts';
import { Painter } from '../../src/tui/paint.ts';
import { type Output, Terminal } from '../../src/tui/terminal.ts';
import { temporaryFolder } from '../support/folders.ts';

const style = { color: true, width: 20 };
const size = { columns: 20, rows: 3 };

describe('drawing', () => {
  it('writes only the lines that changed', () => {
    const painter = new Painter();
    const first = painter.draw({ lines: [[span('one')], [span('two')]] }, style, size);
    expect(first).toContain('\x1b[1;1Hone\x1b[K');
    expect(first).toContain('\x1b[3;1H\x1b[K');
    const second = painter.draw({ lines: [[span('one')], [span('2', 'bold')]] }, style, size);
    expect(second).toBe('\x1b[?2026h\x1b[?25l\x1b[2;1H\x1b[1m2\x1b[22m\x1b[K\x1b[?2026l');
    expect(painter.draw({ lines: [[span('one')], [span('2', 'bold')]] }, style, size)).toBe('');
  });

  it('moves the cursor alone where nothing else changed', () => {
    const painter = new Painter();
    const lines = [[span('one')]];
    painter.draw({ lines, cursor: { row: 0, column: 1 } }, style, size);
    expect(painter.draw({ lines, cursor: { row: 0, column: 2 } }, style, size)).toBe(
      '\x1b[?2026h\x1b[?25l\x1b[1;3H\x1b[?25h\x1b[?2026l',
    );
  });

  it('does not clear the last sign of a full line', () => {
    const drawn = new Painter().draw({ lines: [[span('漢'.repeat(10))]] }, style, { columns: 20, rows: 1 });
    expect(drawn).toContain(`${'漢'.repeat(10)}\x1b[?2026l`);
  });

  it('draws whole again when it forgot', () => {
    const painter = new Painter();
    const frame = { lines: [[span('one')]] };
    const first = painter.draw(frame, style, size);
    painter.forget();
    expect(painter.draw(frame, style, size)).toBe(first);
  });
});

/** A terminal's two streams, of which everything is written down in a file: what is given back is written there at once. */
class FakeTerminal {
  readonly input = Object.assign(new EventEmitter(), {
    isRaw: false,
    isPaused: false,
    setEncoding: () => {},
    setRawMode(isRaw: boolean) {
      this.isRaw = isRaw;
    },
    resume() {
      this.isPaused = false;
    },
    pause() {
      this.isPaused = true;
    },
  });
  readonly path = join(temporaryFolder(), 'written');
  readonly fd = openSync(this.path, 'a');
  readonly written: string[] = [];
  readonly output = Object.assign(new EventEmitter(), {
    fd: this.fd,
    columns: 20,
    rows: 3,
    write: (text: string) => this.written.push(text),
  });

  /** What was written to the terminal itself, past the stream. */
  get direct(): string {
    return readFileSync(this.path, 'utf8');
  }
}

describe('the terminal', () => {
  let fake: FakeTerminal;
  let terminal: Terminal;
  let heard: Key[];
  let resized: number;
  const listeners = () =>
    ['exit', 'uncaughtExceptionMonitor', 'SIGTERM', 'SIGTSTP', 'SIGCONT'].map((name) => process.listenerCount(name));
  let before: number[];

  beforeEach(() => {
    before = listeners();
    fake = new FakeTerminal();
    heard = [];
    resized = 0;
    terminal = new Terminal(fake.input as unknown as ReadStream, fake.output as unknown as Output, {
      keys: (keys) => heard.push(...keys),
      resized: () => resized++,
      resumed: () => {},
    });
    terminal.open();
  });
  afterEach(() => {
    terminal.close();
    closeSync(fake.fd);
  });

  it('is taken raw, on the other screen', () => {
    expect(fake.input.isRaw).toBe(true);
    expect(fake.written.join('')).toContain('\x1b[?1049h');
  });

  it('is given back as it was, once, and nothing is listened to any more', () => {
    terminal.close();
    terminal.close();
    expect(fake.input.isRaw).toBe(false);
    expect(fake.input.isPaused).toBe(true);
    expect(fake.direct).toBe('\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[0m\x1b[?1049l');
    expect(listeners()).toEqual(before);
    expect(fake.input.listenerCount('data')).toBe(0);
  });

  it('is given back before the error of a crash is printed', () => {
    process.emit('uncaughtExceptionMonitor', new Error('x'), 'uncaughtException');
    expect(fake.direct).toContain('\x1b[?1049l');
    expect(fake.input.isRaw).toBe(false);
  });

  it('draws nothing when it is not ours', () => {
    terminal.close();
    const count = fake.written.length;
    terminal.draw({ lines: [[span('one')]] }, style);
    expect(fake.written).toHaveLength(count);
  });

  it('tells Escape alone from an arrow that comes in pieces', async () => {
    fake.input.emit('data', '\x1b');
    fake.input.emit('data', '[A');
    fake.input.emit('data', '\x1b');
    expect(heard.map(({ name }) => name)).toEqual(['up']);
    await expect.poll(() => heard.map(({ name }) => name)).toEqual(['up', 'escape']);
  });

  it('is drawn whole when its size changes', () => {
    const frame = { lines: [[span('one')]] };
    terminal.draw(frame, style);
    const first = fake.written.at(-1);
    fake.output.emit('resize');
    terminal.draw(frame, style);
    expect(fake.written.at(-1)).toBe(first);
    expect(resized).toBe(1);
  });
});
