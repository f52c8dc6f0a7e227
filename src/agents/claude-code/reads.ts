import { type Fields, fields, list, text } from '../fields.ts';

/** Ids of calls of the reading tool that wait for their result. */
export type ReadsState = string[];

const READING_TOOL = 'Read';
const MOST_WAITING = 100;

/** Knows which results are those of the reading tool: their lines are numbered. */
export class Reads {
  private readonly waiting: ReadsState;

  constructor(waiting: ReadsState) {
    this.waiting = waiting;
  }

  /** Notes the calls that an assistant's record makes. */
  note(record: Fields): void {
    for (const raw of list(fields(record.message).content)) {
      const block = fields(raw);
      const id = text(block.id);
      if (block.type === 'tool_use' && block.name === READING_TOOL && id !== undefined) this.waiting.push(id);
    }
    if (this.waiting.length > MOST_WAITING) this.waiting.splice(0, this.waiting.length - MOST_WAITING);
  }

  /** Whether a result is one of the reading tool: by its call, or by what the program notes of it. */
  isResult(callId: string, told: Fields): boolean {
    const index = this.waiting.indexOf(callId);
    if (index >= 0) this.waiting.splice(index, 1);
    return index >= 0 || (told.type === 'text' && typeof fields(told.file).content === 'string');
  }
}
