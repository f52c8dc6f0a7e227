import { claudeCode } from './claude-code/source.ts';
import { codex } from './codex/source.ts';
import type { Source } from './source.ts';

/** Every source there is. A new agent is one folder and one line here. */
export const SOURCES: readonly Source[] = [claudeCode, codex];

/** The source of that id, or undefined. */
export function sourceOf(id: string): Source | undefined {
  return SOURCES.find((source) => source.id === id);
}
