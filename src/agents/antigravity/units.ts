import { join } from 'node:path';
import { fileUnit, statOf } from '../folders.ts';
import type { Encounters, Environment, Root, Unit } from '../source.ts';
import { conversationsIn, filesOf, mainOf, type Place, placeOf } from './files.ts';
import { type Summary, summariesIn } from './summaries.ts';

/** The folders of the programs, below `.gemini` in the user's home on every system, and what each program is. */
const PROGRAMS = [
  ['antigravity', 'desktop'],
  ['antigravity-ide', 'ide'],
  ['antigravity-cli', 'cli'],
] as const;
const PROMPTS = 'history.jsonl';

export function roots({ home }: Environment): Root[] {
  return PROGRAMS.map(([folder, layout]) => ({ path: join(home, '.gemini', folder), layout }));
}

export async function* units(root: Root, met: Encounters = {}): AsyncIterable<Unit> {
  const summaries = summariesIn(root.path);
  for (const id of conversationsIn(root.path, met)) {
    const unit = conversationUnit(root, { root: root.path, id }, summaries.get(id), met);
    if (unit) yield unit;
  }
  const prompts = promptsUnit(root, met);
  if (prompts) yield prompts;
}

export function places({ path }: Root): { folders: string[]; files: string[] } {
  return { folders: [join(path, 'conversations'), join(path, 'brain')], files: [join(path, PROMPTS)] };
}

/** The conversation that a file belongs to, or the list of prompts. */
export function unitUnder(root: Root, path: string): Unit | undefined {
  if (path === join(root.path, PROMPTS)) return promptsUnit(root);
  const place = placeOf(path);
  if (place?.root !== root.path) return undefined;
  return conversationUnit(root, place, summariesIn(root.path).get(place.id));
}

/** All that lies on disk of a conversation is one unit: its mark is made of all its files, and of its title. */
function conversationUnit(
  root: Root,
  place: Place,
  { title = '', updated = 0 }: Summary = {},
  met?: Encounters,
): Unit | undefined {
  const files = filesOf(place, met);
  const path = mainOf(files);
  if (path === undefined) return undefined;
  const unit = fileUnit(
    { source: 'antigravity', path, layout: root.layout, format: 'snapshot', isOneSession: true },
    met,
  );
  const beside = [`${path}-wal`, files.log, ...files.documents].filter((one) => one !== undefined && one !== path);
  const stats = beside.flatMap((one) => statOf(one ?? '') ?? []);
  return (
    unit && {
      ...unit,
      size: stats.reduce((sum, { size }) => sum + size, unit.size + title.length),
      modified: Math.floor(Math.max(unit.modified, updated, ...stats.map(({ mtimeMs }) => mtimeMs))),
    }
  );
}

/** The prompts that were typed in a terminal. */
function promptsUnit({ path, layout }: Root, met?: Encounters): Unit | undefined {
  if (layout !== 'cli') return undefined;
  return fileUnit({ source: 'antigravity', path: join(path, PROMPTS), layout: 'prompts', format: 'snapshot' }, met);
}
