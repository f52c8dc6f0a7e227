/** What is counted of a table, as SQL about one of its rows. */
interface Counted {
  readonly table: string;
  /** The state that the count is kept in. */
  readonly name: (row: 'old' | 'new') => string;
  readonly counts: (row: 'old' | 'new') => string;
  /** Columns that decide this and are ever updated. */
  readonly updated?: string;
}

const COUNTED: readonly Counted[] = [
  { table: 'passages', name: () => "'passages'", counts: () => 'true' },
  {
    table: 'turns',
    name: () => "'turns'",
    counts: (row) => `(${row}.own_parts IS NULL OR ${row}.own_parts > 0)`,
    updated: 'own_parts',
  },
  {
    table: 'sessions',
    name: (row) => `'sessions:' || ${row}.source`,
    counts: (row) => `${row}.kind = 'transcript' AND ${row}.hidden = 0`,
    updated: 'source, kind, hidden',
  },
];

/**
 * Triggers that keep how much the index holds while rows come and go: counting a million passages takes longer than
 * keeping a line does. They see a row that is replaced only where `recursive_triggers` is on, as `Database.forWriting`
 * sets it.
 */
export const TOTALS_SCHEMA = COUNTED.map(({ table, name, counts, updated }) => {
  const add = (row: 'old' | 'new', by: number) =>
    `INSERT INTO state (name, value) SELECT ${name(row)}, ${by} WHERE ${counts(row)}
       ON CONFLICT (name) DO UPDATE SET value = value + excluded.value;`;
  const added = `CREATE TRIGGER IF NOT EXISTS ${table}_added AFTER INSERT ON ${table} BEGIN ${add('new', 1)} END;`;
  const taken = `CREATE TRIGGER IF NOT EXISTS ${table}_taken AFTER DELETE ON ${table} BEGIN ${add('old', -1)} END;`;
  const changed = `CREATE TRIGGER IF NOT EXISTS ${table}_changed AFTER UPDATE OF ${updated} ON ${table}
     BEGIN ${add('old', -1)} ${add('new', 1)} END;`;
  return `${added}\n${taken}\n${updated === undefined ? '' : changed}\n`;
}).join('');
