import { whyUnread } from '../agents/folders.ts';
import { SOURCES } from '../agents/registry.ts';
import type { Environment, Failure, Root, Source, Unit } from '../agents/source.ts';
import type { SessionTail, UnitDelta } from '../archive/delta.ts';
import type { UnitRow } from '../archive/rows.ts';
import { type Config, readConfig } from '../home/config.ts';
import { redactText } from '../redact/redact.ts';
import { isOfTheSystem } from '../store/store-errors.ts';
import { type Progress, RunAccount, type Running, type SourceReport } from './account.ts';
import { Batch } from './batch.ts';
import { Coverage } from './changes/coverage.ts';
import { Exclusion } from './changes/exclusion.ts';
import { eachFileOnce, KnownUnits, knownAt, rowsAt } from './changes/known-units.ts';
import type { Listed } from './changes/listing.ts';
import { isOwn, listUnits, withRows } from './changes/listing.ts';
import { asKept, asMoved } from './changes/noted.ts';
import { type Plan, planOf, readerVersion, type Step } from './changes/plan.ts';
import { beginCleaning, cleanArchive } from './clearing/cleaning.ts';
import { expire } from './clearing/expire.ts';
import { Copies } from './copies/copies.ts';
import { mend } from './mending.ts';
import { DamagedTail, deltasOf, isDamaged, type Task } from './reading/deltas.ts';
import type { PoolHandlers } from './reading/pool.ts';
import type { WritableStores } from './writable-stores.ts';

/** So little is read here, without starting a worker. */
const LITTLE = 2 << 20;

/** Finds what changed, reads it, keeps it. Units that fail are told and tried again when they change. */
export async function ingest(
  stores: WritableStores,
  env: Environment,
  onProgress: (progress: Progress) => void = () => {},
): Promise<Record<string, SourceReport>> {
  const config = readConfig(stores.home);
  mend(stores);
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
      if (unit) units.push(...(await withRows(source, unit)));
      if (unit?.format === 'listing') for (const row of rowsAt(stores.archive, unit)) known.set(row.id, row);
      for (const row of knownAt(stores.archive, source.id, unit ?? path)) known.set(row.id, row);
    }
    run.plan(source, eachFileOnce(units), [...known.values()]);
  }
  await run.carryOut();
  return run.followed();
}

/** What is done about one file, in as many steps as it takes. */
interface Piece {
  readonly running: Running;
  readonly unit?: Unit;
  readonly known?: UnitRow;
  /** The thread that read it died: it is read in one again. */
  isDeadly?: boolean;
}

interface Job {
  readonly step: Extract<Step, { do: 'read' | 'append' }>;
  readonly piece: Piece;
  unitId?: number;
}

interface QuickStep {
  readonly step: Exclude<Step, { do: 'read' | 'append' }>;
  readonly piece: Piece;
}

class Run {
  private readonly stores: WritableStores;
  private readonly exclusion: Exclusion;
  private readonly onProgress: (progress: Progress) => void;
  private readonly coverage: Coverage;
  private readonly copies: Copies;
  private readonly account: RunAccount;
  private readonly batch: Batch<Piece>;
  private jobs: Job[] = [];
  private quick: QuickStep[] = [];
  private hasUnlooked = false;
  private total = 0;
  private totalBytes = 0;

  constructor(stores: WritableStores, exclusion: Exclusion, onProgress: (progress: Progress) => void) {
    this.stores = stores;
    this.exclusion = exclusion;
    this.onProgress = onProgress;
    this.coverage = new Coverage(stores.archive);
    this.copies = new Copies(stores.archive, stores.keeper, stores.deriver);
    this.account = new RunAccount(this.coverage);
    this.batch = new Batch(stores, this.account);
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
    const { steps, unchanged } = this.stepsFor(
      source,
      found.filter((unit) => !leftOut.has(unit)),
      known,
    );
    const planned = { unreadable, units: found.length, unchanged, excluded: leftOut.size };
    const running = this.account.begin(source, planned);
    for (const step of steps) {
      if (step.do !== 'gone' && this.exclusion.hasUnit(step.unit, step.known)) {
        running.excluded++;
        leftOut.add(step.unit);
        continue;
      }
      if (step.do === 'gone') running.gone++;
      else if (step.do === 'note' || step.do === 'move') running.unchanged++;
      this.schedule(step, {
        running,
        ...('unit' in step && { unit: step.unit }),
        ...(step.known && { known: step.known }),
      });
    }
    return leftOut;
  }

