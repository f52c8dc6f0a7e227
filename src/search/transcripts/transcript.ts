import { supersededOf } from '../../catalog/counts.ts';
import { Lineages } from '../../catalog/lineages.ts';
import type { CatalogSession, CatalogTurn } from '../../catalog/listed.ts';
import type { Stores } from '../../holdings/stores.ts';
import {
  addTokens,
  NO_TOKENS,
  type Part,
  type Session,
  type Status,
  type Text,
  type Turn,
} from '../../transcript/index.ts';

const WORKING_MS = 5 * 60_000;
const IDLE_MS = 24 * 3_600_000;

export interface ReadOptions {
  /** Also the turns that another session shows. */
  readonly withParent?: boolean;
  /** First and last turn, both included. */
  readonly range?: readonly [number, number];
}

/** A session's turns with all their parts, in order. Turns and parts that another session shows are left out. */
export function turnsOf(stores: Stores, session: CatalogSession, options: ReadOptions = {}): Turn[] {
  return [...eachTurn(stores, session, options)];
}

/** The same one by one: a long session is not held as a whole. */
export function* eachTurn(
  stores: Stores,
  session: CatalogSession,
  options: ReadOptions = {},
): Generator<Turn, undefined> {
  const { withParent = false, range } = options;
  const holdsCopies = stores.catalog.firstReplayOf(session.id) !== undefined;
  if (withParent && !range && !holdsCopies) yield* inheritedTurns(stores, session);
  for (const row of stores.catalog.eachTurn(session.id, range))
    if (row.ownParts !== 'none' || withParent)
      yield turnOf(stores, session, row, withParent ? () => false : foreignRecords(stores, session.id, row));
  return undefined;
}

/** What a fork goes on from, where its file points into its parent's instead of repeating it. */
function inheritedTurns(stores: Stores, session: CatalogSession): Turn[] {
  const turns: Turn[] = [];
  const seen = new Set([session.key]);
  for (let { parent } = session; parent && parent.relation !== 'subagent' && !seen.has(parent.key); ) {
    const from: CatalogSession | undefined = stores.catalog.sessions('key = ?', [parent.key], 'id', 1)[0];
    if (!from || parent.turn === undefined) break;
    seen.add(parent.key);
    turns.unshift(...turnsOf(stores, from, { withParent: true, range: [0, parent.turn] }));
    parent = from.parent;
  }
  return turns.map((turn) => ({ ...turn, replayOf: turn.replayOf ?? turn.session }));
}

function turnOf(
  stores: Stores,
  session: CatalogSession,
  row: CatalogTurn,
  isForeign: (record: number) => boolean,
): Turn {
  const parts = stores.archive
    .chunksOf(session.id, row.turn)
    .flatMap(({ body }) => body.parts.filter((_, i) => !isForeign(body.records[i]!)))
    .map((part) => withChild(stores, session, part));
  // Turn 0 stands before the first prompt.
  const prompt = row.turn === 0 ? undefined : promptOf(parts);
  return { ...turnFacts(stores, session, row), parts, ...(prompt !== undefined && { prompt }) };
}

/** What is known of a turn without reading it. */
export function turnFacts(stores: Stores, session: CatalogSession, row: CatalogTurn): Omit<Turn, 'parts' | 'prompt'> {
  const shownBy = row.replayOf === undefined ? undefined : stores.catalog.session(row.replayOf)?.key;
  return {
    id: `${session.key}#${row.turn}`,
    session: session.key,
    index: row.turn,
    anchor: row.anchor,
    rewound: row.rewound,
    ...(row.superseded && { superseded: true as const }),
    ...(row.started !== undefined && { startedAt: row.started }),
    ...(row.ended !== undefined && { endedAt: row.ended }),
    ...(shownBy !== undefined && { replayOf: shownBy }),
  };
}

/** Which records of a turn, by their hashes, another session shows than this one. */
export function foreignRecords(
  stores: Stores,
  session: number,
  { turn, ownParts }: CatalogTurn,
): (record: number) => boolean {
  if (ownParts === undefined) return () => false;
  const lineages = new Lineages(stores.catalog.db);
  return ownParts === 'none' ? () => true : (record) => lineages.isForeign(session, turn, record);
}

function promptOf(parts: readonly Part[]): string | undefined {
  const texts = parts
    .filter((part): part is Text => part.type === 'text' && part.role === 'user')
    .map((part) => part.text);
  return texts.length > 0 ? texts.join('\n\n') : undefined;
}

/** A call's sub-agent as the id of a session that is here: as the result named it, else the one that says it was started by this call. */
export function withChild(stores: Stores, session: CatalogSession, part: Part): Part {
  if (part.type !== 'tool_call') return part;
  const named = part.child === undefined ? undefined : `${session.source}:${part.child}`;
  const child =
    named !== undefined && stores.catalog.sessions('key = ?', [named], 'id', 1).length > 0
      ? named
      : part.kind === 'agent' && part.callId !== undefined
        ? stores.catalog.childStartedBy(session.key, part.callId)
        : undefined;
  const { child: _, ...rest } = part;
  return child === undefined ? rest : { ...rest, child };
}

/** A catalogued session as every door shows it. */
export function sessionOf(stores: Stores, row: CatalogSession, now: number): Session {
  const at = row.parent?.turn === undefined ? {} : { at: `${row.parent.key}#${row.parent.turn}` };
  const supersededTurns = supersededOf(stores.catalog.db, row.id);
  return {
    id: row.key,
    source: row.source,
    nativeId: row.nativeId,
    machine: 'local',
    roots: row.more.roots,
    models: row.more.models,
    client: row.more.client,
    pullRequests: row.more.pullRequests,
    children: stores.catalog.childrenOf(row.key),
    path: row.path,
    status: statusOf(row, now),
    gone: row.gone,
    counts: { turns: row.turns, messages: row.messages, toolCalls: row.toolCalls, errors: row.errors },
    tokens: Object.values(row.tokens).reduce(addTokens, NO_TOKENS),
    tokensByModel: row.tokens,
    ...(supersededTurns > 0 && { supersededTurns }),
    ...(row.title !== undefined && { title: row.title }),
    ...(row.titleFrom !== undefined && { titleFrom: row.titleFrom }),
    ...(row.cwd !== undefined && { cwd: row.cwd }),
    ...(row.more.inside !== undefined && { inside: row.more.inside }),
    ...(row.project !== undefined && { project: row.project }),
    ...(row.branch !== undefined && { branch: row.branch }),
    ...(row.remote !== undefined && { remote: row.remote }),
    ...(row.started !== undefined && { startedAt: row.started }),
    ...(row.ended !== undefined && { endedAt: row.ended }),
    ...(row.active !== undefined && { activeAt: row.active }),
    ...(row.parent && { parent: { id: row.parent.key, relation: row.parent.relation, ...at } }),
  };
}

/** Judged from the transcript alone: a call that waits is work, or was broken off if that is long ago. */
function statusOf(row: CatalogSession, now: number): Status {
  const quiet = now - (row.active ?? 0);
  if (quiet < WORKING_MS) return row.more.pending ? 'working' : 'waiting';
  if (row.more.pending) return 'unclean';
  return quiet < IDLE_MS ? 'idle' : 'ended';
}
