import { existsSync } from 'node:fs';
import { SOURCES } from '../agents/registry.ts';
import type { CatalogSession } from '../catalog/listed.ts';
import type { Stores } from '../holdings/stores.ts';
import { type Home, homeOf } from '../home/paths.ts';
import {
  clean,
  type Forgotten,
  forget as forgetAll,
  isUnclean,
  recall,
  withDependents,
} from '../ingest/clearing/forget.ts';
import { redactedLog } from '../redact/log.ts';
import { formatCount, plural } from '../render/numbers.ts';
import { progressBar } from '../render/progress.ts';
import { oneLine } from '../render/safe.ts';
import { dim } from '../render/style.ts';
import { localDate } from '../render/times.ts';
import { ruinsIn } from '../repair/ruins.ts';
import { calendarOf, spanOf } from '../search/query/times.ts';
import { identify } from '../search/transcripts/identify.ts';
import { Busy } from '../store/lease.ts';
import { agrees } from './asking.ts';
import { type Command, type Context, EXIT, UserError } from './command.ts';
import { type Flags, readFlags } from './flags.ts';
import { updateIndex } from './indexing.ts';
import { print, printJson, say } from './output.ts';
import { answered, namedSession } from './stores.ts';

export const forget: Command = {
  name: 'forget',
  summary: 'delete sessions from the archive and the index, for good',
  help: `Usage: portolan forget <session or project>… [--before DATE] [--source AGENT]
       portolan forget --before DATE [--source AGENT]
       portolan forget --undo <session>…

Nothing of them stays in Portolan’s files, and they are not read again. Shows
what will go and asks first. The agents’ own files are not touched.
Sub-agents go with their session, and so do sessions that repeat turns of it
(forks, resumed sessions).

  --before DATE   sessions that were last active before: 2026-01-31, 90d
  --source AGENT  sessions of one agent
  --only          leave the sessions that repeat turns of it
  --undo          read a forgotten session again, as far as its files are there
  --yes           do not ask
  --json          print one JSON document; without --yes only what would go`,
  async run(context) {
    const flags = readFlags('forget', context.args, {
      before: { type: 'string' },
      source: { type: 'string' },
      only: { type: 'boolean' },
      undo: { type: 'boolean' },
      yes: { type: 'boolean' },
    });
    const home = homeOf(context.variables);
    try {
      return flags.has('undo') ? undo(context, home, flags.words) : await forgetSome(context, home, flags);
    } catch (error) {
      if (!(error instanceof Busy)) throw error;
      throw new UserError(
        'busy',
        error.message,
        'Stop it first: forgetting rewrites the archive.',
        EXIT.nothingSearched,
      );
    }
  },
};

async function forgetSome(context: Context, home: Home, flags: Flags): Promise<number> {
  const namesNone = flags.words.length === 0 && flags.text('before') === undefined;
  const wasBrokenOff = existsSync(home.archive) && (await answered(context, isUnclean));
  if (wasBrokenOff) withBar(context, (onRebuild) => clean(home, onRebuild));
  if (namesNone && wasBrokenOff) {
    if (context.json) printJson(context, { forgotten: true, sessions: [] });
    else print(context, 'What was forgotten before is now gone without a trace.');
    return EXIT.ok;
  }
  if (namesNone)
    throw new UserError(
      'nothing_named',
      'What should be forgotten?',
      'A session, a project, or --before a date: see portolan forget --help.',
    );
  // What lies in the agents' files unread would be read after.
  if ((await updateIndex(context)).busy) throw new Busy();
  const sessions = await answered(context, (stores) => withDependents(stores, named(stores, flags), flags.has('only')));
  if (sessions.length === 0) {
    if (context.json) printJson(context, { forgotten: false, sessions: [] });
    else print(context, 'No session matches, so there is nothing to forget.');
    return EXIT.nothingFound;
  }
  const document = (forgotten: boolean) => ({
    forgotten,
    sessions: sessions.map(({ session, because }) => ({ id: session.key, because, turns: session.turns })),
  });
  if (context.json && !flags.has('yes')) {
    printJson(context, document(false));
    return EXIT.ok;
  }
  if (!context.json) describe(context, sessions);
  if (!context.json && ruinsIn(home).length > 0)
    print(context, 'The damaged archives that portolan repair has kept are deleted too: they may still hold them.');
  if (!flags.has('yes') && !(await agrees(context)))
    throw new UserError('not_confirmed', 'Nothing was forgotten.', 'To accept, add --yes.');
  withBar(context, (onRebuild) => forgetAll(home, sessions, onRebuild));
  redactedLog(home).note(`forget: ${plural(sessions.length, 'session')}`);
  if (context.json) printJson(context, document(true));
  else
    print(
      context,
      `Forgotten: ${plural(sessions.length, 'session')}. What the agents keep themselves is still theirs.`,
    );
  return EXIT.ok;
}

