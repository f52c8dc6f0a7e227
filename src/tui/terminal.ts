import { writeSync } from 'node:fs';
import type { ReadStream } from 'node:tty';
import type { Style } from '../render/style.ts';
import { type Key, KeyReader } from './keys.ts';
import { type Frame, Painter, type Size } from './paint.ts';

// The other screen, its lines not wrapped by the terminal, pastes told from typing; and all of it undone.
const ENTER = '\x1b[?1049h\x1b[?7l\x1b[?2004h\x1b[?25l\x1b[2J';
const LEAVE = '\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[0m\x1b[?1049l';
/** How long a lone Escape waits: it may be the beginning of an arrow key that comes in pieces. */
const ESCAPE_MS = 25;

/** Windows knows no stopped jobs. */
const CAN_STOP = process.platform !== 'win32';
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
const NUMBERS: Readonly<Record<(typeof ENDING)[number], number>> = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1, SIGQUIT: 3 };

/** A stream to a terminal, as `process.stdout` is one. */
export type Output = NodeJS.WriteStream & { readonly fd: number };

export interface Handlers {
  keys(keys: readonly Key[]): void;
  resized(size: Size): void;
  /** The terminal is ours again after a stop. */
  resumed(): void;
}

/** The terminal while it is ours. However the program ends or stops, it is given back as it was. */
export class Terminal {
  private readonly input: ReadStream;
  private readonly output: Output;
  private readonly handlers: Handlers;
  private readonly reader = new KeyReader();
  private readonly painter = new Painter();
  private escape: NodeJS.Timeout | undefined;
  private isOurs = false;

  constructor(input: ReadStream, output: Output, handlers: Handlers) {
    this.input = input;
    this.output = output;
    this.handlers = handlers;
  }

  get size(): Size {
    return { columns: this.output.columns || 80, rows: this.output.rows || 24 };
  }

  /** Takes the terminal. */
  open(): void {
    this.input.setEncoding('utf8');
    this.input.on('data', this.onData);
    this.output.on('resize', this.onResize);
    process.on('exit', this.giveBack);
    // Before the error is printed, or it would be printed on the screen that goes.
    process.on('uncaughtExceptionMonitor', this.giveBack);
    for (const signal of ENDING) process.on(signal, this.onEnd);
    if (CAN_STOP) process.on('SIGTSTP', this.onStop).on('SIGCONT', this.onContinue);
    this.take();
  }

  /** Gives the terminal back for good. */
  close(): void {
    clearTimeout(this.escape);
    this.giveBack();
    this.input.off('data', this.onData);
    this.output.off('resize', this.onResize);
    process.off('exit', this.giveBack);
    process.off('uncaughtExceptionMonitor', this.giveBack);
    for (const signal of ENDING) process.off(signal, this.onEnd);
    process.off('SIGTSTP', this.onStop);
    process.off('SIGCONT', this.onContinue);
    this.input.pause();
  }

  draw(frame: Frame, style: Style): void {
    if (!this.isOurs) return;
    const drawn = this.painter.draw(frame, style, this.size);
    if (drawn !== '') this.output.write(drawn);
  }

  /** Writes a sequence that shows nothing, such as the one that sets the clipboard. */
  send(sequence: string): void {
    this.output.write(sequence);
  }

  /** Stops the whole job, as the terminal does where Ctrl-Z is not read by the program. */
  stop(): void {
    if (CAN_STOP) process.kill(0, 'SIGTSTP');
  }

  private take(): void {
    // Off first: after a stop Node takes the terminal for raw that the shell has set back.
    this.input.setRawMode(false);
    this.input.setRawMode(true);
    this.input.resume();
    this.painter.forget();
    this.output.write(ENTER);
    this.isOurs = true;
  }

  private readonly giveBack = (): void => {
    if (!this.isOurs) return;
    this.isOurs = false;
    // At once: a process that ends does not wait for a stream. A terminal that is gone needs nothing back.
    try {
      writeSync(this.output.fd, LEAVE);
      this.input.setRawMode(false);
    } catch {}
  };

  private readonly onData = (chunk: string): void => {
    clearTimeout(this.escape);
    this.handle(this.reader.read(chunk));
    if (this.reader.isWaiting) this.escape = setTimeout(() => this.handle(this.reader.settle()), ESCAPE_MS);
  };

  private handle(keys: readonly Key[]): void {
    if (keys.length > 0) this.handlers.keys(keys);
  }

  private readonly onResize = (): void => {
    this.painter.forget();
    this.handlers.resized(this.size);
  };

  private readonly onEnd = (signal: (typeof ENDING)[number]): void => {
    this.giveBack();
    process.exit(128 + NUMBERS[signal]);
  };

  private readonly onStop = (): void => {
    this.giveBack();
    process.kill(process.pid, 'SIGSTOP');
  };

  private readonly onContinue = (): void => {
    this.take();
    this.handlers.resumed();
  };
}
