import type { Where } from '../../transcript/index.ts';
import { type Fields, text } from '../fields.ts';
import { at, type Conversation } from './conversation.ts';

/** Prompts that wait. */
export type QueueState = string[];

const MOST_WAITING = 10;
/** Longer prompts are remembered in part: the state must stay small. */
const REMEMBERED_OF_A_PROMPT = 4000;

/**
 * What is typed while the agent is busy. The queue gives it up as a prompt (`dequeue`) or hands it to the turn that runs
 * (`remove`): from 2.1.101 on that is written down as an attachment, before that nowhere else, so that the queue alone
 * has the person's words. They stand where they were handed over.
 */
export class PromptQueue {
  private readonly waiting: QueueState;

  constructor(state: QueueState) {
    this.waiting = state;
  }

  operation(record: Fields, where: Where, main: Conversation): void {
    const said = text(record.content)?.trim();
    switch (record.operation) {
      case 'enqueue':
        if (said !== undefined) this.waiting.push(said.slice(0, REMEMBERED_OF_A_PROMPT));
        if (this.waiting.length > MOST_WAITING) this.waiting.shift();
        break;
      case 'dequeue':
        this.waiting.shift();
        break;
      case 'remove': {
        const index = said === undefined ? 0 : this.waiting.indexOf(said.slice(0, REMEMBERED_OF_A_PROMPT));
        const [removed] = index < 0 ? [] : this.waiting.splice(index, 1);
        if (removed !== undefined && isPrompt(removed) && !writesAttachments(main.state.version))
          main.part(record, { type: 'text', role: 'user', text: removed, where, ...at(record) });
        break;
      }
      case 'popAll':
        // Given back to the person, to be edited: it may never be sent.
        for (const said of this.waiting.splice(0))
          if (isPrompt(said)) main.notice(record, 'system', `Taken back from the queue: ${said}`, where);
    }
  }
}

/** A command is told by what it did, a notice of a task by the task. */
const isPrompt = (said: string) => !/^(?:\/|<task-notification>)/.test(said);

function writesAttachments(version: string | undefined): boolean {
  const [major = 0, minor = 0, patch = 0] = (version ?? '').split('.').map(Number);
  return major > 2 || (major === 2 && (minor > 1 || (minor === 1 && patch >= 101)));
}
