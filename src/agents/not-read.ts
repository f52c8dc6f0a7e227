import { join } from 'node:path';
import { entriesOf } from './folders.ts';
import type { Environment } from './source.ts';

/** An agent whose histories are known to lie somewhere, and are not read yet. */
export interface NotRead {
  readonly label: string;
  readonly path: string;
}

/** Where agents without a source keep their histories, below the home. */
const PLACES: readonly (readonly [label: string, ...below: string[]])[] = [
  ['Aider', '.aider.chat.history.md'],
  ['CodeBuddy', '.codebuddy', 'projects'],
  ['Continue', '.continue', 'sessions'],
  ['Cursor’s command line', '.cursor', 'chats'],
  ['Devin', '.local', 'share', 'devin', 'cli'],
  ['Hermes', '.hermes'],
  ['Kimi', '.kimi', 'sessions'],
  ['Kiro', '.local', 'share', 'kiro-cli'],
  ['Kiro', '.kiro', 'sessions'],
  ['Mistral Vibe', '.vibe', 'logs'],
  ['OpenClaw', '.openclaw', 'agents'],
  ['OpenHands', '.openhands'],
  ['Windsurf', '.codeium', 'windsurf', 'cascade'],
  ['Zed', '.local', 'share', 'zed', 'threads'],
];

/** The histories of such agents that are on this machine. */
export function notReadYet(env: Environment): NotRead[] {
  return PLACES.flatMap(([label, ...below]) => {
    const folder = join(env.home, ...below.slice(0, -1));
    const name = below.at(-1);
    return entriesOf(folder).some((entry) => entry.name === name) ? [{ label, path: join(folder, name!) }] : [];
  });
}
