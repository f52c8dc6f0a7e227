import { dirname, join } from 'node:path';
import { fields, isFields, text, time } from '../fields.ts';
import type { RecordReader } from '../jsonl/reading.ts';
import { NotShownCounter } from '../not-shown.ts';
import type { SourceEvent } from '../source.ts';
import { textOfFile } from '../text-of-file.ts';

/**
 * Reads `history.jsonl`, the prompts of all sessions as they were typed. Old lines do not name their session: those
 * are kept by project and day.
 */
export function readHistory(path: string, from: unknown): RecordReader {
  const events: SourceEvent[] = [];
  const notShown = new NotShownCounter();
  const known = new Set<string>(isFields(from) && Array.isArray(from.sessions) ? (from.sessions as string[]) : []);
  return {
    events,
    notShown,
    isRecord: (object, isValue) => !isValue && text(object.display) !== undefined && object.timestamp !== undefined,
    record(record, where) {
      const display = text(record.display);
      if (display === undefined) return 'history without a prompt';
      const at = time(record.timestamp);
      const project = text(record.project);
      const transcript = text(record.sessionId);
      const session = transcript === undefined ? placeless(project, at) : `prompts/${transcript}`;
      if (!known.has(session)) {
        known.add(session);
        events.push({
          type: 'session',
          session,
          facts: {
            kind: 'prompts',
            ...(project !== undefined && { cwd: project }),
            ...(transcript !== undefined && { transcript }),
          },
        });
      }
      events.push({ type: 'turn', session, ...(at !== undefined && { at }) });
      const said = [display, ...pasted(record.pastedContents, dirname(path), notShown)].join('\n');
      events.push({
        type: 'part',
        session,
        part: { type: 'text', role: 'user', text: said, where, ...(at !== undefined && { at }) },
      });
      return undefined;
    },
    settle() {},
    state() {
      // Facts told twice do no harm, so only the latest sessions are remembered.
      return { sessions: [...known].slice(-200) };
    },
  };
}

/** The name of the prompts of one project and day. */
function placeless(project: string | undefined, at: number | undefined): string {
  const day = at === undefined ? 'undated' : new Date(at).toISOString().slice(0, 10);
  return `prompts/${day}${(project ?? '').replace(/[^A-Za-z0-9]+/g, '-')}`;
}

/** What was pasted into a prompt: it stands in the record, or in a file of its own that the record names by its hash. */
function pasted(contents: unknown, home: string, notShown: NotShownCounter): string[] {
  return Object.values(fields(contents)).flatMap((raw) => {
    const paste = fields(raw);
    const said = text(paste.content) ?? cachedPaste(home, text(paste.contentHash));
    if (said === undefined) notShown.add('history pastedContents');
    return said ?? [];
  });
}

/** More than this of a paste is not read. */
const LONGEST_PASTE = 4 << 20;

function cachedPaste(home: string, hash: string | undefined): string | undefined {
  if (hash === undefined || !/^[0-9a-f]{8,128}$/i.test(hash)) return undefined;
  return textOfFile(join(home, 'paste-cache', `${hash}.txt`), join(home, 'paste-cache'), LONGEST_PASTE);
}
