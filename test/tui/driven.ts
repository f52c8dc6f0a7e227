import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { openForReading } from '../../src/holdings/opening.ts';
import type { Stores } from '../../src/holdings/stores.ts';
import { homeOf } from '../../src/home/paths.ts';
import { Desk } from '../../src/tui/desk.ts';
import { KeyReader } from '../../src/tui/keys.ts';
import { Library } from '../../src/tui/library.ts';
import { Painter, type Size } from '../../src/tui/paint.ts';
import { isStarList, isTooShort } from '../../src/tui/query-text.ts';
import { isListing, matcherOf, queryOf } from '../../src/tui/question.ts';
import { found, turnsFound } from '../../src/tui/seeker.ts';
import { type Answer, type Effect, type Event, FIRST_ITEMS, type Next, type Picker } from '../../src/tui/state.ts';
import { opened, update } from '../../src/tui/update.ts';
import { screenOf } from '../../src/tui/view/screen.ts';
import { newUser, type User } from '../search/program.ts';
import { Screen } from '../support/pty.ts';

export const NOW = Date.parse('2026-11-30T13:00:00Z');

/** A user with the sample's history, indexed. */
export async function sampleUser(): Promise<User> {
  const user = newUser();
  cpSync(join(import.meta.dirname, '../../sample'), user.home, { recursive: true, preserveTimestamps: true });
  await user.json('index');
  return user;
}

/** The picker without a terminal: every effect is done at once, searches too, and what it took is always the same. */
export class Driven {
  readonly effects: Effect[] = [];
  readonly sent: string[] = [];
  picker: Picker;
  private readonly library: Library;
  private readonly stores: Stores;
  private readonly desk: Desk;
  private readonly color: boolean;
  private readonly keys = new KeyReader();

  constructor(user: User, size: Size, options: { color?: boolean } = {}) {
    const home = homeOf(user.env);
    this.color = options.color ?? false;
    this.library = Library.open(home);
    this.stores = openForReading(home)!;
    this.desk = new Desk(this.library, {
      style: this.style(size),
      now: () => NOW,
      variables: {},
      send: (sequence) => this.sent.push(sequence),
    });
    const first = opened(size);
    this.picker = first.picker;
    this.follow(first);
  }

  private style({ columns }: Size) {
    return { color: this.color, attributes: this.color, width: columns, unicode: true };
  }

  /** What a terminal would send. */
  type(sent: string): this {
    for (const key of [...this.keys.read(sent), ...this.keys.settle()]) this.happened({ type: 'key', key });
    return this;
  }

  happened(event: Event): void {
    this.follow(update(this.picker, event));
  }

  private follow(next: Next): void {
    this.picker = next.picker;
    for (const effect of next.effects) {
      this.effects.push(effect);
      const event = this.perform(effect);
      if (event) this.happened(event);
    }
  }

  private perform(effect: Effect): Event | undefined {
    switch (effect.type) {
      case 'ask': {
        const { number, text, limit } = effect;
        const answer = this.answer(text, limit);
        const matcher = matcherOf(text, NOW, answer.also);
        const asked = { number, text, limit, isPartial: false, ...(matcher && { matcher }) };
        return { type: 'answered', answer: { ...asked, ...answer } };
      }
      case 'facets':
        return { type: 'counted', number: effect.number, facets: this.library.facets(effect.text, NOW) };
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
      case 'locate':
        return { type: 'located', project: this.library.projectAt('/home/dev/projects/harbor-api/src', '/home/dev') };
      case 'match':
        return {
          type: 'matched',
          session: effect.session,
          turns: turnsFound(this.stores, effect.session, effect.text, NOW),
        };
      case 'scan':
        return { type: 'scanned' };
      default:
        return undefined;
    }
  }

  private answer(text: string, limit: number): Omit<Answer, 'number' | 'text' | 'limit' | 'isPartial' | 'matcher'> {
    const pinned = { tookMs: 1, lagMs: 120_000 };
    if (isStarList(text)) return { ...this.library.starred(NOW), ...pinned, kind: 'stars' };
    const isList = isListing(queryOf(text, NOW));
    if (isList || isTooShort(text)) {
      const kind = isList ? 'sessions' : 'titles';
      return { ...this.library.sessions(text, limit, NOW), ...pinned, kind };
    }
    const result = found(this.stores, { number: 1, text, limit: FIRST_ITEMS }, NOW);
    return { ...this.library.found(result), ...pinned, kind: 'turns' };
  }

  /** The screen as text, drawn by the painter on an empty one. */
  get screen(): string {
    const { size } = this.picker;
    const screen = new Screen(size.rows);
    screen.feed(new Painter().draw(screenOf(this.picker, this.style(size), NOW), this.style(size), size));
    return screen.rows.map((row) => row.trimEnd()).join('\n');
  }

  /** The same with the sequences that colour it. */
  get painted(): string {
    const { size } = this.picker;
    return new Painter().draw(screenOf(this.picker, this.style(size), NOW), this.style(size), size);
  }

  close(): void {
    this.library.close();
    this.stores.close();
  }
}
