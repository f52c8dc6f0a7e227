import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { loadedModules } from '../../agents/own-sources.ts';
import type { UnitDelta } from '../../archive/delta.ts';
import { currentRedaction } from '../../redact/redact.ts';
import type { Task } from './deltas.ts';
import type { FromWorker, ToWorker, WorkerStart } from './worker.ts';

/** Beside the bundle the worker is a bundle too; from source it is the module. */
const WORKER = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.mjs', import.meta.url);

/** Tasks that wait inside a worker, so that it is never idle between two. */
const QUEUED = 16;
const MOST_WORKERS = 4;
/** What a worker parses is soon forgotten: more room for it only costs memory. */
const YOUNG_MB = 24;
const OLD_MB = 1024;

export interface PoolHandlers {
  delta(task: Task, delta: UnitDelta): void;
  /** `isLasting`: it fails in the same way as long as the file stays the same. */
  failed(task: Task, reason: string, isLasting: boolean): void;
  /** The thread that read it died, of this task or with it. Something of it may have been given before. */
  died(task: Task, reason: string): void;
}

/**
 * Reads tasks in worker threads, in order as far as there are free workers. One core is left to the writer. Where a
 * worker dies, another one goes on with what waited in it. Resolves when all were read; rejects when a handler throws.
 * `memory` is the most that a worker may hold, in MB.
 */
export function readAll(
  tasks: Iterable<Task>,
  handlers: PoolHandlers,
  count = availableParallelism() - 1,
  memory = OLD_MB,
): Promise<void> {
  return new Promise((resolve, reject) => new Pool(tasks, handlers, memory, resolve, reject).start(count));
}

class Pool {
  private readonly waiting: Iterator<Task>;
  /** Tasks that a worker died before it came to. */
  private readonly returned: Task[] = [];
  private readonly workers = new Map<Worker, Task[]>();
  private readonly handlers: PoolHandlers;
  private readonly memory: number;
  private readonly resolve: () => void;
  private readonly reject: (error: Error) => void;
  private hasEnded = false;

  constructor(
    tasks: Iterable<Task>,
    handlers: PoolHandlers,
    memory: number,
    resolve: () => void,
    reject: (error: Error) => void,
  ) {
    this.waiting = tasks[Symbol.iterator]();
    this.handlers = handlers;
    this.memory = memory;
    this.resolve = resolve;
    this.reject = reject;
  }

  start(count: number): void {
    for (let i = 0; i < Math.max(1, Math.min(count, MOST_WORKERS)); i++) if (!this.startWorker()) break;
    this.endIfDone();
  }

  /** Gives whether there was something for it to do. */
  private startWorker(): boolean {
    const worker = new Worker(WORKER, {
      workerData: { redaction: currentRedaction(), modules: loadedModules() } satisfies WorkerStart,
      resourceLimits: { maxOldGenerationSizeMb: this.memory, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    let isReady = false;
    let why = 'the thread that read it ended';
    this.workers.set(worker, []);
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'ready') isReady = true;
      else this.attempt(() => this.heard(worker, message));
    });
    worker.on('error', (error) => {
      why = `the thread that read it died: ${error instanceof Error ? error.message : String(error)}`;
    });
    worker.on('exit', () => {
      if (isReady) this.attempt(() => this.exited(worker, why));
      // It did not come to read anything: no file is to blame.
      else this.end(new Error(why));
    });
    let some = false;
    for (let i = 0; i < QUEUED; i++) some = this.hand(worker) || some;
    return some;
  }

  private hand(worker: Worker): boolean {
    const task = this.returned.shift() ?? this.next();
    if (!task) return false;
    this.workers.get(worker)?.push(task);
    worker.postMessage({ type: 'task', task } satisfies ToWorker);
    return true;
  }

  private next(): Task | undefined {
    const { value, done } = this.waiting.next();
    return done === true ? undefined : value;
  }

  private heard(worker: Worker, message: Exclude<FromWorker, { type: 'ready' }>): void {
    const open = this.workers.get(worker) ?? [];
    const task = open.find(({ id }) => id === message.id);
    if (!task || this.hasEnded) return;
    if (message.type === 'failed') this.handlers.failed(task, message.reason, message.isLasting);
    else {
      this.handlers.delta(task, message.delta);
      worker.postMessage({ type: 'kept', bytes: message.delta.tally.bytes } satisfies ToWorker);
    }
    if (message.type === 'delta' && !message.delta.done) return;
    open.splice(open.indexOf(task), 1);
    this.hand(worker);
    this.endIfDone();
  }

  private exited(worker: Worker, why: string): void {
    const [task, ...rest] = this.workers.get(worker) ?? [];
    this.workers.delete(worker);
    if (this.hasEnded) return;
    this.returned.push(...rest);
    if (task) this.handlers.died(task, why);
    if (this.returned.length > 0 || task) this.startWorker();
    this.endIfDone();
  }

  private endIfDone(): void {
    if (this.returned.length === 0 && [...this.workers.values()].every((open) => open.length === 0)) this.end();
  }

  private attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.end(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private end(error?: Error): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    const ended = Promise.all([...this.workers.keys()].map((worker) => worker.terminate()));
    void ended.then(() => (error ? this.reject(error) : this.resolve()));
  }
}
