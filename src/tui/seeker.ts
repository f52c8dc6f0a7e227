import { parentPort, workerData } from 'node:worker_threads';
import { environmentOf } from '../agents/environment.ts';
import { loadOwnSources } from '../agents/own-sources.ts';
import type { OnDisk } from '../archive/listings.ts';
import { openForReading } from '../holdings/opening.ts';
import type { Stores } from '../holdings/stores.ts';
import type { Home } from '../home/paths.ts';
import { follow } from '../ingest/following.ts';
import { refresh } from '../ingest/refresh.ts';
import { type Redaction, redactWith } from '../redact/redact.ts';
import { type SearchResult, search } from '../search/answers/search.ts';
import { parseQuery } from '../search/query/parse.ts';
import type { Query } from '../search/query/query.ts';
import { currentGeneration } from '../store/generations.ts';
import { queryOf } from './question.ts';
import type { Target } from './reader/find.ts';

/** What a seeker is started with. */
export interface SeekerData {
  readonly home: Home;
  readonly variables: NodeJS.ProcessEnv;
  /** What it reads anew is redacted as everywhere. Values of secrets pass from memory to memory. */
  readonly redaction: Redaction;
  /** Sources of the user's own. */
  readonly modules: readonly string[];
}

export interface Question {
  readonly number: number;
  readonly text: string;
  readonly limit: number;
  /** The ids of the only sessions to be looked into. */
  readonly among?: readonly string[];
}

export type ToSeeker =
  | { readonly type: 'seek'; readonly question: Question }
  /** Which turns of a session a text finds. */
  | { readonly type: 'match'; readonly session: string; readonly text: string }
  /** Look for what is new. */
  | { readonly type: 'look' };

export type FromSeeker =
  | { readonly type: 'found'; readonly number: number; readonly result: SearchResult }
  | { readonly type: 'failed'; readonly number: number; readonly reason: string }
  | { readonly type: 'matched'; readonly session: string; readonly turns: readonly Target[] }
  /** The index is not as it was. */
  | { readonly type: 'refreshed' };

/** Turns of one session that are walked. */
const MOST_TURNS = 200;

/** How long looking for what is new may take, and how often it is done. */
const REFRESH_MS = 40;
const REFRESH_EVERY_MS = 5000;
const FOLLOW_AFTER_MS = 300;

if (parentPort) {
  // Given by `Seeking` alone.
  const data = workerData as SeekerData;
  redactWith(data.redaction);
  await loadOwnSources(data.modules);
  serve(parentPort, data);
}

/** What is found for a question. A last word that nothing begins with is taken as one that was misspelt. */
export function found(stores: Stores, { text, limit, among }: Question, now: number, onDisk?: OnDisk): SearchResult {
  const within = (query: Query): Query =>
    among ? { ...query, clauses: [...query.clauses, { type: 'filter', field: 'session', values: among }] } : query;
  const options = { limit, now, ...(onDisk && { onDisk }) };
  const result = search(stores, within(queryOf(text, now)), options);
  if (result.hits.length > 0) return result;
  return search(stores, within(parseQuery(text, now)), options);
}

/** The turns of a session that a text finds, in their order. */
export function turnsFound(stores: Stores, session: string, text: string, now: number): Target[] {
  const { hits } = found(stores, { number: 0, text, limit: MOST_TURNS, among: [session] }, now);
  return hits
    .map(({ turn, where }) => ({ turn, ...(where.line !== undefined && { line: where.line }) }))
    .sort((a, b) => a.turn - b.turn);
}

/** Answers questions one after another, in a thread of its own: keys are never kept waiting by a search. */
function serve(port: NonNullable<typeof parentPort>, { home, variables }: SeekerData): void {
  let stores: Stores | undefined;
  let generation: string | undefined;
  let refreshedAt = Number.NEGATIVE_INFINITY;
  const post = (message: FromSeeker) => port.postMessage(message);

  const current = (): Stores => {
    const now = currentGeneration(home.index);
    if (!stores || now !== generation) {
      stores?.close();
      stores = openForReading(home);
      generation = now;
    }
    if (!stores) throw new Error('nothing is indexed yet');
    return stores;
  };

  const env = environmentOf(home, variables);
  let known: number | undefined;
  let onDisk: OnDisk | undefined;
  let isFollowing = false;

  /** Tells where the index is not as it was the last time. */
  const tell = () => {
    const changes = current().catalog.changes();
    if (known !== undefined && known !== changes) post({ type: 'refreshed' });
    known = changes;
  };

  const look = async () => {
    if (performance.now() - refreshedAt < REFRESH_EVERY_MS) return;
    if (known === undefined) tell();
    ({ onDisk } = await refresh(home, env, REFRESH_MS));
    refreshedAt = performance.now();
    tell();
  };

  /** From the first time that nobody waits for an answer: making it ready takes a while where there are many folders. */
  const followSoon = () => {
    if (isFollowing) return;
    isFollowing = true;
    follow(home, env, () => {
      try {
        tell();
      } catch {
        // The index is being made anew: its end is a change too.
      }
    });
  };

  const seek = (question: Question) => {
    const { number } = question;
    try {
      post({ type: 'found', number, result: found(current(), question, Date.now(), onDisk) });
    } catch (error) {
      post({ type: 'failed', number, reason: error instanceof Error ? error.message : String(error) });
    }
  };

  const match = (session: string, text: string) => {
    try {
      post({ type: 'matched', session, turns: turnsFound(current(), session, text, Date.now()) });
    } catch {
      // The reader goes without: whatever is wrong is told to the next question.
    }
  };

  port.on('message', async (message: ToSeeker) => {
    if (message.type === 'seek') seek(message.question);
    if (message.type === 'match') match(message.session, message.text);
    await look();
    setTimeout(followSoon, FOLLOW_AFTER_MS);
  });
}
