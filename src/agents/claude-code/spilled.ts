import { basename, dirname, join, sep } from 'node:path';
import type { Where } from '../../transcript/index.ts';
import { type Fields, text } from '../fields.ts';
import { textOfFile } from '../text-of-file.ts';

/** More than this of a spilled output is never read. */
const MOST = 16 << 20;

/**
 * The whole of an output that was too long for the transcript: its text lies in `tool-results/` beside the session.
 * Only files of that folder are read, whatever path the record names. Undefined where there is none.
 */
export function spilledOutput(
  transcript: string,
  shown: string | undefined,
  result: Fields,
): { readonly text: string; readonly where: Where } | undefined {
  const named = text(result.persistedOutputPath) ?? pathIn(shown);
  if (named === undefined) return undefined;
  const name = named.split(/[\\/]/).at(-1) ?? '';
  if (name === '' || name === '..') return undefined;
  for (const folder of resultFolders(transcript)) {
    const path = join(folder, name);
    const read = textOfFile(path, folder, MOST);
    if (read !== undefined) return { text: read, where: { path, offset: 0, line: 1 } };
  }
  return undefined;
}

function pathIn(shown: string | undefined): string | undefined {
  if (shown === undefined || !shown.startsWith('<persisted-output>')) return undefined;
  return /Full output saved to: (.+)/.exec(shown)?.[1]?.trim();
}

/** Of a session, the folder under its own name; of a sub-agent, that of the session it lies in. */
function resultFolders(transcript: string): string[] {
  const own = join(dirname(transcript), basename(transcript, '.jsonl'), 'tool-results');
  const names = transcript.split(sep);
  const subagents = names.lastIndexOf('subagents');
  return subagents > 0 ? [join(names.slice(0, subagents).join(sep), 'tool-results'), own] : [own];
}
