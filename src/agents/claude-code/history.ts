import { fields, isFields, text, time } from '../fields.ts';
import type { RecordReader } from '../jsonl/reading.ts';
import type { SourceEvent } from '../source.ts';

/**
 * Reads `history.jsonl`, the prompts of all sessions as they were typed. Old lines do not name their session: those
 * are kept by project and day.
 */
export function readHistory(from: unknown): RecordReader {
  const events: SourceEvent[] = [];
  const known = new Set<string>(isFields(from) && Array.isArray(from.sessions) ? (from.sessions as string[]) : []);
  return {
    events,
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
      const said = [display, ...pasted(record.pastedContents)].join('\n');
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

function pasted(contents: unknown): string[] {
  return Object.values(fields(contents)).flatMap((pastedText) => text(fields(pastedText).content) ?? []);
}
