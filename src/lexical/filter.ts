import type { Database } from '../store/database.ts';
import type { PassageFilter } from './lexical-index.ts';

/** Passages that pass a filter. */
export class PassageSet {
  private readonly bits: Uint32Array;

  constructor(db: Database, { sql, values }: PassageFilter, last: number) {
    this.bits = new Uint32Array((last >> 5) + 1);
    const passing = db.rows<{ id: number }>(
      `SELECT p.id FROM passages p JOIN sessions s ON s.id = p.session WHERE (${sql})`,
      ...values,
    );
    for (const { id } of passing) if (id <= last) this.bits[id >> 5]! |= 1 << (id & 31);
  }

  has(passage: number): boolean {
    return (this.bits[passage >> 5]! & (1 << (passage & 31))) !== 0;
  }
}
