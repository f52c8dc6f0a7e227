import type { Failure, Source } from '../agents/source.ts';
import type { Stores } from '../holdings/stores.ts';
import type { Coverage } from './changes/coverage.ts';

/** What one indexing did, per source. */
export interface SourceReport {
  readonly label: string;
  readonly units: number;
  readonly read: number;
  readonly unchanged: number;
  /** Not read, or not on: the user leaves them out, or has forgotten them. */
  readonly excluded: number;
  readonly gone: number;
  readonly sessions: number;
  readonly records: number;
  readonly bytesRead: number;
  readonly failed: readonly Failure[];
  readonly unknownRecords: Readonly<Record<string, number>>;
  readonly cutOutputs: number;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly bytes: number;
  readonly totalBytes: number;
}

/** What was done about one source until now. */
export interface Running {
  readonly source: Source;
  /** What could not be looked into. */
  readonly unreadable: readonly Failure[];
  readonly units: number;
  unchanged: number;
  excluded: number;
  read: number;
  gone: number;
  records: number;
  bytesRead: number;
  cutOutputs: number;
}

/** What a run has done, and how far it has come. What is undone of its writing is taken out of it again. */
export class RunAccount {
  readonly running: Running[] = [];
  done = 0;
  bytes = 0;
  private readonly coverage: Coverage;

  constructor(coverage: Coverage) {
    this.coverage = coverage;
  }

  begin(source: Source, planned: Pick<Running, 'unreadable' | 'units' | 'unchanged' | 'excluded'>): Running {
    const running = { source, ...planned, read: 0, gone: 0, records: 0, bytesRead: 0, cutOutputs: 0 };
    this.running.push(running);
    return running;
  }

  /** A unit was read to its end, or could not be read. */
  passed({ source }: Running): void {
    this.done++;
    this.coverage.passed(source.id);
  }

  note(): void {
    this.coverage.note();
  }

  save(): () => void {
    const { done, bytes } = this;
    const running = this.running.map((one) => ({ ...one }));
    const coverage = this.coverage.save();
    return () => {
      Object.assign(this, { done, bytes });
      for (const [index, one] of this.running.entries()) Object.assign(one, running[index]);
      coverage();
    };
  }

  reports({ archive, catalog }: Stores): Record<string, SourceReport> {
    return Object.fromEntries(
      this.running.map(({ source, unreadable, ...counts }) => [
        source.id,
        {
          label: source.label,
          ...counts,
          sessions: catalog.sessionsOf(source.id),
          failed: [...unreadable, ...archive.failures(source.id)],
          unknownRecords: archive.unknownRecords(source.id),
        },
      ]),
    );
  }
}
