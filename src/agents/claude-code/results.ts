import { isFields } from '../fields.ts';

/** Fields of `toolUseResult` that repeat what the call asked for. */
const OF_THE_CALL: ReadonlySet<string> = new Set([
  'command',
  'filePath',
  'newString',
  'newTodos',
  'oldString',
  'prompt',
  'query',
  'questions',
]);

/** Fields of `toolUseResult` whose text is known to be another one than the output's. Seen in 1.0.89 to 2.1.332. */
export const RESULT_FIELDS: ReadonlySet<string> = new Set([
  'content',
  'file',
  'originalFile',
  'stderr',
  'stdout',
  'structuredPatch',
  'task',
]);

/** Shorter ones are settings and names. */
const SHORTEST = 24;

/**
 * What the program keeps of a result for itself (`toolUseResult`) beside the output that the model was given: the fields
 * that hold a text which the output has not.
 */
export function fieldsNotShown(result: unknown, output: string): string[] {
  if (!isFields(result)) return holdsMore(result, output) ? ['toolUseResult'] : [];
  const kept = new Set<string>();
  for (const [name, value] of Object.entries(result))
    if (!OF_THE_CALL.has(name) && holdsMore(value, output))
      kept.add(RESULT_FIELDS.has(name) ? `toolUseResult.${name}` : 'toolUseResult');
  return [...kept];
}

function holdsMore(value: unknown, output: string, depth = 0): boolean {
  if (typeof value === 'string') {
    const said = value.replace(/^Error: /, '').trim();
    return said.length >= SHORTEST && /\s/.test(said) && !output.includes(said);
  }
  if (typeof value !== 'object' || value === null || depth > 8) return false;
  return Object.values(value).some((item) => holdsMore(item, output, depth + 1));
}
