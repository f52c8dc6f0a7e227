import type { Where } from '../../transcript/index.ts';
import { type Fields, isFields, text, time } from '../fields.ts';
import type { RecordReader } from '../jsonl/reading.ts';
import { NotShownCounter } from '../not-shown.ts';
import type { SourceEvent } from '../source.ts';

/** Facts told twice do no harm, so only the latest sessions are remembered. */
const REMEMBERED = 200;

/** Reads `history.jsonl`: the prompts of all sessions that were typed in a terminal. */
export class History implements RecordReader {
  readonly events: SourceEvent[] = [];
  readonly notShown = new NotShownCounter();
  private readonly known: Set<string>;

  constructor(from: unknown) {
    this.known = new Set<string>(isFields(from) && Array.isArray(from.sessions) ? from.sessions.map(String) : []);
  }

  isRecord(object: Fields, isValue: boolean): boolean {
    return !isValue && text(object.text) !== undefined && text(object.session_id) !== undefined;
  }

  record(record: Fields, where: Where): string | undefined {
    const said = text(record.text);
    const transcript = text(record.session_id);
    if (said === undefined || transcript === undefined) return 'history without a prompt';
    const session = `prompts/${transcript}`;
    const when = time(record.ts);
    const at = when === undefined ? {} : { at: when };
    if (!this.known.has(session)) {
      this.known.add(session);
      this.events.push({ type: 'session', session, facts: { kind: 'prompts', transcript } });
    }
    this.events.push({ type: 'turn', session, ...at });
    this.events.push({ type: 'part', session, part: { type: 'text', role: 'user', text: said, where, ...at } });
    return undefined;
  }

  settle(): void {}

  state() {
    return { sessions: [...this.known].slice(-REMEMBERED) };
  }
}
