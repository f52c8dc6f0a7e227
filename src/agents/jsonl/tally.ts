import { capped, MOST_TYPES, OTHER_TYPES } from '../bounds.ts';
import type { Failure, Tally } from '../source.ts';

/** The longest name of a record's type that is kept. */
const LONGEST_TYPE = 100;

/** Counts what a reading meets between two checkpoints. Whatever a file holds, it stays small. */
export class RunningTally {
  records = 0;
  private readonly path: string;
  private unknown = new Map<string, number>();
  private failures: readonly Failure[] = [];
  private waiting: Failure | undefined;

  constructor(path: string) {
    this.path = path;
  }

  fail(line: number, reason: string): void {
    this.failures = capped([...this.failures, { path: this.path, line, reason }]);
  }

  /** A line that is read later: it alone is told whatever else failed. */
  wait(line: number, reason: string): void {
    this.waiting = { path: this.path, line, reason };
  }

  /** Counts a record of an unknown type; one whose type is known says nothing. */
  know(unknown: string | undefined): void {
    if (unknown === undefined) return;
    const name = unknown.slice(0, LONGEST_TYPE);
    const counted = this.unknown.has(name) || this.unknown.size < MOST_TYPES ? name : OTHER_TYPES;
    this.unknown.set(counted, (this.unknown.get(counted) ?? 0) + 1);
  }

  /** What was counted since it was asked last, over so many bytes. */
  take(bytes: number): Omit<Tally, 'notShown'> {
    const taken = {
      records: this.records,
      bytes,
      unknown: Object.fromEntries(this.unknown),
      failures: this.waiting ? [...this.failures, this.waiting] : this.failures,
    };
    this.records = 0;
    this.unknown = new Map();
    this.failures = [];
    this.waiting = undefined;
    return taken;
  }
}
