import type { CatalogSession } from '../catalog/listed.ts';
import { isIndexChanged, openForReading } from '../holdings/opening.ts';
import type { Stores } from '../holdings/stores.ts';
import { type Home, homeOf } from '../home/paths.ts';
import { type Identified, identify } from '../search/transcripts/identify.ts';
import { isDamage } from '../store/damage.ts';
import { type Context, EXIT, UserError } from './command.ts';

/**
 * Answers from what was indexed. An index that was changed from outside, or that turns out to be damaged, is made anew
 * from the archive first.
 * @throws UserError where nothing was indexed yet
 */
export async function answered<T>(context: Context, answer: (stores: Stores) => T): Promise<T> {
  const home = homeOf(context.variables);
  if (isIndexChanged(home)) await remake(context, home);
  try {
    return answeredFrom(home, answer);
  } catch (error) {
    // Out of a damaged archive no better index can be made.
    if (!isDamage(error) || error.path === home.archive) throw error;
    await remake(context, home);
    return answeredFrom(home, answer);
  }
}

/** The same where an id is asked for: before it is said that there is no such session, what is new is read. */
export async function answeredById<T>(context: Context, answer: (stores: Stores) => T): Promise<T> {
  try {
    return await answered(context, answer);
  } catch (error) {
    if (!(error instanceof UserError && error.code === 'not_found')) throw error;
    const { catchUpBefore } = await import('./refreshing.ts');
    if (!(await catchUpBefore(context))) throw error;
    return answered(context, answer);
  }
}

function answeredFrom<T>(home: Home, answer: (stores: Stores) => T): T {
  const stores = openForReading(home);
  if (!stores)
    throw new UserError('no_index', 'Nothing is indexed yet.', 'Run portolan index first.', EXIT.nothingSearched);
  try {
    return answer(stores);
  } finally {
    stores.close();
  }
}

async function remake(context: Context, home: Home): Promise<void> {
  const [{ remakeIndex }, { progressBar }] = await Promise.all([
    import('../ingest/writable-stores.ts'),
    import('../render/progress.ts'),
  ]);
  const bar = progressBar(context.stderr, { style: context.style });
  context.stderr.write('The index was damaged or changed from outside: it is being rebuilt from the archive.\n');
  remakeIndex(home, (done, total) => bar.update({ done, total, bytes: 0, sessions: done, turns: 0 }));
  bar.end('clear');
}

/** The session (and turn) that an id names. @throws UserError where it names none, or several */
export function namedSession(
  stores: Stores,
  id: string | undefined,
  command: string,
): Extract<Identified, { found: 'session' }> {
  if (id === undefined)
    throw new UserError('no_id', 'Which session?', `portolan ${command} <id>; portolan sessions lists them.`);
  const identified = identify(stores, id);
  if (identified.found === 'session') return identified;
  if (identified.found === 'nothing')
    throw new UserError(
      'not_found',
      `No session matches “${id}”.`,
      'portolan sessions lists them all.',
      EXIT.nothingFound,
    );
  throw new UserError(
    'ambiguous',
    `Several ids begin with “${id}”.`,
    `Which of these? ${identified.candidates.map((one: CatalogSession) => one.key).join(', ')}`,
  );
}
