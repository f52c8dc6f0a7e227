import type { Part } from '../../transcript/index.ts';

/** About how many characters a part takes in a chunk. */
export function sizeOf(part: Part): number {
  switch (part.type) {
    case 'tool_call':
      return 200 + (part.output?.length ?? 0) + inputSize(part.input);
    case 'attachment':
      return 200;
    default:
      return 100 + part.text.length;
  }
}

/** About how long an input's JSON is. */
function inputSize(input: unknown): number {
  if (typeof input === 'string') return input.length;
  if (input === null || typeof input !== 'object') return 8;
  let size = 0;
  for (const value of Object.values(input)) size += 16 + inputSize(value);
  return size;
}
