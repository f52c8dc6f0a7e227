import type { ReadStream } from 'node:tty';
import { loadedModules } from '../agents/own-sources.ts';
import type { Resume } from '../agents/source.ts';
import type { Home } from '../home/paths.ts';
import { currentRedaction } from '../redact/redact.ts';
import type { Style } from '../render/style.ts';
import { Desk } from './desk.ts';
import type { Key } from './keys.ts';
import { type Found, Library } from './library.ts';
import { isStarList, isTooShort } from './query-text.ts';
import { isListing, matcherOf, queryOf } from './question.ts';
import type { FromSeeker, Question } from './seeker.ts';
import { Seeking } from './seeking.ts';
import type { Answer, Effect, Event, Next, Picker } from './state.ts';
import { type Output, Terminal } from './terminal.ts';
import { opened, type Start, update } from './update.ts';
import { screenOf } from './view/screen.ts';

export interface PickContext {
  readonly home: Home;
  readonly cwd: string;
  readonly variables: NodeJS.ProcessEnv;
  readonly stdin: ReadStream;
  readonly stdout: Output;
  readonly style: Style;
  /** What to open with: words, or the id of a session (and the number of a turn). */
  readonly start?: { readonly words: string } | { readonly session: string; readonly turn?: number };
  /** Is told how old the index is, when there is something to look at. */
  readonly opened: (lagMs: number | null) => void;
}

/** How the picker was left. */
export type Picked =
  | { readonly type: 'left'; readonly code: number }
  | { readonly type: 'resume'; readonly command: Resume };

/** Titles are shown where searching takes longer than this. */
const TITLES_MS = 15;
/** Of these, what came together is done once: the last. */
const LAST_COUNTS: ReadonlySet<Effect['type']> = new Set(['ask', 'preview', 'facets', 'scan']);

/** Opens the picker on a terminal. @throws where nothing was indexed */
export async function pick(context: PickContext): Promise<Picked> {
  const library = Library.open(context.home);
  const running = new Running(context, library);
  try {
    return await running.ended;
  } finally {
    running.close();
  }
}

/** The picker at work: gives events to the state machine, does what that asks for, draws what it shows. */
class Running {
  readonly ended: Promise<Picked>;
  private readonly end: (picked: Picked) => void;
  private readonly style: Style;
  private readonly cwd: string;
  private readonly user: string | undefined;
  private readonly library: Library;
  private readonly terminal: Terminal;
  private readonly desk: Desk;
  private readonly seeking: Seeking;
  private picker: Picker;
  private asked: Question | undefined;
  private titles: NodeJS.Timeout | undefined;
  private isLeft = false;

  constructor(context: PickContext, library: Library) {
    const { home, cwd, variables, style, stdin, stdout } = context;
    const { promise, resolve } = Promise.withResolvers<Picked>();
    this.ended = promise;
    this.end = resolve;
    this.style = style;
    this.cwd = cwd;
    this.user = variables.HOME;
    this.library = library;
    this.terminal = new Terminal(stdin, stdout, {
      keys: (keys) => this.safely(() => this.pressed(keys)),
      resized: (size) => this.happened({ type: 'resized', size }),
      resumed: () => this.happened({ type: 'resized', size: this.terminal.size }),
    });
    this.desk = new Desk(library, {
      style,
      now: Date.now,
      variables,
      send: (sequence) => this.terminal.send(sequence),
    });
    const data = { home, variables: { ...variables }, redaction: currentRedaction(), modules: loadedModules() };
    this.seeking = new Seeking(data, (message) => this.heard(message));
    this.terminal.open();
    const first = opened(this.terminal.size, startOf(context.start, library));
    this.picker = first.picker;
    this.follow(first);
    this.seeking.start();
    const { answer } = this.picker;
    if (answer) context.opened(answer.lagMs ?? null);
  }

  close(): void {
    this.isLeft = true;
    clearTimeout(this.titles);
    this.terminal.close();
    this.seeking.close();
    this.library.close();
  }

  /** Of what keys ask for that came together, searches and previews are done once: a held arrow key loads none that it passes. */
  private pressed(keys: readonly Key[]): void {
    const last = new Map<Effect['type'], Effect>();
    for (const key of keys) {
      const next = update(this.picker, { type: 'key', key });
      this.picker = next.picker;
      for (const effect of next.effects)
        if (LAST_COUNTS.has(effect.type)) last.set(effect.type, effect);
        else this.settle([effect]);
    }
    this.follow({ picker: this.picker, effects: [...last.values()] });
  }

  /** Takes a step for what happened elsewhere; when the picker was left nothing happens any more. */
  private happened(event: Event): void {
    if (!this.isLeft) this.follow(update(this.picker, event));
  }

