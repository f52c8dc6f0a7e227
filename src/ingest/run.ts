import { statSync } from 'node:fs';
import { whyUnread } from '../agents/folders.ts';
import { SOURCES } from '../agents/registry.ts';
import type { Environment, Failure, Root, Source, Unit } from '../agents/source.ts';
import type { UnitDelta } from '../archive/delta.ts';
import type { UnitRow } from '../archive/rows.ts';
import { type Config, readConfig } from '../home/config.ts';
import { redactText } from '../redact/redact.ts';
import { Coverage } from './changes/coverage.ts';
import { Exclusion } from './changes/exclusion.ts';
import { eachFileOnce, KnownUnits, knownAt } from './changes/known-units.ts';
import type { Listed } from './changes/listing.ts';
import { isOwn, listUnits } from './changes/listing.ts';
import { asKept, asMoved } from './changes/noted.ts';
import { planOf, readerVersion, type Step } from './changes/plan.ts';
import { beginCleaning, cleanArchive } from './clearing/cleaning.ts';
import { expire } from './clearing/expire.ts';
import { deltasOf, type Task } from './reading/deltas.ts';
import { readAll } from './reading/pool.ts';
import type { WritableStores } from './writable-stores.ts';

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

/** Bytes of reading that go into one transaction; the first one is short, so that the first answers come soon. */
const BATCH_BYTES = 24 << 20;
const FIRST_BATCH_BYTES = 4 << 20;
const BATCH_MS = 1000;
/** So little is read here, without starting a worker. */
const LITTLE = 2 << 20;

/** Finds what changed, reads it, keeps it. Units that fail are told and tried again when they change. */
export async function ingest(
  stores: WritableStores,
  env: Environment,
  onProgress: (progress: Progress) => void = () => {},
): Promise<Record<string, SourceReport>> {
  const config = readConfig(stores.home);
  const exclusion = exclusionOf(stores, env, config);
  exclusion.followRules(stores.keeper);
  beginCleaning(stores);
  const run = new Run(stores, exclusion, onProgress);
  for (const source of SOURCES) if (!exclusion.hasSource(source.id)) run.cover(source, await listUnits(source, env));
  run.lookAround();
  await run.carryOut();
  run.endCovering();
  cleanArchive(stores);
  expire(stores, env, config.keep, Date.now());
  stores.finish();
  return run.reports();
}

/** What is not to be kept. From here on folders are looked at, each once. */
function exclusionOf({ archive, deriver }: WritableStores, env: Environment, { exclude }: Config): Exclusion {
  deriver.projects.beginLooking(env);
  return new Exclusion(exclude, env.home, archive, deriver.projects.names());
}

/** A path of a source where something happened. */
export interface Change {
  readonly source: Source;
  readonly root: Root;
  readonly path: string;
}

/** What was done about some changes. */
export interface Followed {
  /** Units that were read, on or anew. */
  readonly read: number;
  readonly bytesRead: number;
}

/** Reads what happened at some paths alone: files that grew, appeared, were renamed or deleted. */
export async function ingestChanges(
  stores: WritableStores,
  env: Environment,
  changes: readonly Change[],
): Promise<Followed> {
  const exclusion = exclusionOf(stores, env, readConfig(stores.home));
  const run = new Run(stores, exclusion, () => {});
  for (const source of new Set(changes.map((change) => change.source))) {
    if (exclusion.hasSource(source.id)) continue;
    const units: Unit[] = [];
    const known = new Map<number, UnitRow>();
    for (const { root, path } of changes.filter((change) => change.source === source)) {
      const at = source.unitAt?.(root, path);
      const unit = at && isOwn(source, root, at.path) ? at : undefined;
      if (unit) units.push(unit);
      for (const row of knownAt(stores.archive, source.id, unit ?? path)) known.set(row.id, row);
    }
    run.plan(source, eachFileOnce(units), [...known.values()]);
  }
  await run.carryOut();
  return run.followed();
}

interface Running {
  readonly source: Source;
  /** What could not be looked into. */
  readonly unreadable: readonly Failure[];
  units: number;
  read: number;
  unchanged: number;
  excluded: number;
  gone: number;
  records: number;
  bytesRead: number;
  cutOutputs: number;
}

interface Job {
  readonly step: Extract<Step, { do: 'read' | 'append' }>;
  readonly running: Running;
  unitId?: number;
}

