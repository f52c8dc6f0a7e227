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

/** What a reading would go on with is damaged: the unit is to be read from its beginning. */
export class DamagedTail extends Error {}

export function isDamaged(tail: SessionTail): boolean {
  return tail.last?.body.isDamaged === true;
}

/** What is kept of a session that a reading goes on with. */
type TailOf = (nativeId: string) => SessionTail | undefined;

/**
 * Reads a unit and gives what each checkpoint brought. @throws DamagedTail; what the reader throws
 * @param tailOf asked for the sessions that the reading comes to: a unit may hold thousands that it does not
 */
export async function* deltasOf(task: Task, tailOf: TailOf = amongst(task.tails)): AsyncIterable<UnitDelta> {
  const source = sourceOf(task.unit.source);
  if (!source) throw new Error(`no source is called ${task.unit.source}`);
  const fresh = task.from === undefined;
  if (task.unit.format === 'listing') {
    yield emptyDelta(task.unit);
    return;
  }
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
      const tail = fresh ? undefined : tailOf(nativeId);
      if (tail && isDamaged(tail)) throw new DamagedTail();
      session = new SessionAssembler(nativeId, tail);
      sessions.set(event.session, session);
    }
    session.accept(event);
  }
}

/** What a listing brings: its rows are read, each as a unit. */
function emptyDelta({ size }: Unit): UnitDelta {
  return {
    fresh: true,
    sessions: [],
    checkpoint: { offset: size, line: 0, state: undefined, headHash: '', tailHash: '' },
    tally: { records: 0, bytes: 0, unknown: {}, notShown: {}, failures: [] },
    done: true,
  };
}

function amongst(tails: readonly SessionTail[]): TailOf {
  const byId = new Map(tails.map((tail) => [tail.nativeId, tail]));
  return (nativeId) => byId.get(nativeId);
}
