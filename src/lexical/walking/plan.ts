import { idfOf, maskOf, WEIGHTS } from '../bm25f.ts';
import type { LexicalQuery, Term } from '../lexical-index.ts';
import type { TermEntry } from '../segments/leaf.ts';
import type { PostingList } from '../segments/posting-list.ts';
import type { Segment } from '../segments/segment.ts';
import { isPattern, literalBeginning, matchesPattern } from '../words/pattern.ts';
import { termsBeside } from './beside.ts';
import { AllCursor, AnyCursor, ButCursor } from './combine.ts';
import type { Cursor, Scorer } from './cursor.ts';
import { GatheredCursor } from './gathered.ts';
import { PhraseCursor, PlacesOfAny } from './phrase.ts';
import type { PlacesCursor } from './places.ts';
import { PostingsCursor } from './postings-cursor.ts';

/** A word, or the words with a beginning: what each segment has of them, and how many passages hold one at most. */
interface Found {
  readonly entries: readonly (readonly TermEntry[])[];
  readonly documents: number;
}

/** So many terms are worth a look at which of them matter. */
const MANY = 64;

/** Looks up the words of a query in all segments, so that a word weighs the same in each; then gives cursors. */
export class Plan {
  private readonly segments: readonly Segment[];
  private readonly norms: Float64Array;
  private readonly documents: number;
  private readonly known = new Map<string, Found>();
  /** Where each term's postings lie, which is read once however often a query asks for them. */
  private readonly lists = new Map<TermEntry, PostingList>();
  private looked = 0;

  constructor(segments: readonly Segment[], documents: number, norms: Float64Array) {
    this.segments = segments;
    this.documents = documents;
    this.norms = norms;
  }

  /** What a query walks in the segment at an index; undefined where nothing in it matches. */
  cursor(query: LexicalQuery, segment: number): Cursor | undefined {
    switch (query.type) {
      case 'term': {
        const mask = maskOf(query.fields);
        const weights = WEIGHTS.map((weight, field) => (mask & (1 << field) ? weight : 0));
        const ways = query.term.alternatives.flatMap(
          (tokens) => this.sequence(tokens, query.term, weights, segment) ?? [],
        );
        return ways.length > 1 ? new AnyCursor(ways) : ways[0];
      }
      case 'all': {
        const parts = this.allParts(query.of, segment);
        return parts && parts.length > 1 ? new AllCursor(parts) : parts?.[0];
      }
      case 'any': {
        const parts = this.parts(query.of, segment);
        return parts.length > 1 ? new AnyCursor(parts) : parts[0];
      }
      case 'but': {
        const of = this.cursor(query.of, segment);
        const not = of && this.cursor(query.not, segment);
        return not ? new ButCursor(of, not) : of;
      }
    }
  }

  /** The cursors of those that have one. */
  parts(queries: readonly LexicalQuery[], segment: number): Cursor[] {
    return queries.flatMap((query) => this.cursor(query, segment) ?? []);
  }

  /** The cursors of all; undefined where one has none. */
  allParts(queries: readonly LexicalQuery[], segment: number): Cursor[] | undefined {
    if (!queries.every((query) => this.mayMatch(query, segment))) return undefined;
    const parts: Cursor[] = [];
    for (const query of queries) {
      const part = this.cursor(query, segment);
      if (!part) return undefined;
      parts.push(part);
    }
    return parts;
  }

  /** Whether the words of a query are in a segment: known before any of their postings is read. */
  private mayMatch(query: LexicalQuery, segment: number): boolean {
    switch (query.type) {
      case 'term': {
        const { alternatives, prefix } = query.term;
        return alternatives.some((tokens) =>
          tokens.every((token, i) => this.find(token, prefix && i === tokens.length - 1).entries[segment]!.length > 0),
        );
      }
      case 'all':
        return query.of.every((of) => this.mayMatch(of, segment));
      case 'any':
        return query.of.some((of) => this.mayMatch(of, segment));
      case 'but':
        return this.mayMatch(query.of, segment);
    }
  }

  private sequence(
    tokens: readonly string[],
    { prefix }: Term,
    weights: readonly number[],
    segment: number,
  ): Cursor | undefined {
    const found = tokens.map((token, i) => this.find(token, prefix && i === tokens.length - 1));
    const [only] = found;
    if (!only) return undefined;
    const scorer: Scorer = { norms: this.norms, lengths: this.segments[segment]!.lengths };
    // Words that follow each other tell no more than one that stands in a single passage.
    const sum = found.reduce((all, { documents }) => all + idfOf(this.documents, documents), 0);
    const idf = Math.min(sum, idfOf(this.documents, 1));
    if (found.some(({ entries }) => entries[segment]!.length === 0)) return undefined;
    const at = this.segments[segment]!;
    const cursor = (entry: TermEntry) =>
      new PostingsCursor(this.list(at, entry), entry.documents, weights, scorer, idf);
    if (found.length > 1) {
      const lists = found.map(({ entries }) => entries[segment]!);
      const others = lists.filter((entries) => entries.length === 1).map(([entry]) => cursor(entry!));
      const terms: PlacesCursor[] = [];
      for (const entries of lists) {
        const near = entries.length > MANY && others.length > 0 ? termsBeside(at, entries, others) : entries;
        if (near.length === 0) return undefined;
        const cursors = near.map(cursor);
        terms.push(cursors.length > 1 ? new PlacesOfAny(cursors) : cursors[0]!);
      }
      return new PhraseCursor(terms, weights, scorer, idf);
    }
    const entries = only.entries[segment]!;
    return entries.length > 1 ? new GatheredCursor(at, entries, weights, scorer, idf) : cursor(entries[0]!);
  }

  private list(segment: Segment, entry: TermEntry): PostingList {
    let list = this.lists.get(entry);
    if (!list) {
      list = segment.list(entry);
      this.lists.set(entry, list);
    }
    return list;
  }

  private find(token: string, isBeginning: boolean): Found {
    const key = isBeginning ? `${token}*` : token;
    let found = this.known.get(key);
    if (!found) {
      const entries = this.segments.map((segment) =>
        isPattern(key) ? this.matching(segment, key) : this.one(segment, key),
      );
      const documents = entries.flat().reduce((sum, entry) => sum + entry.documents, 0);
      found = { entries, documents };
      this.known.set(key, found);
    }
    return found;
  }

  private one(segment: Segment, token: string): readonly TermEntry[] {
    const entry = segment.find(token);
    return entry ? [entry] : [];
  }

  private matching(segment: Segment, pattern: string): readonly TermEntry[] {
    const beginning = literalBeginning(pattern);
    const isPlainBeginning = beginning.length === pattern.length - 1 && pattern.endsWith('*');
    const bytes = ENCODER.encode(beginning);
    if (isPlainBeginning) return segment.beginningWith(bytes);
    return segment.beginningWith(
      bytes,
      // A pattern that begins with a wildcard may ask for every term there is.
      (term) => this.looked++ < MOST_LOOKED_AT && matchesPattern(Buffer.from(term).toString(), pattern),
    );
  }
}

const ENCODER = new TextEncoder();
/** Terms that the patterns of a query are held against. */
const MOST_LOOKED_AT = 500_000;
