import type { SessionFacts } from '../agents/source.ts';
import type { KnownSession } from '../archive/salvage/remember.ts';
import { Catalog } from '../catalog/catalog.ts';
import type { CatalogSession } from '../catalog/listed.ts';
import { CATALOG_VERSION } from '../catalog/schema.ts';
import type { Home } from '../home/paths.ts';
import { isDamage } from '../store/damage.ts';
import { Database } from '../store/database.ts';
import { currentGeneration } from '../store/generations.ts';
import { sealState } from '../store/seal.ts';

/** What the index knows of the sessions that it was made from. */
export interface Witness {
  /** Number of sessions. */
  readonly count: number;
  /** How often the archive that it was made from had been changed. */
  readonly changes: number;
  sessions(): Iterable<KnownSession>;
  /** Where a session's file lay, by the session's number. */
  pathOf(session: number): string | undefined;
  close(): void;
}

/** The index in use as a witness of what the archive held; undefined where there is none that can be trusted. */
export function witnessOf(home: Home): Witness | undefined {
  const path = currentGeneration(home.index);
  if (path === undefined) return undefined;
  let db: Database | undefined;
  try {
    db = Database.forReading(path);
    if (
      db.version === CATALOG_VERSION &&
      (sealState(home.index, path) === 'whole' || db.structureProblem() === undefined)
    ) {
      const opened = db;
      const catalog = new Catalog(opened);
      return {
        count: catalog.db.row<{ n: number }>('SELECT count(*) AS n FROM sessions')!.n,
        changes: catalog.changes(),
        sessions: () => knownSessions(catalog),
        pathOf: (session) => catalog.session(session)?.path,
        close: () => opened.close(),
      };
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  db?.close();
  return undefined;
}

/** The sessions of an index, as it knows them. */
export function* knownSessions(catalog: Catalog): Generator<KnownSession> {
  for (const session of catalog.sessions('1', [], 'id', -1)) {
    const { id, revision, key, source, nativeId, path, started, ended, title, titleFrom } = session;
    yield {
      id,
      revision,
      key,
      source,
      nativeId,
      path,
      facts: factsOf(session),
      turns: catalog.turnsOf(id),
      chunks: catalog.keptChunks(id),
      ...(started !== undefined && { started }),
      ...(ended !== undefined && { ended }),
      ...(titleFrom === 'first-prompt' && title !== undefined && { firstPrompt: title }),
    };
  }
}

const PROMPTS = 'prompts/';

/** What a reader told of a session, as far as the index keeps it. */
function factsOf(session: CatalogSession): SessionFacts {
  const { kind, nativeId, title, titleFrom, cwd, branch, remote, parent, more, source } = session;
  return {
    kind,
    roots: more.roots,
    models: more.models,
    client: more.client,
    pullRequests: more.pullRequests,
    ...(kind === 'prompts' && nativeId.startsWith(PROMPTS) && { transcript: nativeId.slice(PROMPTS.length) }),
    ...(title !== undefined && titleFrom === 'user' && { titles: { user: title } }),
    ...(title !== undefined && titleFrom === 'agent' && { titles: { agent: title } }),
    ...(cwd !== undefined && { cwd }),
    ...(branch !== undefined && { branch }),
    ...(remote !== undefined && { remote }),
    ...(more.startedBy !== undefined && { startedBy: more.startedBy }),
    ...(parent && { parent: { nativeId: parent.key.slice(source.length + 1), relation: parent.relation } }),
  };
}
