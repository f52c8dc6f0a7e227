import { type ClosedField, ROLES, SESSION_TYPES, STATES } from './query.ts';
import { MONTHS, WEEKDAYS } from './times/names.ts';

const TIMES = ['today', 'yesterday', 'last week', 'last month', ...WEEKDAYS, ...MONTHS];
const A_TIME = 'a time such as 3d, tuesday or 2026-11-30';

/** What a field takes: as a person is told, and the names that may have been meant. */
export const TAKES: Readonly<Record<ClosedField, { readonly told: string; readonly names: readonly string[] }>> = {
  role: { told: alternatives(ROLES), names: ROLES },
  is: { told: alternatives(STATES), names: STATES },
  type: { told: alternatives(SESSION_TYPES), names: SESSION_TYPES },
  since: { told: A_TIME, names: TIMES },
  until: { told: A_TIME, names: TIMES },
};

function alternatives(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** Whether a value may become one that the field takes when more of it is typed. */
export function mayBecome(field: ClosedField, value: string): boolean {
  const typed = value.toLowerCase();
  const isTime = field === 'since' || field === 'until';
  return TAKES[field].names.some((name) => name.startsWith(typed)) || (isTime && /^\d[\d:.tz+-]*$/.test(typed));
}
