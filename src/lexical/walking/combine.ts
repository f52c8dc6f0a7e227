import { type Cursor, collectEach, END, type Window } from './cursor.ts';

/** Goes to the first passage at or after `target` on which all cursors stand; the cheapest lead. */
export function meet(
  cursors: readonly { readonly doc: number; next(target: number): number }[],
  target: number,
): number {
  const lead = cursors[0]!;
  let doc = lead.next(target);
  let i = 1;
  while (i < cursors.length) {
    if (doc === END) return END;
    const at = cursors[i]!.next(doc);
    if (at === doc) i++;
    else {
      doc = lead.next(at);
      i = 1;
    }
  }
  return doc;
}

/** Passages that match all of several parts. */
export class AllCursor implements Cursor {
  doc = -1;
  readonly cost: number;
  private readonly parts: readonly Cursor[];
  private readonly byCost: readonly Cursor[];

  constructor(parts: readonly Cursor[]) {
    this.parts = parts;
    this.byCost = [...parts].sort((a, b) => a.cost - b.cost);
    this.cost = this.byCost[0]!.cost;
  }

  next(target: number): number {
    if (target <= this.doc) return this.doc;
    this.doc = meet(this.byCost, target);
    return this.doc;
  }

  score(): number {
    let score = 0;
    for (const part of this.parts) score += part.score();
    return score;
  }

  bound(from: number, to: number): number {
    if (this.doc >= to) return 0;
    let bound = 0;
    for (const part of this.parts) {
      const most = part.bound(from, to);
      if (most === 0) return 0;
      bound += most;
    }
    return bound;
  }

  collect(from: number, to: number, window: Window): void {
    collectEach(this, from, to, window);
  }
}

/** Passages that match any of several parts; their scores are added. */
export class AnyCursor implements Cursor {
  doc = -1;
  readonly cost: number;
  private readonly parts: readonly Cursor[];

  constructor(parts: readonly Cursor[]) {
    this.parts = parts;
    this.cost = parts.reduce((sum, part) => sum + part.cost, 0);
  }

  next(target: number): number {
    if (target <= this.doc) return this.doc;
    let doc = END;
    for (const part of this.parts) doc = Math.min(doc, part.next(target));
    this.doc = doc;
    return doc;
  }

  score(): number {
    let score = 0;
    for (const part of this.parts) if (part.doc === this.doc) score += part.score();
    return score;
  }

  bound(from: number, to: number): number {
    if (this.doc >= to) return 0;
    let bound = 0;
    for (const part of this.parts) bound += part.bound(from, to);
    return bound;
  }

  collect(from: number, to: number, window: Window): void {
    // What one part passes over another may lift: none of them knows the sum.
    for (const part of this.parts) part.collect(from, to, window, 0);
    this.doc = this.parts.reduce((doc, part) => Math.min(doc, part.doc), END);
  }
}

/** Passages that match one part and not another. */
export class ButCursor implements Cursor {
  doc = -1;
  readonly cost: number;
  private readonly of: Cursor;
  private readonly not: Cursor;

  constructor(of: Cursor, not: Cursor) {
    this.of = of;
    this.not = not;
    this.cost = of.cost;
  }

  next(target: number): number {
    if (target <= this.doc) return this.doc;
    let doc = this.of.next(target);
    while (doc !== END && this.not.next(doc) === doc) doc = this.of.next(doc + 1);
    this.doc = doc;
    return doc;
  }

  score(): number {
    return this.of.score();
  }

  bound(from: number, to: number): number {
    return this.doc >= to ? 0 : this.of.bound(from, to);
  }

  collect(from: number, to: number, window: Window): void {
    collectEach(this, from, to, window);
  }
}
