import { existsSync } from 'node:fs';
import type { ReadStream } from 'node:tty';
import type { Resume } from '../agents/source.ts';
import type { Home } from '../home/paths.ts';
import { safeText } from '../render/safe.ts';
import type { Style } from '../render/style.ts';
import { Matcher } from '../search/matcher.ts';
import { parseQuery } from '../search/parse.ts';
import { copyText } from './clipboard.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';
import { layoutOf } from './layout.ts';
import { Library } from './library.ts';
import { asTyped, isListing, isTooShort, starredPart } from './query-text.ts';
import { Document } from './reader/document.ts';
import { locate, type Target } from './reader/find.ts';
import type { FromSeeker, Question } from './seeker.ts';
import { Seeking } from './seeking.ts';
import type { Answer, Copied, Effect, Event, Message, Next, Picker } from './state.ts';
import { type Output, Terminal } from './terminal.ts';
import { opened, readerStyle, update } from './update.ts';
import { screenOf } from './view/screen.ts';

export interface PickContext {
  readonly home: Home;
  readonly cwd: string;
  readonly variables: NodeJS.ProcessEnv;
  readonly stdin: ReadStream;
  readonly stdout: Output;
  readonly style: Style;
  /** The command of a resumption as one line for a shell. */
  readonly asShell: (resume: Resume) => string;
}

/** How the picker was left. */
export type Picked =
  | { readonly type: 'left'; readonly code: number }
  | { readonly type: 'resume'; readonly command: Resume };

/** Titles are shown where searching takes longer than this. */
const TITLES_MS = 15;
const UNFOLD = 'o';

/** Opens the picker on a terminal; undefined where nothing was indexed. */
export async function pick(context: PickContext): Promise<Picked | undefined> {
  const library = Library.open(context.home);
  if (!library) return undefined;
  if (library.isEmpty) {
    library.close();
    return undefined;
  }
  const session = new Session(context, library);
  try {
    return await session.run();
  } finally {
    session.close();
  }
}

/** The picker while it runs: gives events to the state machine, does what it asks for, draws what it shows. */
class Session {
  private readonly context: PickContext;
  private readonly library: Library;
  private readonly terminal: Terminal;
  private readonly seeking: Seeking;
  private readonly ended = Promise.withResolvers<Picked>();
  private picker!: Picker;
  private asked: Question | undefined;
  private titles: NodeJS.Timeout | undefined;

  constructor(context: PickContext, library: Library) {
    this.context = context;
    this.library = library;
    this.terminal = new Terminal(context.stdin, context.stdout, {
      keys: (keys) => this.pressed(keys),
      resized: (size) => this.happened({ type: 'resized', size }),
      resumed: () => this.happened({ type: 'resized', size: this.terminal.size }),
    });
    const { home, cwd, variables } = context;
    this.seeking = new Seeking({ home, cwd, variables: { ...variables } }, (message) => this.heard(message));
  }

  run(): Promise<Picked> {
    this.terminal.open();
    this.follow(opened(this.terminal.size, '', this.library.projectAt(this.context.cwd)));
    return this.ended.promise;
  }

  close(): void {
    clearTimeout(this.titles);
    this.terminal.close();
    this.seeking.close();
    this.library.close();
  }

  /** Keys that came together are one step: a held arrow key loads no preview that it passes. */
  private pressed(keys: readonly Key[]): void {
    const effects: Effect[] = [];
    for (const key of keys) {
      const next = update(this.picker, { type: 'key', key });
      this.picker = next.picker;
      effects.push(...next.effects);
    }
    const last = new Map(effects.map((effect) => [effect.type, effect]));
    this.follow({ picker: this.picker, effects: effects.filter((effect) => isKept(effect, last)) });
  }

  private happened(event: Event): void {
    this.follow(update(this.picker, event));
  }

  private follow({ picker, effects }: Next): void {
    this.picker = picker;
    for (const effect of effects) this.attempt(effect);
    this.draw();
  }

  private draw(): void {
    const { style } = this.context;
    const { columns } = this.picker.size;
    this.terminal.draw(screenOf(this.picker, { ...style, width: columns }, Date.now()), style);
  }

  private attempt(effect: Effect): void {
    try {
      this.perform(effect);
    } catch (error) {
      this.tell({ text: error instanceof Error ? error.message : String(error), isError: true });
    }
  }

  private perform(effect: Effect): void {
    switch (effect.type) {
      case 'ask':
        return this.ask(effect);
      case 'facets':
        return this.happened({
          type: 'counted',
          number: effect.number,
          facets: this.library.facets(effect.text, Date.now()),
        });
      case 'preview':
        return this.preview(effect.item);
      case 'open':
        return this.open(effect.item, effect.scope);
      case 'resume':
        return this.resume(effect.item);
      case 'copy':
        return this.copy(effect.item, effect.what);
      case 'star':
        return this.happened({
          type: 'starred',
          id: effect.item.id,
          isStarred: this.library.toggleStar(effect.item, Date.now()),
        });
      case 'scan':
        // Keys that wait are heard first.
        setImmediate(() => this.happened({ type: 'scanned' }));
        return;
      case 'suspend':
        return this.terminal.stop();
      case 'quit':
        return this.ended.resolve({ type: 'left', code: effect.code });
    }
  }

