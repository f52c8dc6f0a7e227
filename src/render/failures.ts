import { formatCount, plural } from './numbers.ts';
import { oneLine } from './safe.ts';

interface Told {
  readonly path: string;
  readonly line?: number;
  readonly reason: string;
  readonly more?: number;
}

/** A failure on one line: where, why, and how many more the file has. */
export function failureLine({ path, line, reason, more }: Told): string {
  const rest = more === undefined ? '' : `, and ${plural(more, 'more line')} of the file`;
  return oneLine(`${path}${line === undefined ? '' : `:${line}`}: ${reason}${rest}`);
}

/** An unknown type of records and how often it was met. */
export function unknownTypeLine(type: string, count: number): string {
  return oneLine(`unknown record type ${type}: ${formatCount(count)}`);
}