  private stepsFor(source: Source, units: readonly Unit[], known: readonly UnitRow[]): Plan {
    const { archive } = this.stores;
    return planOf(units, new KnownUnits(known, archive.places()), readerVersion(source), (row) =>
      archive.checkpoint(row.id),
    );
  }

  private schedule(step: Step, piece: Piece): void {
    if (step.do === 'read' || step.do === 'append') this.jobs.push({ step, piece });
    else {
      this.quick.push({ step, piece });
      if (step.do === 'move' && step.reading)
        this.jobs.push({ step: { ...step.reading, unit: step.unit, known: asMoved(step) }, piece });
    }
  }

  /** Folders that were never looked at are looked at too: a session was read before that was done, or by another. */
  lookAround(): void {
    this.hasUnlooked = this.stores.deriver.projects.noteNeverLooked();
  }

  async carryOut(): Promise<void> {
    try {
      if (this.hasUnlooked) this.batch.writeAlone(() => {});
      this.total = this.jobs.length;
      await this.carryOutScheduled();
      for (const piece of this.batch.takePutOff()) await this.carryOutAlone(piece);
    } catch (error) {
      this.batch.rollback();
      throw error;
    }
  }

  private async carryOutScheduled(isDeadly = false): Promise<void> {
    for (const { step, piece } of this.quick) this.batch.write(piece, () => this.carryOutQuick(step));
    await this.readJobs(isDeadly);
    this.batch.commit();
  }

  /** What was put off, planned anew from what is kept of it, in transactions of its own. What fails again is its failure. */
  private async carryOutAlone(piece: Piece): Promise<void> {
    const { running, unit, known } = piece;
    const { archive } = this.stores;
    const now = known && archive.unit(known.id);
    const rows = unit ? knownAt(archive, running.source.id, unit) : [];
    const all = now && !rows.some((row) => row.id === now.id) ? [...rows, now] : rows;
    this.jobs = [];
    this.quick = [];
    for (const step of this.stepsFor(running.source, unit ? [unit] : [], all).steps) this.schedule(step, piece);
    await this.carryOutScheduled(piece.isDeadly);
    if (this.batch.takePutOff().length === 0) return;
    this.batch.write(piece, () => this.noteFailure(piece, messageOf(this.batch.error), true));
    this.batch.commit();
    if (this.batch.takePutOff().length > 0) throw this.batch.error;
  }

  /** Notes that all was come to, and which folders there are: what comes later is looked for there. */
  endCovering(): void {
    const folders = this.coverage.newFolders();
    if (!this.coverage.isNews && !folders) return;
    this.batch.writeAlone(() => {
      if (folders) this.coverage.noteFolders(folders);
    });
    this.batch.commit();
  }

  private async readJobs(inThread: boolean): Promise<void> {
    const bytes = this.jobs.reduce(
      (sum, { step }) => sum + step.unit.size - (step.do === 'append' ? step.from.offset : 0),
      0,
    );
    this.totalBytes = Math.max(this.totalBytes, bytes);
    const handlers: PoolHandlers = {
      delta: (task, delta) => this.keep(task, delta),
      failed: (task, reason, isLasting) => this.fail(task, reason, isLasting),
      died: (task, reason) => this.threadDied(task, reason),
    };
    if (inThread || bytes > LITTLE) {
      this.announce();
      const tailsOf = (unit: number) => this.stores.archive.tails(unit);
      // What starts threads is loaded where they are needed: most runs read a few lines.
      const { readAll } = await import('./reading/pool.ts');
      return readAll(this.tasks(tailsOf), handlers, inThread ? 1 : undefined);
    }
    for (const task of this.tasks(() => [])) await this.readHere(task);
  }

  /** Before a long reading, those who ask meanwhile are told how much it is. */
  private announce(): void {
    if (this.batch.isOpen || !this.coverage.isNews) return;
    this.batch.writeAlone(() => {});
    this.batch.commit();
  }

  /** Reads a unit in this thread. */
  private async readHere(task: Task): Promise<void> {
    const job = this.jobs[task.id]!;
    const unit = job.step.known?.id;
    const tailOf = (nativeId: string) => (unit === undefined ? undefined : this.stores.archive.tail(unit, nativeId));
    const deltas = deltasOf(task, tailOf)[Symbol.asyncIterator]();
    for (;;) {
      let next: IteratorResult<UnitDelta>;
      try {
        next = await deltas.next();
      } catch (error) {
        if (!(error instanceof DamagedTail)) return this.fail(task, whyUnread(error), !isOfTheSystem(error));
        delete job.unitId;
        return this.readHere({ id: task.id, unit: task.unit, tails: [] });
      }
      if (next.done) return;
      this.keep(task, next.value);
    }
  }

