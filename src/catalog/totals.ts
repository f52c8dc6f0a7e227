type Row = 'old' | 'new';

/** What is counted of a table, as SQL about one of its rows. */
interface Counted {
  readonly table: string;
  /** The state that the count is kept in. */
  readonly name: (row: Row) => string;
  readonly counts: (row: Row) => string;
  /** Columns that decide this and are ever updated. */
  readonly updated?: string;
  /** Whether the state may not be there yet. */
  readonly isNamedByRow?: true;
}

const COUNTED: readonly Counted[] = [
  { table: 'passages', name: () => "'passages'", counts: () => 'true' },
  {
    table: 'turns',
    name: () => "'turns'",
    counts: (row) => `(${row}.own_parts IS NULL OR ${row}.own_parts > 0)`,
  },
  {
    table: 'sessions',
    name: (row) => `'sessions:' || ${row}.source`,
    counts: (row) => `${row}.kind = 'transcript' AND ${row}.hidden = 0`,
    updated: 'kind, hidden',
    isNamedByRow: true,
  },
];

/**
 * Triggers that keep how much the index holds while rows come and go: counting a million passages takes longer than
 * keeping a line does. They see a row that is replaced only where `recursive_triggers` is on, as `Database.forWriting`
 * sets it.
 */
export const TOTALS_SCHEMA = `
INSERT INTO state (name, value) VALUES ('passages', 0), ('turns', 0);
${COUNTED.map(triggersFor).join('')}`;

function triggersFor({ table, name, counts, updated, isNamedByRow }: Counted): string {
  const add = (row: Row, by: string) =>
    `UPDATE state SET value = value ${by} WHERE name = ${name(row)} AND ${counts(row)};`;
  const begun = isNamedByRow
    ? `INSERT INTO state (name, value) VALUES (${name('new')}, 0) ON CONFLICT DO NOTHING;`
    : '';
  return `
CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} BEGIN ${begun} ${add('new', '+ 1')} END;
CREATE TRIGGER ${table}_taken AFTER DELETE ON ${table} BEGIN ${add('old', '- 1')} END;
${updated === undefined ? '' : `CREATE TRIGGER ${table}_changed AFTER UPDATE OF ${updated} ON ${table} BEGIN ${add('old', '- 1')} ${add('new', '+ 1')} END;`}`;
}
