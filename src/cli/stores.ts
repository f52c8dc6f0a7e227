import type { CatalogSession } from '../catalog/catalog.ts';
import { type Home, homeOf } from '../home/paths.ts';
import { openForReading, type Stores } from '../ingest/stores.ts';
import { type Identified, identify } from '../search/identify.ts';
import { type Context, EXIT, UserError } from './command.ts';

/** Opens what was indexed. @throws UserError where nothing was yet */
export function openedStores(context: Context): { readonly home: Home; readonly stores: Stores } {
  const home = homeOf(context.variables);
  const stores = openForReading(home);
  if (stores) return { home, stores };
  throw new UserError('no_index', 'Nothing is indexed yet.', 'Run portolan index first.', EXIT.nothingSearched);
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
      `There is no session “${id}”.`,
      'portolan sessions lists what there is.',
      EXIT.nothingFound,
    );
  throw new UserError(
    'ambiguous',
    `“${id}” begins several ids.`,
    `Which of these? ${identified.candidates.map((one: CatalogSession) => one.key).join(', ')}`,
  );
}
