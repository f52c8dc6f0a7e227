import type { Facets } from '../search/answers/search.ts';
import type { Matcher } from '../search/matching/matcher.ts';
import type { Completing } from './completing.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';
import type { LineEditor } from './line-editor.ts';
import type { Size } from './paint.ts';
import type { Document, Folds, Position } from './reader/document.ts';
import type { Target } from './reader/find.ts';
import type { Opening, Reader } from './reader/reader.ts';

/** All that the picker shows. */
export interface Picker {
  readonly size: Size;
  /** Who gets the keys: the query, the list with keys of one letter, or the facets. */
  readonly focus: 'query' | 'list' | 'facets';
  readonly query: LineEditor;
  /** The number of the last question; an answer to an earlier one is not shown. */
  readonly asked: number;
  readonly answer?: Answer;
  readonly selected: number;
  readonly top: number;
  readonly hasPreview: boolean;
  readonly preview?: Preview;
  readonly facet: FacetPlace;
  readonly isHelping: boolean;
  /** The next key says what is copied. */
  readonly isCopying: boolean;
  /** What Tab offers for the word at the cursor. */
  readonly completing?: Completing;
  /** A key that was pressed before the answer to what was typed: it is meant for what that finds. */
  readonly waiting?: Key;
  readonly message?: Message;
  /** Items that came since the last key. */
  readonly fresh?: number;
  readonly reader?: Reader;
  /** A session was asked for and not the picker: leaving the reader leaves all. */
  readonly isReaderAlone?: boolean;
}

export interface Message {
  readonly text: string;
  readonly isError?: boolean;
}

/** What was found for a question. */
export interface Answer {
  readonly number: number;
  readonly text: string;
  readonly kind: 'sessions' | 'titles' | 'turns' | 'stars';
  /** Better is still to come. */
  readonly isPartial: boolean;
  readonly items: readonly Item[];
  readonly total: number;
  readonly isAtLeast: boolean;
  readonly limit: number;
  readonly tookMs: number;
  /** How old the index is; absent where nothing was ever read. */
  readonly lagMs?: number;
  /** What of the history was not searched, in a few words. */
  readonly shortfall?: string;
  readonly facets?: Facets;
  /** Words that were looked for although nobody typed them. */
  readonly also?: readonly string[];
  /** Finds the words that were looked for. */
  readonly matcher?: Matcher;
  readonly warnings: readonly string[];
}

export interface Preview {
  readonly matcher?: Matcher;
  readonly item: Item;
  readonly document: Document;
  readonly folds: Folds;
  readonly top: Position;
}

export const FACETS = ['source', 'project', 'month'] as const;
export type Facet = (typeof FACETS)[number];
export interface FacetPlace {
  readonly column: number;
  readonly row: number;
}

export type Copied = 'command' | 'id' | 'text';

/** What is to be done besides showing. */
export type Effect =
  | { readonly type: 'ask'; readonly number: number; readonly text: string; readonly limit: number }
  | { readonly type: 'complete'; readonly line: LineEditor }
  | { readonly type: 'preview'; readonly item: Item }
  | { readonly type: 'facets'; readonly text: string; readonly number: number }
  | { readonly type: 'open'; readonly item: Item; readonly scope: Reader['scope'] }
  /** What is being read may have grown. */
  | { readonly type: 'reread'; readonly reader: Reader }
  | { readonly type: 'resume'; readonly item: Item }
  | { readonly type: 'copy'; readonly item: Item; readonly what: Copied }
  | { readonly type: 'star'; readonly item: Item }
  | { readonly type: 'scan' }
  /** Which turns of the session that is read the query finds. */
  | { readonly type: 'match'; readonly session: string; readonly text: string }
  | { readonly type: 'locate' }
  | { readonly type: 'suspend' }
  | { readonly type: 'quit'; readonly code: number };

export type Event =
  | { readonly type: 'key'; readonly key: Key }
  | { readonly type: 'resized'; readonly size: Size }
  | { readonly type: 'answered'; readonly answer: Answer }
  /** A question that could not be answered. */
  | { readonly type: 'failed'; readonly number: number; readonly reason: string }
  | { readonly type: 'counted'; readonly number: number; readonly facets: Facets }
  | { readonly type: 'offered'; readonly completing: Omit<Completing, 'at'> }
  | { readonly type: 'previewed'; readonly preview: Preview }
  | { readonly type: 'reread'; readonly before: Document; readonly document: Document }
  | { readonly type: 'opened'; readonly opening: Omit<Opening, 'height'> }
  | { readonly type: 'starred'; readonly id: string; readonly isStarred: boolean }
  /** The project of the folder that the picker was opened in, where there is history of it. */
  | { readonly type: 'located'; readonly project: string | undefined }
  | { readonly type: 'refreshed' }
  | { readonly type: 'scanned' }
  | { readonly type: 'matched'; readonly session: string; readonly turns: readonly Target[] }
  | { readonly type: 'told'; readonly message: Message };

/** The next state, and what is to be done. */
export interface Next {
  readonly picker: Picker;
  readonly effects: readonly Effect[];
}

/** The items that are asked for at first. */
export const FIRST_ITEMS = 40;

/** Whether what is shown is not yet the answer to what was typed. */
export const isBehind = ({ answer, asked }: Picker) =>
  answer === undefined || answer.number !== asked || answer.isPartial;

export const selectedItem = ({ answer, selected }: Picker): Item | undefined => answer?.items[selected];

/** Facets as lists, largest first. */
export function facetList(facets: Facets | undefined, facet: Facet): (readonly [name: string, count: number])[] {
  const entries = Object.entries(facets?.[facet] ?? {});
  return facet === 'month' ? entries.sort((a, b) => (a[0] < b[0] ? 1 : -1)) : entries;
}
