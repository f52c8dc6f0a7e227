/** A condition in SQL with its values. */
export interface Sql {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

export const TRUE: Sql = { sql: '1', values: [] };
export const FALSE: Sql = { sql: '0', values: [] };

export function sql(text: string, ...values: (string | number)[]): Sql {
  return { sql: text, values };
}

export function allOf(conditions: readonly Sql[]): Sql {
  return joined(conditions, ' AND ', TRUE);
}

export function anyOf(conditions: readonly Sql[]): Sql {
  return joined(conditions, ' OR ', FALSE);
}

/** True where the condition is false or not known: a session without a branch is not on that branch. */
export function noneOf(condition: Sql): Sql {
  return { sql: `NOT coalesce(${condition.sql}, 0)`, values: condition.values };
}

function joined(conditions: readonly Sql[], operator: string, none: Sql): Sql {
  const [first, ...others] = conditions;
  if (!first) return none;
  if (others.length === 0) return first;
  return {
    sql: `(${conditions.map((one) => one.sql).join(operator)})`,
    values: conditions.flatMap((one) => one.values),
  };
}

/** A text in which LIKE finds nothing special. */
export function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** More would let one pattern take quadratic time and more. */
const MOST_STARS = 4;

/** Whether a value holds `*` or `?`. */
export function isPattern(value: string): boolean {
  return /[*?]/.test(value);
}

/** A value with `*` (any run of characters) and `?` (any one) as LIKE has it. Stars past the fourth stand for themselves. */
export function likePattern(value: string): string {
  let stars = 0;
  return escaped(value)
    .replace(/\*+/g, (run) => (++stars <= MOST_STARS ? '%' : run))
    .replaceAll('?', '_');
}
