import { parentPort, workerData } from 'node:worker_threads';
import type { Home } from '../home/paths.ts';
import { environment } from '../ingest/environment.ts';
import { refresh } from '../ingest/refresh.ts';
import { openForReading, type Stores } from '../ingest/stores.ts';
import { type Redaction, redactWith } from '../redact/redact.ts';
import { parseQuery } from '../search/parse.ts';
import { type SearchResult, search } from '../search/search.ts';
import { currentGeneration } from '../store/generations.ts';

/** What a seeker is started with. */
export interface SeekerData {
  readonly home: Home;
  readonly cwd: string;
  readonly variables: NodeJS.ProcessEnv;
  /** What it reads anew is redacted as everywhere. Values of secrets pass from memory to memory. */
  readonly redaction: Redaction;
}

export interface Question {
  readonly number: number;
  readonly text: string;
  readonly limit: number;
}

export type ToSeeker =
  | { readonly type: 'seek'; readonly question: Question }
  /** Look for what is new. */
  | { readonly type: 'look' };

export type FromSeeker =
  | { readonly type: 'found'; readonly number: number; readonly result: SearchResult }
  | { readonly type: 'failed'; readonly number: number; readonly reason: string }
  /** Something new was read. */
  | { readonly type: 'refreshed' };

/** How long looking for what is new may take, and how often it is done. */
const REFRESH_MS = 40;
const REFRESH_EVERY_MS = 5000;

if (parentPort) {
  // Given by `Seeking` alone.
  const data = workerData as SeekerData;
  redactWith(data.redaction);
  serve(parentPort, data);
}

/** Answers questions one after another, in a thread of its own: keys are never kept waiting by a search. */
function serve(port: NonNullable<typeof parentPort>, { home, cwd, variables }: SeekerData): void {
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

  const look = async () => {
    if (performance.now() - refreshedAt < REFRESH_EVERY_MS) return;
    const refreshed = await refresh(home, environment([cwd], variables), REFRESH_MS);
    refreshedAt = performance.now();
    if (refreshed.state === 'done' && refreshed.read > 0) post({ type: 'refreshed' });
  };

  const seek = ({ number, text, limit }: Question) => {
    try {
      const now = Date.now();
      post({ type: 'found', number, result: search(current(), parseQuery(text, now), { limit, now }) });
    } catch (error) {
      post({ type: 'failed', number, reason: error instanceof Error ? error.message : String(error) });
    }
  };

  port.on('message', async (message: ToSeeker) => {
    if (message.type === 'seek') seek(message.question);
    await look();
  });
}
