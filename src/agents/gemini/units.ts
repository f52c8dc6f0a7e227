import { basename, join, relative, sep } from 'node:path';
import { filesBelow, fileUnit } from '../folders.ts';
import type { Encounters, Environment, Root, Source, Unit } from '../source.ts';

/** Where a program of this family keeps its chats. */
interface Store {
  readonly source: string;
  roots(env: Environment): Root[];
}

const CHAT = /\.jsonl?$/;
const LOGS = 'logs.json';
/** `tmp/<project>/chats/<session>/<sub-agent>.json`. */
const DEPTH = 4;

/** Finds the chats of a program of this family: `tmp/<project>/chats/**`, and the log of prompts beside them. */
export function chatStore({ source, roots }: Store): Pick<Source, 'roots' | 'units' | 'places' | 'unitAt'> {
  async function* units(root: Root, met: Encounters = {}): AsyncIterable<Unit> {
    for (const path of filesBelow(join(root.path, 'tmp'), root.path, { depth: DEPTH, passes: isOther }, met)) {
      const unit = unitAt(root, path, met);
      if (unit) yield unit;
    }
  }

  function unitAt(root: Root, path: string, met?: Encounters): Unit | undefined {
    const [tmp, project, third, ...below] = relative(root.path, path).split(sep);
    if (tmp !== 'tmp' || project === undefined || third === undefined) return undefined;
    const isLog = third === LOGS && below.length === 0;
    const isChat = third === 'chats' && (below.length === 1 || below.length === 2) && isChatFile(path);
    if (!isLog && !isChat) return undefined;
    const layout = isLog ? 'prompts' : path.endsWith('.jsonl') ? 'jsonl' : 'json';
    return fileUnit({ source, path, layout, format: 'snapshot', isOneSession: isChat }, met);
  }

  return {
    roots,
    units,
    unitAt: (root, path) => unitAt(root, path),
    places: (root) => ({ folders: [join(root.path, 'tmp')], files: [] }),
  };
}

const OTHER_FOLDERS: ReadonlySet<string> = new Set(['tool-outputs', 'checkpoints', 'memory', 'images', 'plans', 'bin']);
const isOther = (name: string) => OTHER_FOLDERS.has(name);

const isChatFile = (path: string) => CHAT.test(path) && !basename(path).startsWith('.');
