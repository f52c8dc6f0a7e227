import { join } from 'node:path';
import { chatStore } from '../gemini/units.ts';
import { readLate } from '../late.ts';
import type { Source } from '../source.ts';
import { chatAt, chats, recordsOf } from './units.ts';

/** Its first versions kept chats as the program does that it was made from. */
const old = chatStore({
  source: 'qwen',
  roots({ home, variables }) {
    // The first says where it writes, the second where all of it is.
    const named = [variables.QWEN_RUNTIME_DIR, variables.QWEN_HOME].flatMap((path) => path?.trim() || []);
    const folders = new Set([...named.map((path) => path.replace(/^~(?=$|[/\\])/, () => home)), join(home, '.qwen')]);
    return [...folders].map((path) => ({ path, layout: 'home' }));
  },
});

/** Alibaba's Qwen Code. */
export const qwen: Source = {
  id: 'qwen',
  label: 'Qwen Code',
  version: 2,
  capabilities: [
    'titles',
    'project',
    'times',
    'thinking',
    'tools',
    'errors',
    'files',
    'models',
    'tokens',
    'subagents',
    'resume',
  ],
  roots: old.roots,
  async *units(root, met) {
    yield* old.units(root, met);
    yield* chats(root, met);
  },
  unitAt: (root, path) => chatAt(root, path) ?? old.unitAt?.(root, path),
  places: (root) => ({ folders: [join(root.path, 'tmp'), join(root.path, 'projects')], files: [] }),
  read: readLate(() => import('./read.ts')),
  records: recordsOf,
  resume(session, { prompt }) {
    const { nativeId, cwd } = session.root ?? session;
    return {
      argv: ['qwen', '--resume', nativeId, ...(prompt === undefined ? [] : [`--prompt=${prompt}`])],
      ...(cwd !== undefined && { cwd }),
    };
  },
};
