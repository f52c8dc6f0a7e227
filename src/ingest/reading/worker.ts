import { parentPort, workerData } from 'node:worker_threads';
import { whyUnread } from '../../agents/folders.ts';
import { loadOwnSources } from '../../agents/own-sources.ts';
import type { UnitDelta } from '../../archive/delta.ts';
import { type Redaction, redactWith } from '../../redact/redact.ts';
import { isOfTheSystem } from '../../store/store-errors.ts';
import { deltasOf, type Task } from './deltas.ts';

export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'delta'; readonly id: number; readonly delta: UnitDelta }
  | { readonly type: 'failed'; readonly id: number; readonly reason: string; readonly isLasting: boolean };

export type ToWorker =
  | { readonly type: 'task'; readonly task: Task }
  | { readonly type: 'kept'; readonly bytes: number };

/** Bytes read that may be on their way to the writer at once: it bounds the memory of both. */
const MOST_IN_FLIGHT = 6 << 20;

/** What a worker is started with. Values of secrets pass from memory to memory. */
export interface WorkerStart {
  readonly redaction: Redaction;
  /** Sources of the user's own. */
  readonly modules: readonly string[];
}

if (parentPort) {
  // Given by the pool alone.
  const { redaction, modules } = workerData as WorkerStart;
  redactWith(redaction);
  await loadOwnSources(modules);
  serve(parentPort);
}

function serve(port: NonNullable<typeof parentPort>): void {
  let inFlight = 0;
  let wake: (() => void) | undefined;
  const post = (message: FromWorker) => port.postMessage(message, buffersOf(message));

  const work = async (task: Task) => {
    try {
      for await (const delta of deltasOf(task)) {
        inFlight += delta.tally.bytes;
        post({ type: 'delta', id: task.id, delta });
        while (inFlight >= MOST_IN_FLIGHT)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } catch (error) {
      post({ type: 'failed', id: task.id, reason: whyUnread(error), isLasting: !isOfTheSystem(error) });
    }
  };

  post({ type: 'ready' });
  let last = Promise.resolve();
  port.on('message', (message: ToWorker) => {
    if (message.type === 'kept') {
      inFlight -= message.bytes;
      wake?.();
    } else last = last.then(() => work(message.task));
  });
}

/** The large pieces of a message, handed over rather than copied. */
function buffersOf(message: FromWorker): ArrayBuffer[] {
  if (message.type !== 'delta') return [];
  return message.delta.sessions.flatMap((session) =>
    session.chunks.flatMap(({ tokens, body }) =>
      [tokens, body].flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : [])),
    ),
  );
}
