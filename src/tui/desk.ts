import type { Resume } from '../agents/source.ts';
import { safeText } from '../render/safe.ts';
import { commandLine, shellOf } from '../render/shell.ts';
import type { Style } from '../render/style.ts';
import { WHY_NOT } from '../search/transcripts/resume.ts';
import { copyText } from './clipboard.ts';
import type { Item } from './item.ts';
import { layoutOf } from './layout.ts';
import type { Library } from './library.ts';
import { Document } from './reader/document.ts';
import { locate, type Target } from './reader/find.ts';
import type { Reader } from './reader/reader.ts';
import type { Copied, Event, Picker } from './state.ts';
import { readerStyle } from './update.ts';

export interface DeskOptions {
  readonly style: Style;
  /** The time, epoch milliseconds. */
  readonly now: () => number;
  readonly variables: NodeJS.ProcessEnv;
  /** Sends a sequence to the terminal that shows nothing. */
  readonly send: (sequence: string) => void;
}

/** The key that unfolds. */
const UNFOLD = 'o';
/** Lines of a preview above the match. */
const ABOVE_MATCH = 2;

/** What is done with an item: shown, opened, copied, starred, taken up again. Each gives the event that tells of it. */
export class Desk {
  private readonly library: Library;
  private readonly options: DeskOptions;

  constructor(library: Library, options: DeskOptions) {
    this.library = library;
    this.options = options;
  }

  preview(picker: Picker, item: Item): Event | undefined {
    const area = layoutOf(picker.size, true).preview;
    const target = this.target(item);
    if (!area || !target) return undefined;
    const document = this.document({ ...item, turn: target.turn }, 'turn', area.columns + 1);
    const matcher = picker.answer?.matcher;
    const { at, folds } = locate(document, target, matcher, { all: 'some', own: new Map() });
    // From the turn's beginning on, where the match is then in sight too.
    const isNear = at.page === 0 && at.line < area.rows - 2 * ABOVE_MATCH;
    const top = isNear ? document.first : document.step(at, -ABOVE_MATCH, folds);
    return { type: 'previewed', preview: { item, document, folds, top, ...(matcher && { matcher }) } };
  }

  open(picker: Picker, item: Item, scope: 'session' | 'turn'): Event {
    const document = this.document(item, scope, picker.size.columns);
    const target = this.target(item);
    const matcher = picker.answer?.matcher;
    return {
      type: 'opened',
      opening: { item, scope, document, ...(target && { target }), ...(matcher && { matcher }) },
    };
  }

  /** What is being read, as it is now. */
  reread({ item, scope, document }: Reader): Event {
    const columns = document.options.style.width + 1;
    return { type: 'reread', before: document, document: this.document(item, scope, columns) };
  }

  star(item: Item): Event {
    return { type: 'starred', id: item.id, isStarred: this.library.toggleStar(item, this.options.now()) };
  }

  /** The command that takes the item's session up again, or why there is none. */
  resume(item: Item): Resume | Event {
    const found = this.library.resumption(item);
    if (!found.can) return cannot(found.why);
    if (!found.gone) return found.command;
    const { repository } = found.gone;
    const where = repository === undefined ? '' : ` It was a worktree of ${repository}.`;
    return told(`The folder is gone: ${found.command.cwd}.${where} The command can be copied.`, true);
  }

  copy(item: Item, what: Copied): Event {
    const text = this.copied(item, what);
    if (typeof text !== 'string') return text;
    // What is pasted into a shell must not hold what a terminal obeys.
    const done = copyText(safeText(text), this.options.send, this.options.variables);
    const named = { command: 'The command', id: 'The id', text: 'The text' }[what];
    if (done === 'too long') return told(`${named} is too long for this terminal’s clipboard.`, true);
    return told(`${named} was ${done === 'copied' ? 'copied' : 'sent to the terminal’s clipboard'}.`);
  }

  private copied(item: Item, what: Copied): string | Event {
    switch (what) {
      case 'id':
        return item.id;
      case 'text':
        return this.library.textOf(item);
      case 'command': {
        const found = this.library.resumption(item);
        return found.can ? commandLine(found.command, shellOf(this.options.variables)) : cannot(found.why);
      }
    }
  }

  private document(item: Item, scope: 'session' | 'turn', columns: number): Document {
    const style = readerStyle({ ...this.options.style, unfold: UNFOLD }, columns);
    const cwd = item.cwd === undefined ? {} : { cwd: item.cwd };
    return new Document(this.library.pages(item, scope), { style, now: this.options.now(), ...cwd });
  }

  private target(item: Item): Target | undefined {
    const turn = item.turn ?? this.library.lastTurn(item);
    return turn === undefined ? undefined : { turn, ...(item.line !== undefined && { line: item.line }) };
  }
}

function cannot(why: keyof typeof WHY_NOT): Event {
  return told(`It cannot be resumed: ${WHY_NOT[why]}.`, true);
}

function told(text: string, isError = false): Event {
  return { type: 'told', message: { text, isError } };
}
