import { type Literal, LiteralScanner } from './literals.ts';
import type { Label, Rule, Span } from './rule.ts';
import { asSeen, UNSEEN_SIGNS } from './seen.ts';

/** A text without its secrets, and how many were hidden: of what kind and where is told nobody. */
export interface RedactedText {
  readonly text: string;
  readonly count: number;
}

export interface Found extends Span {
  readonly label: Label;
}

/** What a user adds to the rules. */
export interface Additions {
  /** Secrets known by their value; kept in memory only. */
  readonly values?: readonly string[];
  /** Finds what patterns of the user's own match. */
  readonly patterns?: readonly ((text: string) => readonly Span[])[];
  /** What is no secret, although it looks like one: exactly these. */
  readonly allow?: readonly string[];
}

/** No secret that a rule knows is shorter. */
const SHORTEST = 8;
const NONE: readonly Found[] = [];
const SEEN_OTHERWISE = Symbol('seen otherwise');

/** Finds the secrets of texts, by rules and by what a user added to them. */
export class Redactor {
  private readonly rules: readonly Rule[];
  private readonly allow: readonly string[];
  private readonly patterns: NonNullable<Additions['patterns']>;
  private readonly scanner: LiteralScanner;
  /** For each literal the rules that it calls for, the value that it is, or that the text is seen otherwise than written. */
  private readonly calls: (readonly number[] | string | typeof SEEN_OTHERWISE)[] = [];

  constructor(rules: readonly Rule[], additions: Additions = {}) {
    this.rules = rules;
    this.allow = additions.allow ?? [];
    this.patterns = additions.patterns ?? [];
    const literals: Literal[] = [];
    const byLiteral = new Map<string, number[]>();
    rules.forEach((rule, index) => {
      for (const text of rule.literals) {
        const key = `${rule.fold === true}${text}`;
        const known = byLiteral.get(key);
        if (known) known.push(index);
        else {
          const called = [index];
          byLiteral.set(key, called);
          literals.push({ text, fold: rule.fold === true });
          this.calls.push(called);
        }
      }
    });
    for (const text of UNSEEN_SIGNS) {
      literals.push({ text, fold: false });
      this.calls.push(SEEN_OTHERWISE);
    }
    for (const value of additions.values ?? []) {
      literals.push({ text: value, fold: false });
      this.calls.push(value);
    }
    this.scanner = new LiteralScanner(literals);
  }

  /** The text with its secrets replaced by their labels; the very same string where there are none. */
  redact(text: string): RedactedText {
    const found = this.find(text);
    return found.length === 0 ? { text, count: 0 } : replace(text, found);
  }

  /**
   * Where the secrets of a text stand, in order, none overlapping another. It is looked at as it is written, and as it is
   * seen where that differs.
   */
  find(text: string): readonly Found[] {
    if (text.length < SHORTEST)
      return this.patterns.length === 0 ? NONE : merge(this.withoutAllowed(text, this.ofPatterns(text)));
    const { found, isSeenOtherwise } = this.findIn(text);
    const seen = asSeen(text, isSeenOtherwise);
    if (seen)
      for (const { start, end, label } of this.findIn(seen.text).found)
        found.push({ ...seen.place({ start, end }), label });
    return found.length === 0 ? found : merge(this.withoutAllowed(text, found));
  }

  private findIn(text: string): { readonly found: Found[]; readonly isSeenOtherwise: boolean } {
    const found: Found[] = this.ofPatterns(text);
    let isSeenOtherwise = false;
    // Up to where a rule has seen to the text: inside a match it is not tried again.
    let until: Float64Array | undefined;
    this.scanner.scan(text, (literal, at) => {
      const called = this.calls[literal]!;
      if (called === SEEN_OTHERWISE) {
        isSeenOtherwise = true;
        return;
      }
      if (typeof called === 'string') {
        found.push({ start: at, end: at + called.length, label: 'SECRET' });
        return;
      }
      until ??= new Float64Array(this.rules.length);
      for (const index of called) if (at >= until[index]!) until[index] = this.try(index, text, at, found);
    });
    return { found, isSeenOtherwise };
  }

  private ofPatterns(text: string): Found[] {
    if (this.patterns.length === 0) return [];
    return this.patterns.flatMap((match) => match(text).map((span): Found => ({ ...span, label: 'SECRET' })));
  }

  /** Tries a rule at one place; gives up to where it need not be tried again. */
  private try(index: number, text: string, at: number, found: Found[]): number {
    const rule = this.rules[index]!;
    rule.pattern.lastIndex = at;
    const match = rule.pattern.exec(text);
    if (!match) return at;
    const groups = match.groups;
    const end = at + match[0].length;
    const secret = groups?.secret;
    const start = secret === undefined ? at - (groups?.head?.length ?? 0) : end - secret.length;
    const body = groups?.body ?? text.slice(start, end);
    if (body === '' || rule.plausible?.(body, match) === false) return secret === undefined ? end : at;
    const spans = rule.reach
      ? [rule.reach(text, { start, end }) ?? []].flat()
      : [{ start, end: rule.rest ? endOf(rule.rest, text, end) : end }];
    let reached = end;
    for (const span of spans) {
      found.push({ ...span, label: rule.label });
      reached = Math.max(reached, span.end);
    }
    return reached;
  }

  private withoutAllowed(text: string, found: Found[]): Found[] {
    if (this.allow.length === 0) return found;
    return found.filter(({ start, end }) => !this.allow.includes(text.slice(start, end)));
  }
}

function endOf(sticky: RegExp, text: string, at: number): number {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : at;
}

/**
 * Overlapping finds made one, so that nothing is replaced or counted twice: under the label of the longest that has one
 * of its own.
 */
function merge(found: Found[]): Found[] {
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: Found[] = [];
  let weight = 0;
  for (const span of found) {
    const last = merged.at(-1);
    const own = span.label === 'SECRET' ? 0 : span.end - span.start;
    if (!last || span.start >= last.end) {
      merged.push(span);
      weight = own;
      continue;
    }
    const label = own > weight ? span.label : last.label;
    weight = Math.max(weight, own);
    merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end), label };
  }
  return merged;
}

/** The text with stretches of it, in order, replaced by their labels. */
export function replace(text: string, spans: readonly Found[]): RedactedText {
  let out = '';
  let at = 0;
  for (const { start, end, label } of spans) {
    out += `${text.slice(at, start)}[${label}]`;
    at = end;
  }
  return { text: out + text.slice(at), count: spans.length };
}
