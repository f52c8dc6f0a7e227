import type { Database, Value } from '../../store/database.ts';
import { PageFile } from '../../store/pages.ts';
import { isBodyWhole, LOST, sealBody } from '../bodies.ts';
import { isWhole, SUMMED, SUMMED_SINCE, SUMMED_TABLES, type SummedTable } from '../sums.ts';
import { type Layout, layoutsOf, namedBy } from './layout.ts';

/** What could be read of a ruin. */
export interface Salvaged {
  readonly pages: number;
  /** Pages of which some rows could not be read. */
  readonly brokenPages: number;
  /** Rows of all tables, bodies among them. */
  readonly rows: number;
  readonly bodies: number;
  /** Bodies that are known of, and whose bytes are gone or changed. */
  readonly lostBodies: number;
}

type Named = Readonly<Record<string, Value | undefined>>;

/**
 * Of two forms of a row, one of them left behind where a log was lost: which is the newer. Without an entry there is no telling,
 * and the first one found stays.
 */
const NEWER: Readonly<Record<string, string>> = {
  sessions: 'excluded.revision > sessions.revision',
  turns: 'length(excluded.records) > length(turns.records)',
  chunks: 'excluded.kept > chunks.kept',
};

const KEYS: Readonly<Record<string, string>> = {
  sessions: 'id',
  turns: 'session, turn',
  chunks: 'session, turn, chunk',
};

/** What the writer counts, by name; not summed, and nothing that is shown. */
const STATE_NAME = /^[a-z_]{1,20}$/;

/**
 * Reads what is whole in a broken archive into a new one: every row of every page that can be read, recognised by its checksum,
 * whatever leads to its page. A row that is not as it was written is left; of a body that is not, its place is kept.
 * @throws where the ruin cannot be read at all
 */
export function salvage(ruin: string, into: Database): Salvaged {
  const file = new PageFile(ruin);
  try {
    const run = new Salvage(into, new Map([...layoutsIn(into), ...layoutsOf(statementsIn(file))]), file.version);
    into.exec('BEGIN IMMEDIATE');
    const walk = file.rows();
    let step = walk.next();
    for (; !step.done; step = walk.next()) run.take(step.value);
    run.keepLost();
    into.exec('COMMIT');
    return { ...run.counts(), pages: step.value.pages, brokenPages: step.value.broken };
  } finally {
    file.close();
  }
}

function layoutsIn(db: Database): Map<string, Layout> {
  return layoutsOf(
    db.rows<{ sql: string }>("SELECT sql FROM sqlite_schema WHERE type = 'table'").map(({ sql }) => sql),
  );
}

/** The statements that made the ruin's own tables: an older archive's may have other columns. */
function* statementsIn(file: PageFile): Generator<string> {
  for (const { values } of file.rows()) {
    const [type, , , , sql] = values;
    if (values.length === 5 && type === 'table' && typeof sql === 'string') yield sql;
  }
}

class Salvage {
  private readonly into: Database;
  private readonly layouts: readonly Layout[];
  private readonly columns = new Map<string, ReadonlySet<string>>();
  private readonly isSummed: boolean;
  private readonly lost: Named[] = [];
  private rows = 0;
  private bodies = 0;

  constructor(into: Database, layouts: ReadonlyMap<string, Layout>, version: number | undefined) {
    this.into = into;
    this.layouts = [...SUMMED_TABLES, 'chunks', 'state'].flatMap((table) => layouts.get(table) ?? []);
    for (const [table, { columns }] of layoutsIn(into)) this.columns.set(table, new Set(columns));
    this.isSummed = version === undefined || version >= SUMMED_SINCE;
  }

  take(row: Parameters<typeof namedBy>[1]): void {
    for (const layout of this.layouts) {
      const named = namedBy(layout, row);
      if (named && this.keep(layout.table, named)) return;
    }
  }

