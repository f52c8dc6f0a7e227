import { join } from 'node:path';
import { entriesOf, isBelow, realPath, statOf } from '../folders.ts';
import type { Encounters } from '../source.ts';

/** What lies on disk of one conversation: some of these, in any combination. */
export interface ConversationFiles {
  /** `conversations/<id>.db`: since 2026-06. */
  readonly database?: string;
  /** `conversations/<id>.pb`: before that. Only Antigravity can read it. */
  readonly encrypted?: string;
  /** The log of its steps, whole where there are two. */
  readonly log?: string;
  /** Tasks, plans, walkthroughs: what the agent wrote for the person. */
  readonly documents: readonly string[];
  /** How many former versions of them there are. */
  readonly versions: number;
}

/** A conversation's place: the folder of a program, and the conversation's id. */
export interface Place {
  readonly root: string;
  readonly id: string;
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const MAIN = /^(.*)[\\/]conversations[\\/]([^\\/]+)\.(?:db(?:-wal)?|pb)$/;
/** What a person was shown of a document, and before: `task.md.resolved`, `task.md.resolved.2`. */
const VERSION = /\.resolved(?:\.\d+)?$/;
const BESIDE = /^(.*)[\\/]brain[\\/]([^\\/]+)[\\/].+$/;

/** The conversation that a path is a part of. */
export function placeOf(path: string): Place | undefined {
  const [, root, id] = MAIN.exec(path) ?? BESIDE.exec(path) ?? [];
  return root !== undefined && id !== undefined && ID.test(id) ? { root, id } : undefined;
}

/** The ids of all conversations in the folder of a program. */
export function conversationsIn(root: string, met: Encounters = {}): string[] {
  const ids = new Set<string>();
  for (const [folder, ending] of [
    ['conversations', /\.(?:db|pb)$/],
    ['brain', /$/],
  ] as const) {
    const path = join(root, folder);
    met.listed?.(path);
    for (const { name } of entriesOf(path, met)) {
      const id = name.replace(ending, '');
      if (ending.test(name) && ID.test(id)) ids.add(id);
    }
  }
  return [...ids];
}

/** What lies in the folder that belongs to a conversation. */
export function brainOf({ root, id }: Place): string {
  return join(root, 'brain', id);
}

/** The files of a conversation. What a link leads to outside the program's folder is none of them. */
export function filesOf(place: Place, met: Encounters = {}): ConversationFiles {
  const real = realPath(place.root);
  const isFile = (path: string): boolean => {
    const target = statOf(path, met)?.isFile() ? realPath(path) : undefined;
    if (target === undefined || real === undefined) return false;
    if (!isBelow(real, target)) met.leadsOut?.(path);
    return isBelow(real, target);
  };
  const first = (...paths: readonly string[]) => paths.find(isFile);
  const brain = brainOf(place);
  const generated = join(brain, '.system_generated');
  const logs = join(generated, 'logs');
  for (const folder of [brain, generated, logs]) met.listed?.(folder);
  const database = first(join(place.root, 'conversations', `${place.id}.db`));
  const encrypted = first(join(place.root, 'conversations', `${place.id}.pb`));
  const log = first(join(logs, 'transcript_full.jsonl'), join(logs, 'transcript.jsonl'));
  const names = entriesOf(brain, met).map(({ name }) => name);
  return {
    versions: names.filter((name) => VERSION.test(name)).length,
    ...(database !== undefined && { database }),
    ...(encrypted !== undefined && { encrypted }),
    ...(log !== undefined && { log }),
    documents: names.flatMap((name) => (name.endsWith('.md') ? join(brain, name) : [])).filter(isFile),
  };
}

/** The file that stands for all of a conversation: the one that says most. Undefined where nothing can be read of it. */
export function mainOf({ database, encrypted, log, documents }: ConversationFiles): string | undefined {
  return database ?? encrypted ?? log ?? documents[0];
}
