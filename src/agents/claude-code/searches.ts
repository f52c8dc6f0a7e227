import type { Call } from '../../transcript/index.ts';
import { type Fields, fields, list, text } from '../fields.ts';

export interface SearchesState {
  /** Searches that run: the message that pays for each, by call. */
  readonly running: Record<string, string>;
  /** How many each message has made. */
  readonly made: Record<string, number>;
}

const REMEMBERED = 50;

/** Web searches of the program's own tool: the usage of the message says none, the results say how many. */
export class WebSearches {
  private readonly kept: SearchesState;

  constructor(kept: SearchesState) {
    this.kept = kept;
  }

  state(): SearchesState {
    const newest = <T>(map: Record<string, T>) => Object.fromEntries(Object.entries(map).slice(-REMEMBERED));
    return { running: newest(this.kept.running), made: newest(this.kept.made) };
  }

  /** Notes the searches that an assistant's record begins. */
  note(record: Fields): void {
    const message = fields(record.message);
    const key = text(message.id);
    if (key === undefined) return;
    for (const raw of list(message.content)) {
      const block = fields(raw);
      const id = text(block.id);
      if (block.type === 'tool_use' && block.name === 'WebSearch' && id !== undefined) this.kept.running[id] = key;
    }
  }

  /** The call that pays for a finished search, with all it has made; undefined where it is not known. */
  count(callId: string, searches: number): Pick<Call, 'key' | 'webSearches'> | undefined {
    const key = this.kept.running[callId];
    if (key === undefined) return undefined;
    delete this.kept.running[callId];
    const made = (this.kept.made[key] ?? 0) + searches;
    this.kept.made[key] = made;
    return { key, webSearches: made };
  }
}
