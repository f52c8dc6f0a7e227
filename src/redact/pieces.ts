import { findSecrets } from './redact.ts';
import { type Found, replace } from './redactor.ts';

/** A text is looked at in stretches of this length, in UTF-16 units. */
const STRETCH = 4 << 20;
/** So much of a stretch is looked at again with the next: a secret is not longer. */
const OVERLAP = 256 << 10;

/** Redacts a text that comes in pieces, and is too long to be held. */
export class Pieces {
  secrets = 0;
  private held = '';

  /** Takes a piece; gives what can be handed on. */
  *add(piece: string): Generator<string> {
    this.held += piece;
    while (this.held.length >= STRETCH + OVERLAP) yield this.take(STRETCH);
  }

  /** Takes the last piece; gives what is left. */
  *end(piece: string): Generator<string> {
    yield* this.add(piece);
    if (this.held !== '') yield this.take(this.held.length);
  }

  /** What stands before a place near `at`, redacted: at the end of a line, and never inside a secret. */
  private take(at: number): string {
    const found = findSecrets(this.held);
    const newline = at === this.held.length ? -1 : this.held.lastIndexOf('\n', at);
    const line = newline > at / 2 ? newline + 1 : at;
    const across = found.find(({ start, end }) => start < line && end > line);
    const cut = across ? across.end : line;
    const inside: Found[] = found.filter(({ end }) => end <= cut);
    const { text, count } = replace(this.held.slice(0, cut), inside);
    this.held = this.held.slice(cut);
    this.secrets += count;
    return text;
  }
}
