import { sourceOf } from '../../agents/registry.ts';
import type { Resume } from '../../agents/source.ts';
import { TITLE_CHUNK } from '../../catalog/catalog.ts';
import type { CatalogSession } from '../../catalog/listed.ts';
import type { Stores } from '../../holdings/stores.ts';
import type { Field } from '../../lexical/fields.ts';
import { LABEL } from '../../redact/rule.ts';
import type { Matcher } from '../matching/matcher.ts';
import type { Ranked } from '../ranking/ranking.ts';
import { resumptionOf } from '../transcripts/resume.ts';
import { snippetOf, stretchesOf } from './snippet.ts';

const MOST_CHILDREN = 20;

export interface Hit {
  readonly id: string;
  readonly session: string;
  readonly source: string;
  readonly label: string;
  readonly title?: string;
  readonly project?: string;
  readonly cwd?: string;
  readonly branch?: string;
  readonly timestamp?: string;
  readonly turn: number;
  readonly field: Field;
  readonly score: number;
  readonly snippet: string;
  readonly highlights: readonly (readonly [number, number])[];
  readonly moreTurns: number;
  readonly where: { readonly path: string; readonly line?: number };
  readonly resume?: Resume;
  readonly lineage: Lineage;
  readonly secretsRedacted: number;
  readonly explain?: Readonly<Record<string, number | boolean>>;
}

interface Lineage {
  readonly parent: string | null;
  readonly children: readonly string[];
  readonly childrenTotal: number;
  readonly childrenTruncated: boolean;
  readonly isAdvanced: boolean | null;
}

/** A turn as a hit, with its best place to show. */
export function hitOf(
  stores: Stores,
  session: CatalogSession,
  turn: Ranked,
  matcher: Matcher,
  moreTurns: number,
  options: { readonly explain?: boolean },
): Hit {
  const source = sourceOf(session.source);
  const found = excerpt(stores, session, turn, matcher);
  const resumption = resumptionOf(stores, session);
  const at = found.at ?? session.active;
  return {
    id: `${session.key}#${turn.turn}`,
    session: session.key,
    source: session.source,
    label: source?.label ?? session.source,
    turn: turn.turn,
    field: found.field,
    score: Math.round(turn.score * 1e6) / 1e6,
    snippet: found.text,
    highlights: found.highlights,
    moreTurns,
    where: found.where,
    lineage: lineageOf(stores, session),
    secretsRedacted: (found.text.match(LABEL) ?? []).length,
    ...(session.title !== undefined && { title: session.title }),
    ...(session.project !== undefined && { project: session.project }),
    ...(session.cwd !== undefined && { cwd: session.cwd }),
    ...(session.branch !== undefined && { branch: session.branch }),
    ...(at !== undefined && { timestamp: new Date(at).toISOString() }),
    ...(resumption.can && { resume: resumption.command }),
    ...(options.explain && {
      explain: { rank: turn.rank, lexical: turn.lexical, holdsAll: turn.holdsAll, ...turn.factors, score: turn.score },
    }),
  };
}

interface Excerpt {
  readonly field: Field;
  readonly text: string;
  readonly highlights: readonly (readonly [number, number])[];
  readonly where: { readonly path: string; readonly line?: number };
  readonly at?: number;
}

function excerpt(stores: Stores, session: CatalogSession, turn: Ranked, matcher: Matcher): Excerpt {
  const nothing: Excerpt = { field: 'title', text: session.title ?? '', highlights: [], where: { path: session.path } };
  const passage = stores.catalog.passages([turn.passage])[0];
  if (!passage) return nothing;
  if (passage.chunk === TITLE_CHUNK) {
    const titles = stores.catalog.titlePassage(session.id)?.title.split('\n') ?? [];
    const named = titles
      .map((text) => ({ text, matches: matcher.matches(text) }))
      .sort((a, b) => b.matches.length - a.matches.length)[0];
    return named
      ? { ...nothing, text: named.text, highlights: named.matches.map(({ start, end }) => [start, end] as const) }
      : nothing;
  }
  const stored = stores.archive.chunk(passage.session, passage.turn, passage.chunk);
  const parts = stored?.body.parts.slice(passage.firstPart, passage.lastPart + 1) ?? [];
  const snippet = snippetOf(stretchesOf(parts, passage.from, passage.to), matcher);
  const part = snippet && parts[snippet.part];
  if (!snippet || !part) return nothing;
  const where = snippet.field === 'output' && part.type === 'tool_call' ? (part.outputWhere ?? part.where) : part.where;
  return {
    field: snippet.field,
    text: snippet.text,
    highlights: snippet.highlights,
    where: { path: where.path ?? session.path, line: where.line },
    ...(part.at !== undefined && { at: part.at }),
  };
}

function lineageOf(stores: Stores, session: CatalogSession): Lineage {
  const children = stores.catalog.childrenOf(session.key);
  return {
    parent: session.parent?.key ?? null,
    children: children.slice(0, MOST_CHILDREN),
    childrenTotal: children.length,
    childrenTruncated: children.length > MOST_CHILDREN,
    isAdvanced: null,
  };
}