function undo(context: Context, home: Home, words: readonly string[]): number {
  if (words.length === 0) throw new UserError('no_id', 'Which session?', 'portolan forget --undo <source>:<id>');
  // What was forgotten is known by a hash of its whole key alone.
  const recalled = words.filter((key) => recall(home, key));
  if (context.json) printJson(context, { recalled });
  else if (recalled.length > 0) print(context, 'portolan index reads it again, as far as the agent still has it.');
  if (recalled.length === words.length) return EXIT.ok;
  say(context, 'Nothing was forgotten under that id: give the whole id with its agent, as portolan forget printed it.');
  return EXIT.nothingFound;
}

/** The sessions that are asked for: by their ids or those of a project, of one agent, last active before a date. */
function named(stores: Stores, flags: Flags): CatalogSession[] {
  const before = flags.text('before');
  const source = flags.text('source');
  const limits: { readonly sql: string; readonly value: string | number }[] = [
    ...(before === undefined ? [] : [{ sql: 's.active < ?', value: dateOf(before) }]),
    ...(source === undefined ? [] : [{ sql: 's.source = ?', value: sourceNamed(source) }]),
  ];
  const matching = (sql: string, ...values: string[]) =>
    stores.catalog.sessions(
      [sql, ...limits.map((limit) => limit.sql)].join(' AND '),
      [...values, ...limits.map((limit) => limit.value)],
      's.active DESC',
      -1,
    );
  if (flags.words.length === 0) return matching('1');
  return flags.words.flatMap((word) => {
    const identified = identify(stores, word);
    if (identified.found === 'session') return matching('s.key = ?', identified.session.key);
    const ofProject = matching('(s.project = ? COLLATE NOCASE OR s.cwd = ?)', word, word);
    if (ofProject.length > 0) return ofProject;
    if (identified.found === 'several') namedSession(stores, word, 'forget');
    throw new UserError(
      'not_found',
      `There is no session or project “${word}”${limits.length > 0 ? ' within those limits' : ''}.`,
      'portolan sessions lists them all.',
      EXIT.nothingFound,
    );
  });
}

/** The beginning of what a date names. */
function dateOf(text: string): number {
  const span = spanOf(text, calendarOf(Date.now()));
  if (span) return span.from;
  throw new UserError(
    'bad_value',
    `--before does not understand the date “${text}”.`,
    'Like 2026-01-31, 90d, yesterday.',
  );
}

function sourceNamed(name: string): string {
  const source = SOURCES.find(({ id, label }) => [id, label.toLowerCase()].includes(name.toLowerCase()));
  if (source) return source.id;
  throw new UserError('no_agent', `There is no agent “${name}”.`, `One of: ${SOURCES.map(({ id }) => id).join(', ')}.`);
}

const MOST_LISTED = 12;

function describe(context: Context, sessions: readonly Forgotten[]): void {
  const { style } = context;
  const turns = sessions.reduce((sum, { session }) => sum + session.turns, 0);
  print(context, `Portolan will forget ${plural(sessions.length, 'session')} with ${plural(turns, 'turn')}:`);
  for (const { session, because } of sessions.slice(0, MOST_LISTED)) {
    const when = session.active === undefined ? '' : localDate(session.active);
    const why = because === session.key ? '' : `, with ${because}`;
    print(context, `  ${session.key}  ${oneLine(session.title ?? '')} ${dim(style, `${when}${why}`)}`);
  }
  if (sessions.length > MOST_LISTED)
    print(context, dim(style, `  … and ${formatCount(sessions.length - MOST_LISTED)} more`));
}

function withBar(context: Context, work: (onRebuild: (done: number, total: number) => void) => void): void {
  const bar = progressBar(context.stderr, { style: context.style });
  try {
    work((done, total) => bar.update({ done, total, bytes: 0, sessions: done, turns: 0 }));
  } finally {
    bar.end('clear');
  }
}
