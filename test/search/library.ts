import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environment } from '../../src/agents/environment.ts';
import { openForReading } from '../../src/holdings/opening.ts';
import type { Stores } from '../../src/holdings/stores.ts';
import { homeOf } from '../../src/home/paths.ts';
import { ingest } from '../../src/ingest/run.ts';
import { openForWriting } from '../../src/ingest/writable-stores.ts';
import { type Hit, type SearchOptions, type SearchResult, search } from '../../src/search/answers/search.ts';
import { parseQuery } from '../../src/search/query/parse.ts';
import type { Transcript } from './history.ts';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const SHARED = process.env.PORTOLAN_SHARED ?? resolve(ROOT, '../shared');

/** The history that the newest Claude Code wrote for us, every word of it ours; undefined where the corpus is not. */
export const LIVE: string | undefined = present(join(SHARED, 'corpus/live/claude'));
/** The generator of large histories; undefined where it is not. */
export const GENERATOR: string | undefined = present(join(SHARED, 'bench/gen.mjs'));

function present(path: string): string | undefined {
  return existsSync(path) ? path : undefined;
}

/** The time at which tests search, a day after the histories of `history.ts`. */
export const NOW = Date.parse('2026-11-21T12:00:00Z');

/** A history that was indexed into a store of its own. */
export interface Library {
  /** The folder that is taken for the user's. */
  readonly home: string;
  readonly stores: Stores;
  search(text: string, options?: Partial<SearchOptions>): SearchResult;
  hits(text: string, options?: Partial<SearchOptions>): readonly Hit[];
  /** The ids of the turns that are found. */
  ids(text: string, options?: Partial<SearchOptions>): string[];
  /** Reads what changed since. */
  index(): Promise<void>;
  close(): void;
}

/** Indexes transcripts, or a home that is copied, and opens them for searching. */
export async function openLibrary(content: readonly Transcript[] | string): Promise<Library> {
  const home = mkdtempSync(join(tmpdir(), 'portolan-home-'));
  const kept = mkdtempSync(join(tmpdir(), 'portolan-store-'));
  if (typeof content === 'string') cpSync(content, home, { recursive: true, preserveTimestamps: true });
  else for (const transcript of content) transcript.write(home);
  const place = homeOf({ PORTOLAN_HOME: kept, HOME: home });
  let open: Stores | undefined;
  const stores = () => {
    open ??= openForReading(place);
    if (!open) throw new Error('nothing was indexed');
    return open;
  };
  const index = async () => {
    open?.close();
    open = undefined;
    const writable = openForWriting(place);
    if (!writable) throw new Error('the lease is taken');
    try {
      await ingest(writable, environment([], { HOME: home }));
    } finally {
      writable.close();
    }
  };
  await index();
  const find = (text: string, options: Partial<SearchOptions> = {}) => {
    const now = options.now ?? NOW;
    return search(stores(), parseQuery(text, now), { limit: 1000, ...options, now });
  };
  return {
    home,
    get stores() {
      return stores();
    },
    search: find,
    hits: (text, options) => find(text, options).hits,
    ids: (text, options) => find(text, options).hits.map((hit) => hit.id),
    index,
    close() {
      open?.close();
      for (const folder of [home, kept]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The stretches of a snippet that are highlighted. */
export function highlighted(hit: Pick<Hit, 'snippet' | 'highlights'>): string[] {
  return hit.highlights.map(([from, to]) => hit.snippet.slice(from, to));
}
