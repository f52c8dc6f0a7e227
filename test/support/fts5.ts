import { FIELD_WEIGHTS, FIELDS, type Field } from '../../src/lexical/fields.ts';
import type {
  LexicalHit,
  LexicalIndex,
  LexicalQuery,
  LexicalResult,
  PassageFilter,
  PassageTokens,
  Term,
  TieredResult,
  Tiers,
} from '../../src/lexical/lexical-index.ts';
import { SAME_POSITION } from '../../src/lexical/words/tokens.ts';
import type { Database } from '../../src/store/database.ts';

/**
 * The index as an FTS5 table that keeps no text of its own. The tokens are of our making and stand parted by spaces;
 * FTS5's `ascii` tokeniser only parts them again: it takes all that is not ASCII for letters.
 */
export const FTS5_SCHEMA = `
CREATE VIRTUAL TABLE IF NOT EXISTS postings USING fts5 (
  ${FIELDS.join(', ')}, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
);
INSERT INTO postings (postings, rank) VALUES ('rank', 'bm25(${FIELDS.map((field) => FIELD_WEIGHTS[field]).join(', ')})');
CREATE VIRTUAL TABLE IF NOT EXISTS terms USING fts5vocab ('postings', 'row');
`;

const INSERT = `INSERT INTO postings (rowid, ${FIELDS.join(', ')}) VALUES (?, ${FIELDS.map(() => '?').join(', ')})`;

export class Fts5Index implements LexicalIndex {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  add(passage: number, { bytes, lengths }: PassageTokens): void {
    let end = 0;
    // FTS5 takes bytes for text, so the tokens need not become strings again.
    const columns = lengths.map((length) => {
      const start = end;
      end += length;
      return length === 0 ? null : inSequence(bytes.subarray(start, end));
    });
    this.db.run(INSERT, passage, ...columns);
  }

  remove(passages: readonly number[]): void {
    for (const passage of passages) this.db.run('DELETE FROM postings WHERE rowid = ?', passage);
  }

  /** FTS5 writes what is added at once. */
  flush(): void {}

  discard(): void {}

  /** It merges as it writes. */
  merge(): void {}

  settle(): boolean {
    return true;
  }

  rest(): boolean {
    return false;
  }

  search(query: LexicalQuery, filter: PassageFilter | undefined, k: number): LexicalResult {
    const match = expression(query);
    if (match === undefined) return { hits: [], total: 0, relation: 'eq' };
    const from = filter
      ? `FROM postings JOIN passages p ON p.id = postings.rowid JOIN sessions s ON s.id = p.session
         WHERE postings MATCH ? AND (${filter.sql})`
      : 'FROM postings WHERE postings MATCH ?';
    const hits = this.db.rows<LexicalHit>(
      `SELECT postings.rowid AS passage, -rank AS score ${from} ORDER BY rank LIMIT ?`,
      match,
      ...(filter?.values ?? []),
      k,
    );
    return { hits, total: hits.length, relation: hits.length < k ? 'eq' : 'gte' };
  }

  searchTiers({ all, any }: Tiers, filter: PassageFilter | undefined, k: number): TieredResult {
    const first = this.search(all, filter, k);
    const isFull = new Set(first.hits.map((hit) => hit.passage));
    const second = this.search(any, filter, k);
    const hits = [...first.hits, ...second.hits.filter((hit) => !isFull.has(hit.passage))].slice(0, k);
    return { ...second, hits, full: isFull.size };
  }

  terms(prefix: string, n: number): string[] {
    const after = `${prefix}\u{10ffff}`;
    return this.db
      .rows<{ term: string }>(
        'SELECT term FROM terms WHERE term >= ? AND term < ? ORDER BY doc DESC LIMIT ?',
        prefix,
        after,
        n,
      )
      .map((row) => row.term);
  }

  documentFrequencies(terms: readonly string[]): number[] {
    return terms.map((term) => this.documentFrequency(term));
  }

  documentFrequency(term: string): number {
    return this.db.row<{ doc: number }>('SELECT doc FROM terms WHERE term = ?', term)?.doc ?? 0;
  }
}

/** The query in FTS5's language; undefined where nothing could match. */
function expression(query: LexicalQuery): string | undefined {
  switch (query.type) {
    case 'term':
      return scoped(query.fields, termExpression(query.term));
    case 'all':
    case 'any': {
      const parts = query.of.map(expression);
      if (query.type === 'all' && parts.some((part) => part === undefined)) return undefined;
      const known = parts.filter((part) => part !== undefined);
      if (known.length === 0) return undefined;
      return `(${known.join(query.type === 'all' ? ' AND ' : ' OR ')})`;
    }
    case 'but': {
      const of = expression(query.of);
      const not = expression(query.not);
      return of !== undefined && not !== undefined ? `(${of} NOT ${not})` : of;
    }
  }
}

function scoped(fields: readonly Field[] | undefined, part: string | undefined): string | undefined {
  if (part === undefined || !fields) return part;
  return `({${fields.join(' ')}} : ${part})`;
}

function termExpression({ alternatives, prefix }: Term): string | undefined {
  const known = alternatives.filter((tokens) => tokens.length > 0);
  if (known.length === 0) return undefined;
  // Tokens hold neither quotes nor spaces, so they need no escaping inside quotes.
  return `(${known.map((tokens) => `"${tokens.join(' ')}"${prefix ? ' *' : ''}`).join(' OR ')})`;
}

const SPACE = 32;

/** FTS5 has no two words at one position: the wholes of identifiers go behind everything, so that their parts follow each other. */
function inSequence(tokens: Uint8Array): Uint8Array {
  if (!tokens.includes(SAME_POSITION)) return tokens;
  const parts = new Uint8Array(tokens.length);
  const wholes: Uint8Array[] = [];
  let length = 0;
  let start = 0;
  for (let i = 0; i < tokens.length; i++) {
    const byte = tokens[i]!;
    if (byte !== SPACE && byte !== SAME_POSITION) continue;
    const token = tokens.subarray(start, i + 1);
    start = i + 1;
    if (byte === SAME_POSITION) wholes.push(token);
    else {
      parts.set(token, length);
      length += token.length;
    }
  }
  for (const whole of wholes) {
    parts.set(whole, length);
    length += whole.length;
    parts[length - 1] = SPACE;
  }
  return parts;
}
