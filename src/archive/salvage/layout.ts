import { DatabaseSync } from 'node:sqlite';
import type { Value } from '../../store/database.ts';
import type { PageRow } from '../../store/pages.ts';

/** How the rows of a table are stored. */
export interface Layout {
  readonly table: string;
  /** In the order in which they are stored. */
  readonly columns: readonly string[];
  /** The column that stands for the row's number and is stored as nothing; absent where none does. */
  readonly id?: string;
  /** Whether rows are numbered; where not, they are stored by their key. */
  readonly isNumbered: boolean;
}

/** The layouts of tables by their names, as statements made them; a statement that makes no sense is passed over. */
export function layoutsOf(statements: Iterable<string>): Map<string, Layout> {
  const db = new DatabaseSync(':memory:');
  try {
    for (const statement of statements) {
      try {
        db.exec(statement);
      } catch {
        // A broken one, or one that stands in two pages.
      }
    }
    const tables = db.prepare(
      "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'",
    );
    // The shape of what was asked for.
    const found = tables.all() as unknown as { name: string; wr: number }[];
    return new Map(found.map(({ name, wr }) => [name, layoutOf(db, name, wr === 0)]));
  } finally {
    db.close();
  }
}

function layoutOf(db: DatabaseSync, table: string, isNumbered: boolean): Layout {
  // The shape of what was asked for.
  const columns = db.prepare('SELECT name, type, pk FROM pragma_table_info(?)').all(table) as unknown as {
    name: string;
    type: string;
    pk: number;
  }[];
  const keys = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  const stored = isNumbered ? columns : [...keys, ...columns.filter(({ pk }) => pk === 0)];
  const id = isNumbered && keys.length === 1 && keys[0]!.type === 'INTEGER' ? keys[0]!.name : undefined;
  return { table, columns: stored.map(({ name }) => name), isNumbered, ...(id !== undefined && { id }) };
}

/** The values of a stored row by their columns, where it may be one of that layout. */
export function namedBy(layout: Layout, row: PageRow): Record<string, Value | undefined> | undefined {
  if (layout.isNumbered !== (row.rowid !== undefined) || row.values.length !== layout.columns.length) return undefined;
  const named: Record<string, Value | undefined> = Object.create(null);
  layout.columns.forEach((column, i) => {
    named[column] = column === layout.id ? row.rowid : row.values[i];
  });
  return named;
}