  private carryOutQuick(step: QuickStep['step']): undefined {
    const { keeper } = this.stores;
    if (step.do === 'gone') keeper.markGone(step.known.id, Date.now());
    else {
      const known = step.do === 'move' ? asMoved(step) : step.known;
      keeper.noteUnit(asKept(step.unit, known.reader, known), known.reader, known.id);
    }
    keeper.touchSessions(step.known.id);
    this.copies.touch(step.known.id);
  }

  private *tasks(tailsOf: (unit: number) => readonly SessionTail[]): Generator<Task> {
    for (const [id, job] of this.jobs.entries()) {
      const { step } = job;
      const tails = step.do === 'append' ? tailsOf(step.known.id) : [];
      // What is damaged cannot be gone on with: all of it is read again.
      if (step.do === 'append' && !tails.some(isDamaged)) yield { id, unit: step.unit, from: step.from, tails };
      else yield { id, unit: step.unit, tails: [] };
    }
  }

  private keep(task: Task, read: UnitDelta): void {
    const job = this.jobs[task.id]!;
    this.batch.write(job.piece, () => {
      this.keepDelta(job, read);
      return read.tally.bytes;
    });
    this.tellProgress();
  }

  private keepDelta(job: Job, read: UnitDelta): void {
    const { step, piece } = job;
    const { running } = piece;
    const { keeper, archive } = this.stores;
    const isFirst = job.unitId === undefined;
    const reader = readerVersion(running.source);
    job.unitId ??= keeper.noteUnit(asKept(step.unit, reader, step.known), reader, step.known?.id);
    if (isFirst && read.fresh && step.known)
      this.copies.setAside(job.unitId, step.do === 'append' || step.isSame === true);
    const sifted = this.exclusion.sift(running.source.id, job.unitId, read.sessions);
    const delta = { ...read, sessions: sifted.kept };
    running.records += delta.tally.records;
    running.bytesRead += delta.tally.bytes;
    for (const session of delta.sessions) running.cutOutputs += session.cutOutputs;
    this.account.bytes += delta.tally.bytes;
    if (delta.done) {
      running.read++;
      this.account.passed(running);
    }
    this.copies.follow(job.unitId, keeper.apply(job.unitId, step.unit, delta, isFirst));
    for (const id of sifted.dropped) this.copies.drop(id);
    if (delta.done) this.copies.settle(job.unitId, Date.now());
    if (delta.done && this.exclusion.hasUnit(step.unit, archive.unit(job.unitId))) keeper.mute(job.unitId);
  }

  private tellProgress(): void {
    const { done, bytes } = this.account;
    this.onProgress({ done, total: this.total, bytes, totalBytes: this.totalBytes });
  }

  private fail(task: Task, reason: string, isLasting: boolean): void {
    const { piece } = this.jobs[task.id]!;
    this.batch.write(piece, () => this.noteFailure(piece, reason, isLasting));
  }

  /** It may have been the thread's own fault, or that of too much at once: only what kills a second one is named. */
  private threadDied(task: Task, reason: string): void {
    const { piece } = this.jobs[task.id]!;
    if (piece.isDeadly) this.fail(task, reason, true);
    else {
      piece.isDeadly = true;
      this.batch.putOff(piece, new Error(reason));
    }
  }

  private noteFailure({ running, unit, known }: Piece, reason: string, isLasting: boolean): undefined {
    const { keeper, archive } = this.stores;
    const failure = { reason: redactText(reason).text, ...(isLasting && { under: readerVersion(running.source) }) };
    if (!unit) {
      if (known) keeper.failUnit(known.id, { path: known.path, ...failure });
      return;
    }
    this.account.passed(running);
    const row = known ?? knownAt(archive, running.source.id, unit)[0];
    // What is kept of it is as it was: it was not redacted anew.
    const reader = row?.reader ?? readerVersion(running.source);
    const kept = asKept(unit, reader, row);
    const id = keeper.noteUnit(kept, reader, row?.id);
    this.copies.settle(id, Date.now());
    keeper.failUnit(id, { path: kept.path, ...failure });
  }

  followed(): Followed {
    const sum = (of: (one: Running) => number) => this.account.running.reduce((total, one) => total + of(one), 0);
    return { read: sum(({ read }) => read), bytesRead: sum(({ bytesRead }) => bytesRead) };
  }

  reports(): Record<string, SourceReport> {
    return this.account.reports(this.stores);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
