import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Homes in which Cline itself wrote. */
export const homes = [
  ['corpus', 'live', 'cline', 'home'],
  ['corpus', 'homes', 'cline'],
] as const;

/** Files that were kept outside their tasks' folders are laid into some. */
export function prepare(home: string): void {
  const tasks = join(home, '.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks');
  const loose = [
    ['misc/ui_messages.json', '1770482470358/ui_messages.json'],
    ['misc/task_sample/ui_messages.json', '1770577372307/ui_messages.json'],
    ['misc/api_conversation_history.json', '1777073160794/api_conversation_history.json'],
  ] as const;
  for (const [from, to] of loose) {
    if (!existsSync(join(home, from))) continue;
    mkdirSync(join(tasks, to, '..'), { recursive: true });
    cpSync(join(home, from), join(tasks, to));
  }
}
