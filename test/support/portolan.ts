import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Environment } from '../../src/agents/source.ts';
import type { CatalogSession } from '../../src/catalog/listed.ts';
import { openForReading } from '../../src/holdings/opening.ts';
import type { Stores } from '../../src/holdings/stores.ts';
import { type Home, homeOf } from '../../src/home/paths.ts';
import type { Progress, SourceReport } from '../../src/ingest/account.ts';
import { ingest } from '../../src/ingest/run.ts';
import { openForWriting, type WritableStores } from '../../src/ingest/writable-stores.ts';
import { turnsOf } from '../../src/search/transcripts/transcript.ts';
import type { Turn } from '../../src/transcript/index.ts';
import { temporaryFolder } from './folders.ts';
import { lineOf } from './reading.ts';
import { wordsOf } from './segments.ts';

const SOURCE = 'claude-code';

/** A Portolan with a home of its own, over the history that an environment shows it. */
export class Portolan {
  readonly home: Home;
  readonly env: Environment;

  constructor(env: Environment, folder = join(temporaryFolder(), 'portolan')) {
    this.env = env;
    this.home = homeOf({ PORTOLAN_HOME: folder }, 'linux');
  }

  /** Opens the stores for writing, does something with them, and closes them. */
  async write<T>(work: (stores: WritableStores) => T | Promise<T>): Promise<T> {
    const stores = openForWriting(this.home);
    if (!stores) throw new Error('another one has the lease');
    try {
      return await work(stores);
    } finally {
      stores.close();
    }
  }

  /** Indexes once; gives what it says of Claude Code. */
  index(onProgress?: (progress: Progress) => void): Promise<SourceReport> {
    return this.write(async (stores) => (await ingest(stores, this.env, onProgress))[SOURCE]!);
  }

  /** Everything that is known: the stores are opened for it alone. */
  content() {
    const stores = openForReading(this.home);
    if (!stores) throw new Error('nothing was indexed yet');
    try {
      return contentOf(stores);
    } finally {
      stores.close();
    }
  }

  /** The stores as a reader has them, until the test ends. */
  read(): Stores {
    const stores = openForReading(this.home);
    if (!stores) throw new Error('nothing was indexed yet');
    onTestFinished(() => stores.close());
    return stores;
  }
}

/** All sessions of a catalog by their keys, hidden ones too. */
export function sessionsOf(stores: Stores): CatalogSession[] {
  return stores.catalog.sessions('1', [], 'key', 100_000);
}

export function sessionOf(stores: Stores, nativeId: string): CatalogSession {
  const session = sessionsOf(stores).find((each) => each.nativeId === nativeId);
  if (!session) throw new Error(`no session ${nativeId}`);
  return session;
}

export function turnsIn(stores: Stores, nativeId: string): Turn[] {
  return turnsOf(stores, sessionOf(stores, nativeId));
}

/** The parts of a session, each as a line. */
export function linesIn(stores: Stores, nativeId: string): string[] {
  return turnsIn(stores, nativeId).flatMap((turn) => turn.parts.map(lineOf));
}

/** Everything that is known, free of what only tells the order in which it was read. */
export function contentOf(stores: Stores) {
  const keys = new Map(sessionsOf(stores).map((session) => [session.id, session.key]));
  const sessions = sessionsOf(stores).map((session) => {
    const { id, revision: _, ...known } = session;
    return {
      ...known,
      turns: turnsOf(stores, session, { withParent: true }),
      rows: stores.catalog.turnsOf(id).map(({ replayOf, ...row }) => ({
        ...row,
        replayOf: replayOf === undefined ? undefined : keys.get(replayOf),
      })),
      records: stores.archive.turns(id).map(({ turn, after, anchor }) => ({
        hashes: stores.archive.recordsIn(id, turn),
        after,
        anchor,
      })),
      calls: stores.archive.sightings(id),
      touches: stores.catalog.db.rows(
        'SELECT DISTINCT path, turn, kind FROM touches WHERE session = ? ORDER BY 1, 2, 3',
        id,
      ),
      tools: stores.catalog.db.rows(
        'SELECT DISTINCT name, turn, is_error FROM tools WHERE session = ? ORDER BY 1, 2, 3',
        id,
      ),
    };
  });
  const { sessions: listed, turns } = stores.catalog.totals();
  return { sessions, totals: { sessions: listed, turns }, words: wordsOf(stores.catalog.db) };
}

/** Where two values differ, at most 30 places: what is compared may be too large to print. */
export function differences(found: unknown, expected: unknown, path = '', places: string[] = []): string[] {
  if (places.length >= 30 || Object.is(found, expected)) return places;
  if (!isObject(found) || !isObject(expected)) {
    places.push(
      `${path}: ${String(JSON.stringify(found)).slice(0, 100)}, not ${String(JSON.stringify(expected)).slice(0, 100)}`,
    );
    return places;
  }
  for (const key of new Set([...Object.keys(found), ...Object.keys(expected)]))
    differences(found[key], expected[key], `${path}/${key}`, places);
  return places;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
