import { amp } from './amp/source.ts';
import { antigravity } from './antigravity/source.ts';
import { claudeCode } from './claude-code/source.ts';
import { cline } from './cline/source.ts';
import { codex } from './codex/source.ts';
import { copilotCli } from './copilot-cli/source.ts';
import { crush } from './crush/source.ts';
import { cursor } from './cursor/source.ts';
import { droid } from './droid/source.ts';
import { gemini } from './gemini/source.ts';
import { goose } from './goose/source.ts';
import { kiloCli } from './kilo-cli/source.ts';
import { kiloCode } from './kilo-code/source.ts';
import { openCode } from './opencode/source.ts';
import { pi } from './pi/source.ts';
import { qwen } from './qwen/source.ts';
import { rooCode } from './roo-code/source.ts';
import type { Source } from './source.ts';

/** Every source of ours. A new agent is one folder and one line here. */
const OURS: readonly Source[] = [
  claudeCode,
  codex,
  gemini,
  qwen,
  antigravity,
  openCode,
  kiloCli,
  cursor,
  copilotCli,
  cline,
  rooCode,
  kiloCode,
  pi,
  amp,
  crush,
  goose,
  droid,
];

const sources: Source[] = [...OURS];

/** Every source there is: ours, and those of the user's own that were loaded. */
export const SOURCES: readonly Source[] = sources;

/** Takes a source of the user's own. @throws where another one has its id */
export function addSource(source: Source): void {
  if (sourceOf(source.id)) throw new Error(`there is a source “${source.id}” already`);
  sources.push(source);
}

/** The source of that id, or undefined. */
export function sourceOf(id: string): Source | undefined {
  return SOURCES.find((source) => source.id === id);
}
