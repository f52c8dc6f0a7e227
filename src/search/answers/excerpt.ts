import { chunksWithCalls } from '../../catalog/calls.ts';
import { TITLE_CHUNK } from '../../catalog/catalog.ts';
import type { CatalogSession } from '../../catalog/listed.ts';
import type { Stores } from '../../holdings/stores.ts';
import type { Field } from '../../lexical/fields.ts';
import type { Part, ToolCall } from '../../transcript/index.ts';
import type { CallFacts } from '../matching/asked-call.ts';
import type { Matcher } from '../matching/matcher.ts';
import { callSnippet, type Snippet, snippetOf, stretchesOf } from './snippet.ts';

/** What is shown of a hit, and where it stands. */
export interface Excerpt {
  readonly field: Field;
  readonly text: string;
  readonly highlights: readonly (readonly [number, number])[];
  readonly where: { readonly path: string; readonly line?: number };
  readonly at?: number;
}

/** What there is to look for in a turn: words, and a tool call. */
export interface Sought {
  readonly matcher: Matcher;
  /** Whether a call is one that was asked for; absent where none was. */
  readonly isAsked?: ((call: CallFacts) => boolean) | undefined;
}

/** A turn's passages that matched, the best first. */
export interface MatchedTurn {
  readonly turn: number;
  readonly passages: readonly number[];
}

/** Passages of a turn in which an answer is looked for. */
const MOST_LOOKED_AT = 4;

/**
 * The place of a turn that answers best: the call that was asked for where no words were, else where the words stand; in
 * what was answered where they stand there as well as in the question.
 */
export function excerptOf(
  stores: Stores,
  session: CatalogSession,
  { turn, passages }: MatchedTurn,
  sought: Sought,
): Excerpt {
  const { matcher, isAsked } = sought;
  const call = isAsked && matcher.isEmpty ? callIn(stores, session, turn, isAsked) : undefined;
  if (call) return shown(session, callSnippet(call, session.cwd), call);
  const [best, ...others] = passages;
  const first = passageExcerpt(stores, session, best, sought);
  if (first.field !== 'prompt' || first.words === 0) return first;
  for (const passage of others.slice(0, MOST_LOOKED_AT)) {
    const other = passageExcerpt(stores, session, passage, sought);
    if (other.field === 'answer' && other.words >= first.words) return other;
  }
  return first;
}

interface WordExcerpt extends Excerpt {
  /** How many of the query's words stand in it. */
  readonly words: number;
}

function passageExcerpt(
  stores: Stores,
  session: CatalogSession,
  id: number | undefined,
  { matcher, isAsked }: Sought,
): WordExcerpt {
  const title = session.title ?? '';
  const nothing = { field: 'title' as const, text: title, highlights: [], where: { path: session.path }, words: 0 };
  const passage = id === undefined ? undefined : stores.catalog.passages([id])[0];
  if (!passage) return nothing;
  if (passage.chunk === TITLE_CHUNK) {
    const titles = stores.catalog.titlePassage(session.id)?.title.split('\n') ?? [];
    const named = titles
      .map((text) => ({ text, matches: matcher.matches(text) }))
      .sort((a, b) => b.matches.length - a.matches.length)[0];
    if (!named) return nothing;
    return { ...nothing, text: named.text, highlights: named.matches.map(({ start, end }) => [start, end] as const) };
  }
  const stored = stores.archive.chunk(passage.session, passage.turn, passage.chunk);
  // The index still knows the words of what the archive has lost.
  const [notice] = stored?.body.isDamaged ? stored.body.parts : [];
  if (notice?.type === 'notice') return { ...nothing, text: notice.text };
  const parts = stored?.body.parts.slice(passage.firstPart, passage.lastPart + 1) ?? [];
  const snippet = snippetOf(stretchesOf(parts, passage.from, passage.to), matcher, (at) => {
    const part = parts[at];
    return part?.type === 'tool_call' && isAsked?.(part) === true;
  });
  const part = snippet && parts[snippet.part];
  return snippet && part ? { ...shown(session, snippet, part), words: snippet.words } : nothing;
}

function shown(session: CatalogSession, snippet: Pick<Snippet, 'field' | 'text' | 'highlights'>, part: Part): Excerpt {
  const where = snippet.field === 'output' && part.type === 'tool_call' ? (part.outputWhere ?? part.where) : part.where;
  return {
    field: snippet.field,
    text: snippet.text,
    highlights: snippet.highlights,
    where: { path: where.path ?? session.path, line: where.line },
    ...(part.at !== undefined && { at: part.at }),
  };
}

/** Chunks of a turn that are read for a call: their tables have told that they hold one. */
const MOST_CHUNKS = 4;

/** The first call of a turn that is asked for. */
function callIn(
  stores: Stores,
  session: CatalogSession,
  turn: number,
  isAsked: (call: CallFacts) => boolean,
): ToolCall | undefined {
  for (const chunk of chunksWithCalls(stores.catalog.db, session.id, turn, isAsked).slice(0, MOST_CHUNKS)) {
    const stored = stores.archive.chunk(session.id, turn, chunk);
    const found = stored?.body.parts.find((part) => part.type === 'tool_call' && isAsked(part));
    if (found?.type === 'tool_call') return found;
  }
  return undefined;
}