  private ask({ number, text, limit }: Question): void {
    clearTimeout(this.titles);
    this.asked = { number, text, limit };
    const now = Date.now();
    const { isStarred, rest } = starredPart(text);
    if (isStarred && rest === '') return this.answer({ ...this.library.starred(now), kind: 'stars', isPartial: false });
    if (!isStarred && (isListing(text) || isTooShort(text))) {
      this.seeking.drop();
      const kind = isListing(text) ? 'sessions' : 'titles';
      return this.answer({ ...this.library.sessions(text, limit, now), kind, isPartial: false });
    }
    this.seeking.ask({ number, text: this.library.seekable(asTyped(text)), limit });
    const { answer } = this.picker;
    if (isStarred || (answer?.text === text && answer.kind === 'turns')) return;
    this.titles = setTimeout(() => {
      this.answer({ ...this.library.sessions(text, limit, Date.now()), kind: 'titles', isPartial: true });
    }, TITLES_MS);
  }

  /** Shows an answer to the question that was asked last. */
  private answer(found: Omit<Answer, 'number' | 'text' | 'limit'>): void {
    if (!this.asked) return;
    const { number, text, limit } = this.asked;
    this.happened({ type: 'answered', answer: { ...found, number, text, limit } });
  }

  private heard(message: FromSeeker): void {
    if (message.type === 'refreshed') return this.happened({ type: 'refreshed' });
    if (message.number !== this.asked?.number) return;
    clearTimeout(this.titles);
    if (message.type === 'failed') return this.tell({ text: message.reason, isError: true });
    this.answer({ ...this.library.found(this.asked.text, message.result), kind: 'turns', isPartial: false });
  }

  private document(item: Item, scope: 'session' | 'turn', columns: number): Document {
    const style = readerStyle({ ...this.context.style, unfold: UNFOLD }, columns);
    const cwd = item.cwd === undefined ? {} : { cwd: item.cwd };
    return new Document(this.library.pages(item, scope), { style, now: Date.now(), ...cwd });
  }

  private target(item: Item): Target | undefined {
    const turn = item.turn ?? this.library.lastTurn(item);
    return turn === undefined ? undefined : { turn, ...(item.line !== undefined && { line: item.line }) };
  }

  /** Finds the words that were looked for; undefined where there were none. */
  private matcher(): Matcher | undefined {
    const { rest } = starredPart(this.picker.query.text);
    return isListing(rest) ? undefined : new Matcher(parseQuery(asTyped(rest), Date.now()));
  }

  private preview(item: Item): void {
    const area = layoutOf(this.picker.size, true).preview;
    const target = this.target(item);
    if (!area || !target) return;
    const document = this.document({ ...item, turn: target.turn }, 'turn', area.columns + 1);
    const matcher = this.matcher();
    const { at, folds } = locate(document, target, matcher, { all: 'some', own: new Map() });
    // A line above the match says where one is; from the beginning on where that also shows it.
    const context = at.line < area.rows - 4 && at.page === 0 ? document.first : document.step(at, -2, folds);
    this.happened({ type: 'previewed', preview: { item, document, folds, top: context, ...(matcher && { matcher }) } });
  }

  private open(item: Item, scope: 'session' | 'turn'): void {
    const document = this.document(item, scope, this.picker.size.columns);
    const target = this.target(item);
    const matcher = this.matcher();
    this.happened({
      type: 'opened',
      opening: { item, scope, document, ...(target && { target }), ...(matcher && { matcher }) },
    });
  }

  private resume(item: Item): void {
    const command = this.library.resume(item);
    if (!command) return this.tell({ text: 'It cannot be resumed: the agent’s own file is gone.', isError: true });
    if (command.cwd !== undefined && !existsSync(command.cwd))
      return this.tell({ text: `The folder is gone: ${command.cwd}. The command can be copied.`, isError: true });
    this.ended.resolve({ type: 'resume', command });
  }

  private copy(item: Item, what: Copied): void {
    const text = this.copied(item, what);
    if (text === undefined)
      return this.tell({ text: 'It cannot be resumed: the agent’s own file is gone.', isError: true });
    // What is pasted into a shell must not hold what a terminal obeys.
    const done = copyText(safeText(text), (sequence) => this.terminal.send(sequence), this.context.variables);
    const named = { command: 'The command', id: 'The id', text: 'The text' }[what];
    if (done === 'too long') this.tell({ text: `${named} is too long for this terminal’s clipboard.`, isError: true });
    else this.tell({ text: `${named} was ${done === 'copied' ? 'copied' : 'sent to the terminal’s clipboard'}.` });
  }

  private copied(item: Item, what: Copied): string | undefined {
    switch (what) {
      case 'id':
        return item.id;
      case 'text':
        return this.library.textOf(item);
      case 'command': {
        const command = this.library.resume(item);
        return command && this.context.asShell(command);
      }
    }
  }

  private tell(message: Message): void {
    this.happened({ type: 'told', message });
  }
}

/** Of questions, previews and openings that came together only the last counts. */
function isKept(effect: Effect, last: ReadonlyMap<Effect['type'], Effect>): boolean {
  return (
    !(['ask', 'preview', 'scan', 'facets'] as Effect['type'][]).includes(effect.type) ||
    last.get(effect.type) === effect
  );
}