class Run {
  private readonly stores: WritableStores;
  private readonly exclusion: Exclusion;
  private readonly onProgress: (progress: Progress) => void;
  private readonly coverage: Coverage;
  private readonly running: Running[] = [];
  private readonly jobs: Job[] = [];
  private readonly quick: Exclude<Step, { do: 'read' | 'append' }>[] = [];
  private hasUnlooked = false;
  private isOpen = false;
  private openBytes = 0;
  private committed = 0;
  private since = performance.now();
  private done = 0;
  private bytes = 0;
  private totalBytes = 0;

  constructor(stores: WritableStores, exclusion: Exclusion, onProgress: (progress: Progress) => void) {
    this.stores = stores;
    this.exclusion = exclusion;
    this.onProgress = onProgress;
    this.coverage = new Coverage(stores.archive);
  }

  /** Plans what is to be done about all units of a source, and keeps account of it. */
  cover(source: Source, listed: Listed): void {
    const before = this.jobs.length;
    const leftOut = this.plan(source, listed.units, this.stores.archive.units(source.id), listed.unreadable);
    this.coverage.begin(source.id, listed, this.jobs.length - before, leftOut);
  }

  /** Plans what is to be done about units; gives those that are left out. */
  plan(
    source: Source,
    found: readonly Unit[],
    known: readonly UnitRow[],
    unreadable: readonly Failure[] = [],
  ): ReadonlySet<Unit> {
    const leftOut = new Set(found.filter((unit) => this.exclusion.hasPath(unit.path)));
    const units = found.filter((unit) => !leftOut.has(unit));
    const { archive } = this.stores;
    const knownUnits = new KnownUnits(known, archive.places());
    const plan = planOf(units, knownUnits, readerVersion(source), (row) => archive.checkpoint(row.id));
    const running: Running = {
      source,
      unreadable,
      units: found.length,
      unchanged: plan.unchanged,
      excluded: leftOut.size,
      read: 0,
      gone: 0,
      records: 0,
      bytesRead: 0,
      cutOutputs: 0,
    };
    this.running.push(running);
    for (const step of plan.steps) {
      if (step.do !== 'gone' && this.exclusion.hasUnit(step.unit, step.known)) {
        running.excluded++;
        leftOut.add(step.unit);
      } else if (step.do === 'read' || step.do === 'append') this.jobs.push({ step, running });
      else {
        if (step.do === 'gone') running.gone++;
        else running.unchanged++;
        this.quick.push(step);
        if (step.do === 'move' && step.reading)
          this.jobs.push({ step: { ...step.reading, unit: step.unit, known: asMoved(step) }, running });
      }
    }
    return leftOut;
  }

  /** Folders that were never looked at are looked at too: a session was read before that was done, or by another. */
  lookAround(): void {
    this.hasUnlooked = this.stores.deriver.projects.noteNeverLooked();
  }

  async carryOut(): Promise<void> {
    try {
      if (this.quick.length > 0 || this.hasUnlooked) this.open();
      for (const step of this.quick) this.carryOutQuick(step);
      await this.readJobs();
      this.commit();
    } catch (error) {
      this.stores.rollback();
      throw error;
    }
  }

  /** Notes that all was come to, and which folders there are: what comes later is looked for there. */
  endCovering(): void {
    const folders = this.coverage.newFolders();
    if (!this.coverage.isNews && !folders) return;
    this.open();
    if (folders) this.coverage.noteFolders(folders);
    this.commit();
  }

  private async readJobs(): Promise<void> {
    this.totalBytes = this.jobs.reduce(
      (sum, { step }) => sum + step.unit.size - (step.do === 'append' ? step.from.offset : 0),
      0,
    );
    const handlers = {
      delta: (task: Task, delta: UnitDelta) => this.keep(task, delta),
      failed: (task: Task, reason: string) => this.fail(task, reason),
    };
    if (this.totalBytes > LITTLE) {
      this.announce();
      return readAll(this.tasks(), handlers);
    }
    for (const task of this.tasks()) await this.readHere(task);
  }

  /** Before a long reading, those who ask meanwhile are told how much it is. */
  private announce(): void {
    if (this.isOpen || !this.coverage.isNews) return;
    this.stores.begin();
    this.coverage.note();
    this.stores.commit();
  }

  /** Reads a unit in this thread. Only the reader's errors are the unit's: those of keeping it end the run. */
  private async readHere(task: Task): Promise<void> {
    const deltas = deltasOf(task)[Symbol.asyncIterator]();
    for (;;) {
      let next: IteratorResult<UnitDelta>;
      try {
        next = await deltas.next();
      } catch (error) {
        this.fail(task, whyUnread(error));
        return;
      }
      if (next.done) return;
      this.keep(task, next.value);
    }
  }

