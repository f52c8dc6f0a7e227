import { basename, dirname, join, relative, sep } from 'node:path';
import { filesBelow, fileUnit, statOf } from '../folders.ts';
import type { Encounters, Root, Unit } from '../source.ts';

const TASKS = 'tasks';
const SESSIONS = 'sessions';
const MESSAGES = '.messages.json';

/** What was said to the model and by it, and what was on the screen: both tell of the same task. */
export const CONVERSATION = 'api_conversation_history.json';
export const SCREEN = 'ui_messages.json';
/** What else lies in a task's folder and is read with it. */
const BESIDE = ['task_metadata.json', 'history_item.json'];
const OTHER_FOLDERS: ReadonlySet<string> = new Set(['checkpoints']);

/** `tasks/<id>/`, and of today's program `sessions/<id>/*.messages.json`. */
export async function* units(source: string, root: Root, met: Encounters = {}): AsyncIterable<Unit> {
  const walk = { depth: 2, passes: (name: string) => OTHER_FOLDERS.has(name) };
  const seen = new Set<string>();
  for (const folder of [TASKS, SESSIONS]) {
    for (const path of filesBelow(join(root.path, folder), root.path, walk, met)) {
      const unit = unitUnder(source, root, path, met);
      if (unit && !seen.has(unit.path)) yield unit;
      if (unit) seen.add(unit.path);
    }
  }
}

export function places(root: Root): { folders: string[]; files: string[] } {
  return { folders: [join(root.path, TASKS), join(root.path, SESSIONS)], files: [] };
}

/** The unit that a path is part of: a task for each file in its folder, a session for what is written beside its messages. */
export function unitUnder(source: string, root: Root, path: string, met?: Encounters): Unit | undefined {
  const [first, id, name, ...deeper] = relative(root.path, path).split(sep);
  if (id === undefined || name === undefined || deeper.length > 0) return undefined;
  const folder = dirname(path);
  if (first === TASKS && [CONVERSATION, SCREEN, ...BESIDE].includes(name))
    return together(source, 'task', [CONVERSATION, SCREEN], BESIDE, folder, met);
  if (first !== SESSIONS || !name.endsWith('.json')) return undefined;
  const messages = name.endsWith(MESSAGES) ? name : `${basename(name, '.json')}${MESSAGES}`;
  return together(source, 'session', [messages], [`${id}.json`], folder, met);
}

/** One unit of several files: the first of `names` that is there, marked by what all of them are. */
function together(
  source: string,
  layout: string,
  names: readonly string[],
  beside: readonly string[],
  folder: string,
  met?: Encounters,
): Unit | undefined {
  const own = names.map((name) => join(folder, name)).find((path) => statOf(path)?.isFile());
  if (own === undefined) return undefined;
  const unit = fileUnit({ source, path: own, layout, format: 'snapshot', isOneSession: true }, met);
  const stats = [...names, ...beside].flatMap((name) => statOf(join(folder, name)) ?? []);
  return (
    unit && {
      ...unit,
      size: stats.reduce((sum, { size }) => sum + size, 0),
      modified: Math.max(...stats.map(({ mtimeMs }) => Math.floor(mtimeMs))),
    }
  );
}
