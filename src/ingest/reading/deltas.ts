import { sourceOf } from '../../agents/registry.ts';
import type { Checkpoint, Unit } from '../../agents/source.ts';
import type { SessionTail, UnitDelta } from '../../archive/delta.ts';
import { redactDeep } from '../../redact/redact.ts';
import { SessionAssembler } from './assemble.ts';
import { confined } from './confined.ts';
import { keptId, keptTally } from './protect.ts';

/** A unit to be read, from a checkpoint on or from its beginning. */
export interface Task {
  readonly id: number;
  readonly unit: Unit;
  readonly from?: Checkpoint;
  readonly tails: readonly SessionTail[];
}

/** Reads a unit and gives what each checkpoint brought. @throws what the reader throws */
export async function* deltasOf(task: Task): AsyncIterable<UnitDelta> {
  const source = sourceOf(task.unit.source);
  if (!source) throw new Error(`no source is called ${task.unit.source}`);
  const fresh = task.from === undefined;
  const tails = new Map(task.tails.map((tail) => [tail.nativeId, tail]));
  const sessions = new Map<string, SessionAssembler>();
  const { inside } = task.unit;
  const told = source.read(task.unit, task.from);
  for await (const event of inside === undefined ? told : confined(told, inside)) {
    if (event.type === 'checkpoint') {
      const changed = [...sessions.values()].flatMap((session) => session.take() ?? []);
      // The reader's state is kept too: it may hold folders, branches, prompts that wait.
      const checkpoint = { ...event.checkpoint, state: redactDeep(event.checkpoint.state).value };
      yield { fresh, sessions: changed, checkpoint, tally: keptTally(event.tally), done: event.isLast };
      continue;
    }
    let session = sessions.get(event.session);
    if (!session) {
      const nativeId = keptId(event.session);
      session = new SessionAssembler(nativeId, fresh ? undefined : tails.get(nativeId));
      sessions.set(event.session, session);
    }
    session.accept(event);
  }
}
