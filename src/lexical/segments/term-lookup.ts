import type { Database } from '../../store/database.ts';
import { LeafReader } from './leaf.ts';

/** Looks terms of a segment up that come in the order of their bytes: a leaf that several of them are in is read once. */
export class TermLookup extends LeafReader {
  private readonly db: Database;
  private readonly segment: number;
  /** Whether it stands on a term: the first of its leaf at or after the last that was looked up. */
  private isOpen = false;

  constructor(db: Database, segment: number) {
    super();
    this.db = db;
    this.segment = segment;
  }

  /** In how many passages a term stands, which comes after all that were looked up before. */
  documentsOf(term: Uint8Array): number {
    if (!this.isOpen || !this.reach(term)) {
      const row = this.db.row<{ leaf: Uint8Array }>(
        'SELECT leaf FROM lexical_terms WHERE segment = ? AND first <= ? ORDER BY first DESC LIMIT 1',
        this.segment,
        term,
      );
      if (!row) return 0;
      this.open(row.leaf);
      this.isOpen = this.next() && this.reach(term);
    }
    return this.isOpen && this.compare(term) === 0 ? this.documents : 0;
  }

  /** Goes on to the first term at or after one; false where the leaf has none. */
  private reach(term: Uint8Array): boolean {
    while (this.compare(term) < 0) if (!this.next()) return false;
    return true;
  }
}
