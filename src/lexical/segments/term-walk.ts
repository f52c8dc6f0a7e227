import type { Database } from '../../store/database.ts';
import { LeafReader } from './leaf.ts';

interface Leaf {
  readonly first: Uint8Array;
  readonly leaf: Uint8Array;
}

/** Walks the terms of a segment in order, leaf by leaf. */
export class TermWalk extends LeafReader {
  private readonly db: Database;
  private readonly segment: number;
  private at: Uint8Array;
  isOpen: boolean;

  /** Stands on the first term at or after one, where there is any (`isOpen`). */
  constructor(db: Database, segment: number, from: Uint8Array) {
    super();
    this.db = db;
    this.segment = segment;
    this.at = from;
    this.isOpen = true;
    const leaf = db.row<Leaf>(
      'SELECT first, leaf FROM lexical_terms WHERE segment = ? AND first <= ? ORDER BY first DESC LIMIT 1',
      segment,
      from,
    );
    if (leaf) {
      this.at = leaf.first;
      this.open(leaf.leaf);
    }
    this.advance();
    while (this.isOpen && this.compare(from) < 0) this.advance();
  }

  /** Goes to the next term; `isOpen` is false after the last. */
  advance(): void {
    while (!this.next()) {
      const leaf = this.db.row<Leaf>(
        'SELECT first, leaf FROM lexical_terms WHERE segment = ? AND first > ? ORDER BY first LIMIT 1',
        this.segment,
        this.at,
      );
      if (!leaf) {
        this.isOpen = false;
        return;
      }
      this.at = leaf.first;
      this.open(leaf.leaf);
    }
  }
}

/** Goes through the terms of several segments together: calls `found` with those that stand on the same term. */
export function eachTerm(walks: readonly TermWalk[], found: (same: readonly TermWalk[]) => boolean): void {
  const same: TermWalk[] = [];
  for (;;) {
    same.length = 0;
    for (const walk of walks) {
      if (!walk.isOpen) continue;
      const order = same.length === 0 ? 0 : walk.compareTo(same[0]!);
      if (order > 0) continue;
      if (order < 0) same.length = 0;
      same.push(walk);
    }
    if (same.length === 0 || !found(same)) return;
    for (const walk of same) walk.advance();
  }
}
