import type { Database } from '../../store/database.ts';

/**
 * The lengths of a segment's passages, a byte each (see `lengthCode`), by passage id from the segment's first on, in
 * pages. A passage that is removed has its byte set to 0: that is all that marks it until a merge leaves it out.
 */
export const PAGE = 4000;
const PAGES_OF_A_SEGMENT = 2 ** 20;

const NOTHING = new Uint8Array(0);

export function pageOf(first: number, passage: number): number {
  return Math.floor((passage - first) / PAGE);
}

export function pagesOf(segment: number): readonly [number, number] {
  return [segment * PAGES_OF_A_SEGMENT, (segment + 1) * PAGES_OF_A_SEGMENT];
}

export function readPage(db: Database, segment: number, page: number): Uint8Array {
  const row = db.row<{ codes: Uint8Array }>(
    'SELECT codes FROM lexical_lengths WHERE id = ?',
    segment * PAGES_OF_A_SEGMENT + page,
  );
  return row?.codes ?? NOTHING;
}

export function writePage(db: Database, segment: number, page: number, codes: Uint8Array): void {
  db.run(
    'INSERT OR REPLACE INTO lexical_lengths (id, codes) VALUES (?, ?)',
    segment * PAGES_OF_A_SEGMENT + page,
    codes,
  );
}

/** Writes the lengths of a whole segment. */
export function writeLengths(db: Database, segment: number, codes: Uint8Array): void {
  for (let start = 0; start < codes.length; start += PAGE)
    writePage(db, segment, start / PAGE, codes.subarray(start, start + PAGE));
}

/** The lengths of a whole segment. */
export function readLengths(db: Database, segment: number, first: number, last: number): Uint8Array {
  const codes = new Uint8Array(last - first + 1);
  for (let page = 0; page * PAGE < codes.length; page++) codes.set(readPage(db, segment, page), page * PAGE);
  return codes;
}

/** Looks lengths up. A page that was read stays, a byte a passage. */
export class LengthReader {
  private readonly db: Database;
  private readonly segment: number;
  readonly first: number;
  private readonly count: number;
  private codes: Uint8Array = NOTHING;
  private isRead: Uint8Array = NOTHING;

  constructor(db: Database, segment: number, first: number, last: number) {
    this.db = db;
    this.segment = segment;
    this.first = first;
    this.count = last - first + 1;
  }

  /** The code of a passage's length: 0 where it is not here any more. */
  code(passage: number): number {
    const at = passage - this.first;
    const page = (at / PAGE) | 0;
    if (this.isRead[page] !== 1) this.read(page);
    return this.codes[at] ?? 0;
  }

  /** The codes of all passages, by what stands between them and `first`: those of some that follow each other are there. */
  between(from: number, to: number): Uint8Array {
    for (let page = pageOf(this.first, from); page * PAGE < to - this.first; page++)
      if (this.isRead[page] !== 1) this.read(page);
    return this.codes;
  }

  private read(page: number): void {
    if (this.codes === NOTHING) {
      this.codes = new Uint8Array(this.count);
      this.isRead = new Uint8Array(Math.ceil(this.count / PAGE));
    }
    this.codes.set(readPage(this.db, this.segment, page), page * PAGE);
    this.isRead[page] = 1;
  }
}
