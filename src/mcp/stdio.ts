import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { serveProcess } from './server.ts';

/**
 * Every session of every agent has a process of ours, so it is kept small: V8 does not let the space for new objects grow,
 * collects before it grows the heap by much, and makes less code. With what `Tidier` gives back that takes a third off what
 * is resident after twenty queries; they spend their time in SQLite.
 */
const LEAN = ['--semi-space-growth-factor=1', '--heap-growing-percent=10', '--optimize-for-size', '--expose-gc'];
/**
 * A few questions an hour hardly pay for V8's slowest compiler: without it they take a tenth longer, and 8 MB less are
 * resident, its own code and what it works with. Without the one before it, Maglev, they would take more than twice as long.
 */
const FEW_QUESTIONS = '--no-turbofan';
const IDLE_MS = 50;

/** Serves this process's stdin and stdout until stdin ends. */
export async function serve(variables: NodeJS.ProcessEnv): Promise<void> {
  setFlagsFromString(FEW_QUESTIONS);
  const tidier = new Tidier();
  await serveProcess(variables, () => tidier.answered());
}

/** Gives back what an answer left behind, when no other follows at once: the process may be idle for hours then. */
class Tidier {
  private timer: NodeJS.Timeout | undefined;
  private collect: unknown;

  answered(): void {
    // Not before the first answer: it would make the start slower, and most sessions never ask.
    if (!this.timer) for (const flag of LEAN) setFlagsFromString(flag);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tidy(), IDLE_MS).unref();
  }

  private tidy(): void {
    this.collect ??= runInNewContext('gc');
    if (typeof this.collect === 'function') this.collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }
}
