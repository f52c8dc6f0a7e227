import type { CatalogSession } from '../../catalog/listed.ts';
import type { Stores } from '../../holdings/stores.ts';
import type { Part, Turn } from '../../transcript/index.ts';
import { foreignRecords, turnFacts, withChild } from './transcript.ts';

/** A stretch of a turn that is read at once: about 64 kB. */
export interface Page {
  readonly turn: number;
  readonly chunk: number;
  /** The turn begins here. */
  readonly isFirst: boolean;
  /** Calls that failed. */
  readonly errors: number;
}

export interface PageContent {
  readonly turn: Omit<Turn, 'parts' | 'prompt'>;
  readonly parts: readonly Part[];
}

/** A session, or a turn of it, to be read page by page: nothing is read that is not looked at. */
export interface Pages {
  readonly list: readonly Page[];
  /** @throws where the page is no more */
  read(page: Page): PageContent;
}

/** The pages of a session, of what it shows itself; or of one turn, whoever shows it. */
export function pagesOf(stores: Stores, session: CatalogSession, turn?: number): Pages {
  const chunks = stores.catalog.chunksOf(session.id, turn);
  const list = chunks.map(([turn, chunk, errors], i) => ({
    turn,
    chunk,
    errors,
    isFirst: chunks[i - 1]?.[0] !== turn,
  }));
  return {
    list,
    read({ turn: index, chunk }) {
      const row = stores.catalog.turn(session.id, index);
      if (!row) throw new Error(`turn ${index} of ${session.key} is no more`);
      const { parts, records } = stores.archive.chunk(session.id, index, chunk)?.body ?? { parts: [], records: [] };
      const isForeign = turn === undefined ? foreignRecords(stores, session.id, row) : () => false;
      const own = parts.filter((_, i) => !isForeign(records[i]!));
      return { turn: turnFacts(stores, session, row), parts: own.map((part) => withChild(stores, session, part)) };
    },
  };
}
