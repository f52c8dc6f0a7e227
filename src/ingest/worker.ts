import { parentPort, workerData } from 'node:worker_threads';
import { sourceOf } from '../agents/registry.ts';
import type { Checkpoint, Unit } from '../agents/source.ts';
import type { SessionTail, UnitDelta } from '../archive/delta.ts';
import { type Redaction, redactDeep, redactText, redactWith } from '../redact/redact.ts';
import { SessionAssembler } from './assemble.ts';
import { keptTally } from './protect.ts';

/** A unit to be read, from a checkpoint on or from its beginning. */
export interface Task {
  readonly id: number;
  readonly unit: Unit;
  readonly from?: Checkpoint;
  readonly tails: readonly SessionTail[];
}

export type FromWorker =
  | { readonly type: 'delta'; readonly id: number; readonly delta: UnitDelta }
  | { readonly type: 'failed'; readonly id: number; readonly reason: string };

export type ToWorker =
  | { readonly type: 'task'; readonly task: Task }
  | { readonly type: 'kept'; readonly bytes: number };

/** Bytes read that may be on their way to the writer at once: it bounds the memory of both. */
const MOST_IN_FLIGHT = 12 << 20;

/** Reads a unit and gives what each checkpoint brought. @throws what the reader throws */
export async function* deltasOf(task: Task): AsyncIterable<UnitDelta> {
  const source = sourceOf(task.unit.source);
  if (!source) throw new Error(`no source is called ${task.unit.source}`);
  const fresh = task.from === undefined;
  const tails = new Map(task.tails.map((tail) => [tail.nativeId, tail]));
  const sessions = new Map<string, SessionAssembler>();
  for await (const event of source.read(task.unit, task.from)) {
    if (event.type === 'checkpoint') {
      const changed = [...sessions.values()].flatMap((session) => session.take() ?? []);
      // The reader's state is kept too: it may hold folders, branches, prompts that wait.
      const checkpoint = { ...event.checkpoint, state: redactDeep(event.checkpoint.state).value };
      yield { fresh, sessions: changed, checkpoint, tally: keptTally(event.tally), done: event.isLast };
      continue;
    }
    let session = sessions.get(event.session);
    if (!session) {
      const nativeId = redactText(event.session).text;
      session = new SessionAssembler(nativeId, fresh ? undefined : tails.get(nativeId));
      sessions.set(event.session, session);
    }
    session.accept(event);
  }
}

/** What a worker is started with. Values of secrets pass from memory to memory. */
export interface WorkerStart {
  readonly redaction: Redaction;
}

if (parentPort) {
  // Given by the pool alone.
  redactWith((workerData as WorkerStart).redaction);
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
      post({ type: 'failed', id: task.id, reason: error instanceof Error ? error.message : String(error) });
    }
  };

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
