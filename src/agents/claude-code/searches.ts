import type { Call } from '../../transcript/index.ts';
import { type Fields, fields, list, text } from '../fields.ts';

export interface SearchesState {
  /** Searches that run: the message that pays for each, by call. */
  readonly running: Readonly<Record<string, string>>;
  /** How many each message has made. */
  readonly made: Readonly<Record<string, number>>;
}

const REMEMBERED = 50;

/** Web searches of the program's own tool: the usage of the message says none, the results say how many. */
export class WebSearches {
  private readonly running: Map<string, string>;
  private readonly made: Map<string, number>;

  constructor(kept: SearchesState) {
    this.running = new Map(Object.entries(kept.running));
    this.made = new Map(Object.entries(kept.made));
  }

  state(): SearchesState {
    const newest = <T>(map: ReadonlyMap<string, T>) => Object.fromEntries([...map].slice(-REMEMBERED));
    return { running: newest(this.running), made: newest(this.made) };
  }

  /** Notes the searches that an assistant's record begins. */
  note(record: Fields): void {
    const message = fields(record.message);
    const key = text(message.id);
    if (key === undefined) return;
    for (const raw of list(message.content)) {
      const block = fields(raw);
      const id = text(block.id);
      if (block.type === 'tool_use' && block.name === 'WebSearch' && id !== undefined) this.running.set(id, key);
    }
  }

  /** The call that pays for a finished search, with all it has made; undefined where it is not known. */
  count(callId: string, searches: number): Pick<Call, 'key' | 'webSearches'> | undefined {
    const key = this.running.get(callId);
    if (key === undefined) return undefined;
    this.running.delete(callId);
    const made = (this.made.get(key) ?? 0) + searches;
    this.made.set(key, made);
    return { key, webSearches: made };
  }
}
