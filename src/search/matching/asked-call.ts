import type { ToolCall } from '../../transcript/index.ts';
import type { Filter, Query } from '../query/query.ts';
import { isPattern } from './sql.ts';

/** What is said of a call in the index, too. */
export type CallFacts = Pick<ToolCall, 'name' | 'kind' | 'isError' | 'paths'>;

/**
 * Whether a tool call is one that a query's filters ask for (`is:error`, `tool:`, `path:`): that is then what there is
 * to show of its turn. Undefined where they ask for none.
 */
export function askedCall({ clauses }: Pick<Query, 'clauses'>): ((call: CallFacts) => boolean) | undefined {
  const conditions = clauses.flatMap((clause) => (clause.type === 'filter' ? (conditionOf(clause) ?? []) : []));
  return conditions.length === 0 ? undefined : (call) => conditions.every((holds) => holds(call));
}

function conditionOf(filter: Filter): ((call: CallFacts) => boolean) | undefined {
  switch (filter.field) {
    case 'is':
      return filter.values.includes('error') ? (call) => call.isError : undefined;
    case 'tool': {
      const names = filter.values.map((value) => patternOf(value, true));
      return ({ name, kind }) => names.some((pattern) => pattern.test(name) || pattern.test(kind));
    }
    case 'path': {
      const patterns = filter.values.map((value) => patternOf(value, false));
      return ({ paths }) => patterns.some((pattern) => paths.some((path) => pattern.test(path)));
    }
    default:
      return undefined;
  }
}

/** As the conditions in SQL have it: a whole name, a part of a path, or with `*` and `?` a path's end. */
function patternOf(value: string, isWhole: boolean): RegExp {
  const source = value
    .replace(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replace(/\*+/g, '[^]*')
    .replaceAll('?', '[^]');
  if (isWhole) return new RegExp(`^${source}$`, 'i');
  return new RegExp(isPattern(value) ? `${source}$` : source, 'i');
}
