import { readFileSync } from 'node:fs';
import { time } from '../fields.ts';
import { statOf } from '../folders.ts';
import { summariesPath } from './files.ts';
import { Message } from './protobuf.ts';

/** What Antigravity's list of conversations says of one. */
export interface Summary {
  readonly title?: string;
  readonly workspace?: string;
  readonly created?: number;
  readonly updated?: number;
}

/** A list that is longer is none. */
const LARGEST = 64 << 20;

let last: { readonly mark: string; readonly summaries: ReadonlyMap<string, Summary> } | undefined;

/** The list of conversations of a program's folder, by their ids: what it tells also of those that are encrypted. */
export function summariesIn(root: string): ReadonlyMap<string, Summary> {
  const path = summariesPath(root);
  const stat = statOf(path);
  if (!stat?.isFile() || stat.size > LARGEST) return new Map();
  const mark = `${path} ${stat.size} ${stat.mtimeMs}`;
  if (last?.mark !== mark) last = { mark, summaries: read(path) };
  return last.summaries;
}

function read(path: string): ReadonlyMap<string, Summary> {
  const summaries = new Map<string, Summary>();
  try {
    for (const entry of Message.of(readFileSync(path))?.all(1) ?? []) {
      const id = entry.text(1);
      const about = entry.at(2);
      if (id === undefined || about === undefined) continue;
      const title = about.text(1);
      const workspace = about.text(9, 1) ?? about.text(17, 7);
      const [created, updated] = [time(about.time(7)), time(about.time(3))];
      summaries.set(id, {
        ...(title !== undefined && { title }),
        ...(workspace !== undefined && { workspace }),
        ...(created !== undefined && { created }),
        ...(updated !== undefined && { updated }),
      });
    }
  } catch {
    // It is written anew just now: the next listing sees it.
  }
  return summaries;
}