  /** Takes a step, does what comes of it, and shows where that leads. */
  private follow(next: Next): void {
    this.picker = next.picker;
    this.settle(next.effects);
    const style = { ...this.style, width: this.picker.size.columns };
    this.terminal.draw(screenOf(this.picker, style, Date.now()), style);
  }

  private settle(effects: readonly Effect[]): void {
    const waiting = [...effects];
    for (let effect = waiting.shift(); effect; effect = waiting.shift()) {
      const event = this.attempt(effect);
      if (!event) continue;
      const step = update(this.picker, event);
      this.picker = step.picker;
      waiting.push(...step.effects);
    }
  }

  private attempt(effect: Effect): Event | undefined {
    try {
      return this.perform(effect);
    } catch (error) {
      return { type: 'told', message: { text: messageOf(error), isError: true } };
    }
  }

  /** Does what is asked for; what comes of it at once is an event. */
  private perform(effect: Effect): Event | undefined {
    switch (effect.type) {
      case 'ask':
        return this.ask(effect);
      case 'facets':
        return {
          type: 'counted',
          number: effect.number,
          facets: this.library.facets(effect.text, Date.now()),
        };
      case 'complete':
        return { type: 'offered', completing: this.library.complete(effect.line) };
      case 'preview':
        return this.desk.preview(this.picker, effect.item);
      case 'open':
        return this.desk.open(this.picker, effect.item, effect.scope);
      case 'reread':
        return this.desk.reread(effect.reader);
      case 'copy':
        return this.desk.copy(effect.item, effect.what);
      case 'star':
        return this.desk.star(effect.item);
      case 'resume': {
        const command = this.desk.resume(effect.item);
        if ('type' in command) return command;
        this.end({ type: 'resume', command });
        return undefined;
      }
      case 'locate':
        return { type: 'located', project: this.library.projectAt(this.cwd, this.user) };
      case 'scan':
        // Keys that wait are heard first.
        setImmediate(() => this.happened({ type: 'scanned' }));
        return undefined;
      case 'match':
        this.seeking.match(effect.session, effect.text);
        return undefined;
      case 'suspend':
        this.terminal.stop();
        return undefined;
      case 'quit':
        this.end({ type: 'left', code: effect.code });
        return undefined;
    }
  }

  /** Answers at once what needs no search; else the seeker is asked, and titles are shown where it takes long. */
  private ask(question: Question): Event | undefined {
    clearTimeout(this.titles);
    this.asked = question;
    const { text, limit } = question;
    const now = Date.now();
    if (isStarList(text)) return answered(question, this.library.starred(now), 'stars');
    const isList = isListing(queryOf(text, now));
    if (isList || isTooShort(text)) {
      this.seeking.drop();
      return answered(question, this.library.sessions(text, limit, now), isList ? 'sessions' : 'titles');
    }
    this.seeking.ask(question);
    const { answer } = this.picker;
    const isShown = answer?.text === text && answer.kind === 'turns';
    if (!isShown) this.titles = setTimeout(() => this.safely(() => this.showTitles(question)), TITLES_MS);
    return undefined;
  }

  private showTitles(question: Question): void {
    const found = this.library.sessions(question.text, question.limit, Date.now());
    this.happened(answered(question, found, 'titles', true));
  }

  private heard(message: FromSeeker): void {
    this.safely(() => this.hear(message));
  }

  /** What cannot be done is told: nobody is there to catch what a timer or a thread's answer throws. */
  private safely(act: () => void): void {
    if (this.isLeft) return;
    try {
      act();
    } catch (error) {
      this.happened({ type: 'told', message: { text: messageOf(error), isError: true } });
    }
  }

  private hear(message: FromSeeker): void {
    if (message.type === 'refreshed') this.happened({ type: 'refreshed' });
    else if (message.type === 'matched') this.happened(message);
    else if (message.number === this.asked?.number) {
      clearTimeout(this.titles);
      this.happened(
        message.type === 'failed'
          ? { type: 'failed', number: message.number, reason: message.reason }
          : answered(this.asked, this.library.found(message.result), 'turns'),
      );
    }
  }
}

function startOf(start: PickContext['start'], library: Library): Start {
  if (start === undefined) return { type: 'search', text: '' };
  if ('words' in start) return { type: 'search', text: start.words };
  return { type: 'read', item: library.itemNamed(start.session, start.turn) };
}

function answered({ number, text, limit }: Question, found: Found, kind: Answer['kind'], isPartial = false): Event {
  const matcher = matcherOf(text, Date.now(), found.also);
  return { type: 'answered', answer: { ...found, number, text, limit, kind, isPartial, ...(matcher && { matcher }) } };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
