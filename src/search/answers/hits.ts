import { sourceOf } from '../../agents/registry.ts';
import type { Resume } from '../../agents/source.ts';
import type { CatalogSession } from '../../catalog/listed.ts';
import type { Stores } from '../../holdings/stores.ts';
import type { Field } from '../../lexical/fields.ts';
import { LABEL } from '../../redact/rule.ts';
import type { Ranked } from '../ranking/ranking.ts';
import { resumptionOf } from '../transcripts/resume.ts';
import { excerptOf, type Sought } from './excerpt.ts';

const MOST_CHILDREN = 20;

export interface Hit {
  readonly id: string;
  readonly session: string;
  readonly source: string;
  readonly label: string;
  readonly title?: string;
  readonly project?: string;
  readonly cwd?: string;
  /** The folder that its history lies inside, where that is not the agent's own. */
  readonly inside?: string;
  readonly branch?: string;
  readonly timestamp?: string;
  readonly turn: number;
  readonly field: Field;
  readonly score: number;
  readonly snippet: string;
  readonly highlights: readonly (readonly [number, number])[];
  readonly moreTurns: number;
  readonly where: { readonly path: string; readonly line?: number };
  /** No file of the agent's holds the turn any more. */
  readonly superseded?: true;
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

/** A turn by its best passage, and the others that matched, the best first. */
export interface RankedTurn extends Ranked {
  readonly others: readonly Ranked[];
}

/** A turn as a hit, with its best place to show. */
export function hitOf(
  stores: Stores,
  session: CatalogSession,
  turn: RankedTurn,
  sought: Sought,
  moreTurns: number,
  options: { readonly explain?: boolean },
): Hit {
  const source = sourceOf(session.source);
  // What holds fewer of the words is no better place.
  const others = turn.others.filter((one) => one.holdsAll === turn.holdsAll);
  const passages = [turn, ...others].map(({ passage }) => passage);
  const found = excerptOf(stores, session, { turn: turn.turn, passages }, sought);
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
    ...(session.more.inside !== undefined && { inside: session.more.inside }),
    ...(session.branch !== undefined && { branch: session.branch }),
    ...(stores.catalog.turn(session.id, turn.turn)?.superseded && { superseded: true as const }),
    ...(at !== undefined && { timestamp: new Date(at).toISOString() }),
    ...(resumption.can && { resume: resumption.command }),
    ...(options.explain && {
      explain: { rank: turn.rank, lexical: turn.lexical, holdsAll: turn.holdsAll, ...turn.factors, score: turn.score },
    }),
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