  private carryOutQuick(step: Exclude<Step, { do: 'read' | 'append' }>): void {
    const { archive, keeper, deriver } = this.stores;
    if (step.do === 'gone') keeper.markGone(step.known.id, Date.now());
    else {
      const known = step.do === 'move' ? asMoved(step) : step.known;
      keeper.noteUnit(asKept(step.unit, known.reader, known), known.reader, known.id);
    }
    keeper.touchSessions(step.known.id);
    for (const session of archive.sessionsOfUnit(step.known.id)) deriver.touch(session.id);
  }

  private *tasks(): Generator<Task> {
    for (const [id, job] of this.jobs.entries()) {
      const { step } = job;
      const tails = step.do === 'append' ? this.stores.archive.tails(step.known.id) : [];
      // What is damaged cannot be gone on with: all of it is read again.
      if (step.do === 'append' && !tails.some(({ last }) => last?.body.isDamaged))
        yield { id, unit: step.unit, from: step.from, tails };
      else yield { id, unit: step.unit, tails: [] };
    }
  }

  private keep(task: Task, read: UnitDelta): void {
    const job = this.jobs[task.id]!;
    const { running, step } = job;
    this.open();
    const { keeper, deriver } = this.stores;
    const isFirst = job.unitId === undefined;
    const reader = readerVersion(running.source);
    job.unitId ??= keeper.noteUnit(asKept(step.unit, reader, step.known), reader, step.known?.id);
    const sifted = this.exclusion.sift(running.source.id, job.unitId, read.sessions);
    const delta = { ...read, sessions: sifted.kept };
    running.records += delta.tally.records;
    running.bytesRead += delta.tally.bytes;
    for (const session of delta.sessions) running.cutOutputs += session.cutOutputs;
    if (delta.done) {
      running.read++;
      this.done++;
      this.coverage.passed(running.source.id);
    }
    this.bytes += delta.tally.bytes;
    deriver.follow(keeper.apply(job.unitId, step.unit, delta, isFirst));
    for (const id of sifted.dropped) this.drop(id);
    if (delta.done && delta.fresh) for (const id of this.stores.archive.emptySessionsOf(job.unitId)) this.drop(id);
    if (delta.done && this.exclusion.hasUnit(step.unit, this.stores.archive.unit(job.unitId))) keeper.mute(job.unitId);
    this.openBytes += delta.tally.bytes;
    const limit = this.committed === 0 ? FIRST_BATCH_BYTES : BATCH_BYTES;
    if (this.openBytes >= limit || performance.now() - this.since > BATCH_MS) this.commit();
    this.onProgress({ done: this.done, total: this.jobs.length, bytes: this.bytes, totalBytes: this.totalBytes });
  }

  private drop(session: number): void {
    this.stores.deriver.drop(session);
    this.stores.keeper.drop(session);
  }

  private fail(task: Task, reason: string): void {
    const { step, running } = this.jobs[task.id]!;
    this.done++;
    this.coverage.passed(running.source.id);
    this.open();
    // What is kept of it is as it was: it was not redacted anew.
    const reader = step.known?.reader ?? readerVersion(running.source);
    const unit = asKept(step.unit, reader, step.known);
    const id = this.stores.keeper.noteUnit(unit, reader, step.known?.id);
    this.stores.keeper.failUnit(id, { path: unit.path, reason: redactText(reason).text });
  }

  private open(): void {
    if (this.isOpen) return;
    this.stores.begin();
    this.isOpen = true;
    this.since = performance.now();
  }

  private commit(): void {
    if (!this.isOpen) return;
    this.coverage.note();
    this.stores.commit();
    this.isOpen = false;
    this.openBytes = 0;
    this.committed++;
  }

  followed(): Followed {
    const sum = (of: (running: Running) => number) => this.running.reduce((total, running) => total + of(running), 0);
    return { read: sum((running) => running.read), bytesRead: sum((running) => running.bytesRead) };
  }

  reports(): Record<string, SourceReport> {
    const { archive, catalog } = this.stores;
    return Object.fromEntries(
      this.running.map(({ source, unreadable, ...counts }) => {
        return [
          source.id,
          {
            label: source.label,
            ...counts,
            sessions: catalog.sessionsOf(source.id),
            failed: [...unreadable, ...archive.failures(source.id)],
            unknownRecords: archive.unknownRecords(source.id),
          },
        ];
      }),
    );
  }
}

/** The size of a file in bytes, 0 where there is none. */
export function sizeOfFile(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