  /** Keeps a row where it is one of that table's; whether it is. */
  private keep(table: string, row: Named): boolean {
    if (table === 'chunks') return this.keepChunk(row);
    if (table === 'state') {
      if (typeof row.name !== 'string' || !STATE_NAME.test(row.name) || typeof row.value !== 'number') return false;
      this.insert(table, row);
      return true;
    }
    // One of the summed tables is all that is left.
    if (!this.isRowOf(table as SummedTable, row)) return false;
    this.insert(table, table === 'turns' ? { ...row, records: recordsOr(row.records) } : row);
    return true;
  }

  private isRowOf(table: SummedTable, row: Named): boolean {
    const values: Record<string, Value> = {};
    for (const column of SUMMED[table]) {
      const value = row[column];
      if (value === undefined) return false;
      values[column] = value;
    }
    if (typeof row.sum === 'number') return isWhole(table, { ...values, sum: row.sum });
    return !this.isSummed && row.sum === undefined && fits(table, values);
  }

  private keepChunk(row: Named): boolean {
    const { session, turn, chunk, first, body, kept } = row;
    if (typeof session !== 'number' || typeof turn !== 'number') return false;
    if (typeof chunk !== 'number' || typeof first !== 'number') return false;
    if (body !== undefined && !(body instanceof Uint8Array)) return false;
    const place = { session, turn, chunk, first };
    if (body === undefined || typeof kept !== 'number' || !isBodyWhole(body, place)) {
      this.lost.push({ ...place, body: LOST, kept: typeof kept === 'number' ? kept : 0 });
      return true;
    }
    const sealed = this.isSummed ? body : sealBody(body, place);
    this.insert('chunks', { ...place, body: sealed, kept });
    this.bodies++;
    return true;
  }

  /** Last, so that a whole form of a body goes before a broken one. */
  keepLost(): void {
    for (const row of this.lost) this.insert('chunks', row);
  }

  private insert(table: string, row: Named): void {
    const columns = Object.keys(row).filter(
      (column) => column !== 'sum' && row[column] !== undefined && this.columns.get(table)?.has(column),
    );
    const newer = NEWER[table];
    const others = columns.map((column) => `${column} = excluded.${column}`).join(', ');
    const upsert = newer === undefined ? '' : ` ON CONFLICT (${KEYS[table]}) DO UPDATE SET ${others} WHERE ${newer}`;
    const places = columns.map(() => '?').join(', ');
    const sql = `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${places})${upsert}`;
    this.rows += this.into.run(sql, ...columns.map((column) => row[column] ?? null)).changes;
  }

  counts(): Pick<Salvaged, 'rows' | 'bodies' | 'lostBodies'> {
    const lost = this.into.row<{ n: number }>('SELECT count(*) AS n FROM chunks WHERE length(body) = 0')?.n ?? 0;
    return { rows: this.rows, bodies: this.bodies, lostBodies: lost };
  }
}

/** Columns that hold numbers; all others hold texts. */
const NUMBERS: ReadonlySet<string> = new Set([
  ...[
    'id',
    'size',
    'modified',
    'reader',
    'read_to',
    'read_lines',
    'records',
    'gone',
    'unit',
    'turns',
    'turn',
    'session',
  ],
  ...['started', 'ended', 'after', 'ends_with_prompt', 'secrets', 'at', 'input', 'cache_read', 'cache_write_5m'],
  ...['cache_write_1h', 'output', 'reasoning', 'web_searches', 'context_window', 'reported_cost', 'primary_used'],
  ...['primary_window', 'primary_resets', 'secondary_used', 'secondary_window', 'secondary_resets', 'leaf', 'hash'],
  ...['cause', 'born', 'place'],
]);

/** Whether values may stand in the columns of a table: all that tells a row from before there were sums. */
function fits(table: SummedTable, values: Readonly<Record<string, Value>>): boolean {
  return SUMMED[table].every((column) => {
    const value = values[column];
    return value === null || typeof value === (NUMBERS.has(column) ? 'number' : 'string');
  });
}

/** The records of a turn; none where what stands there cannot be: they are hashes and times by turns. */
function recordsOr(value: Value | undefined): Uint8Array {
  return value instanceof Uint8Array && value.length % 16 === 0 ? value : new Uint8Array(0);
}
