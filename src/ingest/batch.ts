import { isOfTheStore } from '../store/store-errors.ts';
import type { WritableStores } from './writable-stores.ts';

/** Bytes of reading that go into one transaction; the first one is short, so that the first answers come soon. */
const BATCH_BYTES = 24 << 20;
const FIRST_BATCH_BYTES = 4 << 20;
const BATCH_MS = 1000;

/** What is told of a run besides what is kept. */
export interface Account {
  /** Notes in the transaction how far the run has come. */
  note(): void;
  /** Gives what sets it back to what it is now. */
  save(): () => void;
}

/**
 * The transaction of a run, in which something of many pieces (files that are read) is kept at once. An error that is no
 * store's is one piece's own, and no other's: all that was not committed is undone, and the pieces that had something in
 * it are put off, to be done one at a time. So the others cost nothing more, and no trace stays of what failed.
 */
export class Batch<Piece> {
  private readonly stores: WritableStores;
  private readonly account: Account;
  private readonly inside = new Set<Piece>();
  private readonly later = new Set<Piece>();
  private hasBegun = false;
  private bytes = 0;
  private committed = 0;
  private since = 0;
  private restore = () => {};
  /** What failed last. */
  error: unknown;

  constructor(stores: WritableStores, account: Account) {
    this.stores = stores;
    this.account = account;
  }

  /**
   * Writes something of a piece, so many bytes of reading; nothing of one that is put off.
   * @throws the errors of the store
   */
  write(piece: Piece, work: () => number | undefined): void {
    if (this.later.has(piece)) return;
    this.attempt(() => {
      this.open();
      this.inside.add(piece);
      this.bytes += work() ?? 0;
      const limit = this.committed === 0 ? FIRST_BATCH_BYTES : BATCH_BYTES;
      if (this.bytes >= limit || performance.now() - this.since > BATCH_MS) this.close();
    });
  }

  /** Writes what is no piece's. @throws whatever `work` throws */
  writeAlone(work: () => void): void {
    this.open();
    work();
  }

  /** Keeps what was written. @throws the errors of the store */
  commit(): void {
    this.attempt(() => this.close());
  }

  /** Nothing more of a piece is written now, for some reason. */
  putOff(piece: Piece, error: unknown): void {
    this.error = error;
    this.later.add(piece);
  }

  /** The pieces that were put off until now. */
  takePutOff(): Piece[] {
    const pieces = [...this.later];
    this.later.clear();
    return pieces;
  }

  /** Whether something was written that is not kept yet. */
  get isOpen(): boolean {
    return this.hasBegun;
  }

  /** Undoes what was not committed. */
  rollback(): void {
    this.stores.rollback();
    this.hasBegun = false;
    this.bytes = 0;
    this.inside.clear();
  }

  private open(): void {
    if (this.hasBegun) return;
    this.restore = this.account.save();
    this.stores.begin();
    this.hasBegun = true;
    this.since = performance.now();
  }

  private close(): void {
    if (!this.hasBegun) return;
    this.account.note();
    this.stores.commit();
    this.hasBegun = false;
    this.bytes = 0;
    if (this.inside.size > 0) this.committed++;
    this.inside.clear();
  }

  private attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (isOfTheStore(error)) throw error;
      this.error = error;
      for (const piece of this.inside) this.later.add(piece);
      this.rollback();
      this.restore();
    }
  }
}
