import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
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

export interface PoolHandlers {
  delta(task: Task, delta: UnitDelta): void;
  failed(task: Task, reason: string): void;
}

/**
 * Reads tasks in worker threads, in order as far as there are free workers. One core is left to the writer. Resolves
 * when all were read; rejects when a handler throws.
 */
export function readAll(
  tasks: Iterable<Task>,
  handlers: PoolHandlers,
  count = availableParallelism() - 1,
): Promise<void> {
  const waiting = tasks[Symbol.iterator]();
  const open = new Map<number, Task>();
  return new Promise((resolve, reject) => {
    const workers: Worker[] = [];
    let ended = false;
    const end = (error?: Error) => {
      if (ended) return;
      ended = true;
      void Promise.all(workers.map((worker) => worker.terminate())).then(() => (error ? reject(error) : resolve()));
    };
    const hand = (worker: Worker): boolean => {
      const { value: task, done } = waiting.next();
      if (done) return false;
      open.set(task.id, task);
      worker.postMessage({ type: 'task', task } satisfies ToWorker);
      return true;
    };
    const finished = (worker: Worker, task: Task) => {
      open.delete(task.id);
      if (!hand(worker) && open.size === 0) end();
    };
    const start = (): boolean => {
      const worker = new Worker(WORKER, {
        workerData: { redaction: currentRedaction() } satisfies WorkerStart,
        resourceLimits: { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: YOUNG_MB },
      });
      workers.push(worker);
      worker.on('message', (message: FromWorker) => {
        const task = open.get(message.id);
        if (!task || ended) return;
        try {
          if (message.type === 'failed') {
            handlers.failed(task, message.reason);
            finished(worker, task);
          } else {
            handlers.delta(task, message.delta);
            worker.postMessage({ type: 'kept', bytes: message.delta.tally.bytes } satisfies ToWorker);
            if (message.delta.done) finished(worker, task);
          }
        } catch (error) {
          end(error instanceof Error ? error : new Error(String(error)));
        }
      });
      worker.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))));
      let some = false;
      for (let i = 0; i < QUEUED; i++) some = hand(worker) || some;
      return some;
    };
    for (let i = 0; i < Math.max(1, Math.min(count, MOST_WORKERS)); i++) if (!start()) break;
    if (open.size === 0) end();
  });
}
