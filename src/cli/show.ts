import { sourceOf } from '../agents/registry.ts';
import type { CatalogSession } from '../catalog/listed.ts';
import type { Stores } from '../holdings/stores.ts';
import { renderSessionHeader } from '../render/session.ts';
import { renderTurn } from '../render/turn.ts';
import { eachTurn, sessionOf } from '../search/transcripts/transcript.ts';
import type { Turn } from '../transcript/index.ts';
import { type Command, type Context, EXIT, isTerminal, UserError } from './command.ts';
import { type Flags, readFlags } from './flags.ts';
import { print, printJson, printJsonList } from './output.ts';
import { answeredById, namedSession } from './stores.ts';

export const show: Command = {
  name: 'show',
  summary: 'read a session, or one turn of it',
  help: `Usage: portolan show <session|turn> [--turns A-B] [--full] [--json]

On a terminal it opens the reader; through a pipe, or with one of these options,
it prints.

Ids may be shortened to any beginning that is unique: claude-code:5e95, 5e95,
5e95#3 for its third turn.

  --turns A-B     only these turns (--turns 7 for one)
  --full          outputs and thinking whole, nothing folded
  --with-parent   also the turns that a fork took over from its parent
  --raw           the records as they stand in the agent’s own file, redacted
  --json          print one JSON document`,
  async run(context) {
    const options = {
      turns: { type: 'string' },
      full: { type: 'boolean' },
      'with-parent': { type: 'boolean' },
      raw: { type: 'boolean' },
    } as const;
    const flags = readFlags('show', context.args, options, 1);
    const turns = rangeOf(flags.text('turns'));
    const named = (stores: Stores) => {
      const { session, turn } = namedSession(stores, flags.words[0], 'show');
      const range = turns ?? (turn === undefined ? undefined : ([turn, turn] as const));
      return { session, range, isOneTurn: turn !== undefined && turns === undefined };
    };
    const isPlain =
      !context.json && turns === undefined && !['full', 'with-parent', 'raw'].some((one) => flags.has(one));
    if (isPlain && isTerminal(context)) {
      const { openPicker } = await import('./pick.ts');
      const { session, turn } = await answeredById(context, (stores) => namedSession(stores, flags.words[0], 'show'));
      const left = await openPicker(context, { session: session.key, ...(turn !== undefined && { turn }) });
      if (left !== undefined) return left;
    }
    if (flags.has('raw')) {
      const { printRecords, recordsAsked } = await import('./records.ts');
      const asked = await answeredById(context, (stores) => {
        const { session, range } = named(stores);
        return recordsAsked(stores, session, range);
      });
      return printRecords(context, asked);
    }
    return answeredById(context, (stores) => {
      const { session, range, isOneTurn } = named(stores);
      return read(context, stores, session, range, flags, isOneTurn);
    });
  },
};

function read(
  context: Context,
  stores: Stores,
  row: CatalogSession,
  range: readonly [number, number] | undefined,
  flags: Flags,
  isOneTurn: boolean,
): number {
  const now = Date.now();
  const session = sessionOf(stores, row, now);
  // One turn that was asked for by its id is shown even where another session shows it too.
  const turns = begun(
    eachTurn(stores, row, { withParent: flags.has('with-parent') || isOneTurn, ...(range && { range }) }),
  );
  if (range && !turns.first)
    throw new UserError(
      'no_turn',
      `${row.key} has no such turn.`,
      `It has ${row.turns}: portolan show ${row.key}`,
      EXIT.nothingFound,
    );
  if (context.json) {
    if (isOneTurn) printJson(context, { session, turn: turns.first });
    else printJsonList(context, { session }, 'turns', turns.all);
    return EXIT.ok;
  }
  const { style } = context;
  const full = flags.has('full');
  const label = sourceOf(row.source)?.label;
  const home = context.variables.HOME;
  print(
    context,
    renderSessionHeader(session, style, {
      now,
      ...(label !== undefined && { label }),
      ...(home !== undefined && { home }),
    }),
  );
  if (!turns.first && row.parent) print(context, `\nIts turns belong to ${row.parent.key}; --with-parent shows them.`);
  for (const turn of turns.all) {
    print(context, '');
    print(
      context,
      renderTurn(turn, style, {
        outputs: full ? 'full' : 'folded',
        thinking: full ? 'full' : 'folded',
        now,
        ...(row.cwd !== undefined && { cwd: row.cwd }),
      }),
    );
  }
  return EXIT.ok;
}

/** The first of some turns, and all of them: they are made one by one, since a long session is not to be held. */
function begun(turns: Generator<Turn, undefined>): { readonly first: Turn | undefined; readonly all: Iterable<Turn> } {
  const first = turns.next().value;
  return { first, all: first ? chained(first, turns) : [] };
}

function* chained(first: Turn, rest: Iterable<Turn>): Iterable<Turn> {
  yield first;
  yield* rest;
}

function rangeOf(text: string | undefined): readonly [number, number] | undefined {
  if (text === undefined) return undefined;
  const said = /^(\d+)(?:-(\d+)?)?$/.exec(text);
  if (!said) throw new UserError('bad_range', `--turns takes A-B, not “${text}”.`, 'See portolan show --help.');
  const first = Number(said[1]);
  const last = said[2] !== undefined ? Number(said[2]) : text.endsWith('-') ? Number.MAX_SAFE_INTEGER : first;
  if (last < first)
    throw new UserError('bad_range', `--turns takes A-B, the lower first, not “${text}”.`, 'See portolan show --help.');
  return [first, last];
}
