import type { Commands } from './command.ts';

/** Every command, loaded when it is called. A new one is one file and one line here. */
export const COMMANDS: Commands = new Map([
  ['start', async () => (await import('./start.ts')).start],
  ['index', async () => (await import('./index.ts')).index],
  ['search', async () => (await import('./search.ts')).search],
  ['show', async () => (await import('./show.ts')).show],
  ['sessions', async () => (await import('./sessions.ts')).sessions],
  ['resume', async () => (await import('./resume.ts')).resume],
  ['setup', async () => (await import('./setup.ts')).setup],
  ['uninstall', async () => (await import('./uninstall.ts')).uninstall],
  ['forget', async () => (await import('./forget.ts')).forget],
  ['redact', async () => (await import('./redact.ts')).redact],
  ['config', async () => (await import('./config.ts')).config],
  ['mcp', async () => (await import('./mcp.ts')).mcp],
  ['watch', async () => (await import('./watch.ts')).watch],
  ['completions', async () => (await import('./completions.ts')).completions],
  ['repair', async () => (await import('./repair.ts')).repair],
  ['source', async () => (await import('./source.ts')).source],
  ['doctor', async () => (await import('./doctor.ts')).doctor],
]);
