import { FIELD_NAMES } from '../search/query/query.ts';

const FIELD = new RegExp(`^(-?(?:${FIELD_NAMES.join('|')}):)([^"]*\\s[^"]*)$`, 'is');

/**
 * The query that arguments make. The shell took the quotes: an argument with spaces is a phrase, or a field's value, where
 * others stand beside it; one alone is a query as it is.
 */
export function queryText(args: readonly string[]): string {
  if (args.length < 2) return args.join(' ');
  return args.map(requoted).join(' ');
}

function requoted(argument: string): string {
  if (!/\s/.test(argument) || argument.includes('"')) return argument;
  const field = FIELD.exec(argument);
  if (field) return `${field[1]}"${field[2]}"`;
  // What holds operators of its own is a part of the query.
  return /(?:^|\s)(?:-?[a-z]+:|OR(?:\s|$)|-?\()/.test(argument) ? argument : `"${argument}"`;
}
