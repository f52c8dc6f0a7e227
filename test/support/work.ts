import { Database, type Value } from '../../src/store/database.ts';

/** What was asked of the databases while something was done. */
export interface Work {
  /** Statements that were run, and rows that they gave or changed; but for those of the full-text index. */
  readonly runs: number;
  readonly rows: number;
  /** Statements that look at all rows of a session, or of a table: how SQLite goes about them. */
  readonly scans: readonly string[];
}

/** Tables that hold a row or more for each turn. */
const GROWING = ['turns', 'later_records', 'chunks', 'records', 'sightings', 'passages', 'touches', 'tools', 'worked'];

const ASKING = ['run', 'row', 'rows', 'tuples'] as const;

/** Asks the databases nothing of its own: the plans are looked at when all is done. */
export async function workOf(work: () => Promise<unknown>): Promise<Work> {
  let runs = 0;
  let rows = 0;
  const plans = new Map<string, readonly string[]>();
  const { rows: ask } = Database.prototype;
  const before = ASKING.map((name) => Database.prototype[name]);
  for (const name of ASKING) {
    const asked: (this: Database, sql: string, ...values: Value[]) => unknown = Database.prototype[name];
    Reflect.set(Database.prototype, name, function (this: Database, sql: string, ...values: Value[]) {
      if (!plans.has(sql)) plans.set(sql, plan(ask.call(this, `EXPLAIN QUERY PLAN ${sql}`), sql));
      const answer = asked.call(this, sql, ...values);
      // The full-text index has as many segments as its merges have left.
      if (!/lexical_|^PRAGMA/.test(sql)) {
        runs++;
        rows += sizeOf(answer);
      }
      return answer;
    });
  }
  try {
    await work();
  } finally {
    for (const [i, name] of ASKING.entries()) Reflect.set(Database.prototype, name, before[i]);
  }
  return { runs, rows, scans: [...plans.values()].flat() };
}

function sizeOf(answer: unknown): number {
  if (Array.isArray(answer)) return answer.length;
  if (typeof answer !== 'object' || answer === null) return 0;
  return 'changes' in answer && 'id' in answer ? Number(answer.changes) : 1;
}

function plan(steps: readonly unknown[], sql: string): readonly string[] {
  return steps.flatMap((step) => {
    const detail = typeof step === 'object' && step !== null && 'detail' in step ? String(step.detail) : '';
    const [, how, table = '', by] = /^(SCAN|SEARCH) (\w+)(?: .*\((.*)\))?/.exec(detail) ?? [];
    const isWide = how === 'SCAN' || (by === 'session=?' && !/LIMIT 1$/.test(sql));
    return GROWING.includes(table) && isWide ? [`${detail}: ${sql}`] : [];
  });
}
