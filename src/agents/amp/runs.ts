import { type Fields, fields, isFields, list, number, text } from '../fields.ts';
import type { NotShownCounter } from '../not-shown.ts';
import { plainPath } from '../plain-path.ts';
import type { ToolResult } from '../source.ts';

type Outcome = Omit<ToolResult, 'where' | 'at'>;

/** Ends of a run that are no failure of it. */
const FINE: ReadonlySet<unknown> = new Set(['done', 'in-progress', 'queued', 'blocked-on-user']);

/**
 * What a run of a tool gave. A result is a text, lines, or an object with the text under a name of the tool's; what
 * stands beside it there is small (an exit code, line numbers).
 */
export function outcomeOf(run: Fields, notShown: NotShownCounter): Outcome {
  const { result } = run;
  const error = fields(run.error);
  const said = text(error.message) ?? text(run.error) ?? text(run.reason);
  const exitCode = number(fields(result).exitCode);
  const output = outputOf(result) ?? said;
  if (run.progress !== undefined && JSON.stringify(run.progress) !== '{}') notShown.add('run progress');
  return {
    isError: !FINE.has(run.status) || (exitCode !== undefined && exitCode !== 0),
    ...(output !== undefined && { output }),
    ...(exitCode !== undefined && { exitCode }),
    paths: list(run.trackFiles).flatMap((uri) => (typeof uri === 'string' ? [plainPath(uri)] : [])),
  };
}

/** The names under which tools put the text of a result. */
const TEXTS = ['output', 'content', 'diff', 'text', 'message'];

function outputOf(result: unknown): string | undefined {
  if (typeof result === 'string') return result;
  if (Array.isArray(result))
    return result.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  if (!isFields(result)) return undefined;
  // Of a long output the model is given the end, after a line that says so.
  const { hidden_truncatedOutput: before, output } = result;
  if (typeof before === 'string' && typeof output === 'string') return `${before}\n${output}`;
  for (const name of TEXTS) if (typeof result[name] === 'string') return result[name];
  return JSON.stringify(result);
}
