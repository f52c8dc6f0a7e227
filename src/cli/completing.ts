import { SOURCES } from '../agents/registry.ts';
import { openForReading } from '../holdings/opening.ts';
import type { Stores } from '../holdings/stores.ts';
import { homeOf } from '../home/paths.ts';
import { SETTINGS } from '../home/settings.ts';
import { strictLine } from '../render/safe.ts';
import { suggest } from '../search/answers/suggest.ts';
import { escaped } from '../search/matching/sql.ts';
import { AGENTS } from '../setup/setup.ts';
import { isDamage } from '../store/damage.ts';
import type { Command, Context } from './command.ts';

/** What a word may become, and what that is. */
export interface Candidate {
  readonly text: string;
  readonly about?: string;
}

const MOST = 50;

/**
 * What the last word of a command line may become; the words begin after `portolan`. Never an error: a shell that
 * completes has nowhere to show one.
 */
export async function candidatesFor(context: Context, words: readonly string[]): Promise<Candidate[]> {
  try {
    const [name, ...rest] = words;
    if (rest.length === 0) return beginningWith(name ?? '', await commands(context));
    const command = name === undefined ? undefined : await context.commands.get(name)?.();
    if (name === 'help') return beginningWith(rest.at(-1)!, await commands(context));
    return command ? ofCommand(context, command, rest) : [];
  } catch {
    return [];
  }
}

async function commands(context: Context): Promise<Candidate[]> {
  const all = await Promise.all([...context.commands.values()].map((load) => load()));
  return all.map(({ name, summary }) => ({ text: name, about: summary }));
}

function ofCommand(context: Context, { name, help }: Command, words: readonly string[]): Candidate[] {
  const current = words.at(-1) ?? '';
  const before = words.at(-2);
  if (current.startsWith('-')) return beginningWith(current, flagsIn(help));
  if (before === '--source') return beginningWith(current, sources());
  if (before === '--before') return beginningWith(current, [{ text: '30d' }, { text: '90d' }, { text: '365d' }]);
  switch (name) {
    case 'setup':
      return beginningWith(
        current,
        AGENTS.map(({ id, label }) => ({ text: id, about: label })),
      );
    case 'config':
      return beginningWith(current, words.length === 1 ? ACTIONS : words.length === 2 ? settings() : []);
    case 'completions':
      return beginningWith(
        current,
        ['bash', 'zsh', 'fish', 'powershell'].map((text) => ({ text })),
      );
    case 'search':
    case 'sessions':
      return fromIndex(context, (stores) => pieces(stores, current));
    case 'show':
    case 'resume':
      return fromIndex(context, (stores) => sessions(stores, current));
    case 'forget':
      return fromIndex(context, (stores) => [...projects(stores, current), ...sessions(stores, current)]);
    default:
      return [];
  }
}

/** The options that a command's help describes: it names each one at the beginning of a line. */
function flagsIn(help: string): Candidate[] {
  const flags = [...help.matchAll(/^ {2}(--[a-z][a-z-]*)(?: [A-Z]\S*)?\s+(\S.*)$/gm)];
  return [
    ...flags.map(([, text, about]) => ({ text: text!, about: about! })),
    { text: '--help', about: 'what it does' },
  ];
}

const ACTIONS: readonly Candidate[] = ['get', 'set', 'add', 'remove', 'unset'].map((text) => ({ text }));

function settings(): Candidate[] {
  return SETTINGS.map(({ key, summary }) => ({ text: key, about: summary }));
}

function sources(): Candidate[] {
  return SOURCES.map(({ id, label }) => ({ text: id, about: label }));
}

/** What a piece of a query may become; a value with spaces would have to be quoted twice, so it is left to the typist. */
function pieces(stores: Stores, current: string): Candidate[] {
  const { from, suggestions } = suggest(stores, current);
  return suggestions
    .filter(({ text }) => !/[\s"]/.test(text))
    .map(({ text, label, count }) => {
      const about = label ?? (count === undefined ? undefined : `in ${count}`);
      return { text: current.slice(0, from) + text, ...(about !== undefined && { about: strictLine(about) }) };
    });
}

function sessions({ catalog }: Stores, beginning: string): Candidate[] {
  const pattern = `${escaped(beginning)}%`;
  return catalog
    .sessions(
      "hidden = 0 AND kind = 'transcript' AND (key LIKE ? ESCAPE '\\' OR native_id LIKE ? ESCAPE '\\')",
      [pattern, pattern],
      'active DESC',
      MOST,
    )
    .map(({ key, nativeId, title }) => ({
      text: key.startsWith(beginning) ? key : nativeId,
      ...(title !== undefined && { about: strictLine(title).slice(0, 80) }),
    }));
}

function projects({ catalog }: Stores, beginning: string): Candidate[] {
  const names = catalog.db.rows<{ name: string; n: number }>(
    'SELECT project AS name, count(*) AS n FROM sessions WHERE project IS NOT NULL GROUP BY project ORDER BY n DESC LIMIT ?',
    MOST,
  );
  return beginningWith(
    beginning,
    names.map(({ name, n }) => ({ text: name, about: `project, ${n} sessions` })),
  ).filter(({ text }) => !/\s/.test(text));
}

function fromIndex(context: Context, ask: (stores: Stores) => Candidate[]): Candidate[] {
  let stores: Stores | undefined;
  try {
    stores = openForReading(homeOf(context.variables));
    return stores ? ask(stores) : [];
  } catch (error) {
    // While somebody types is no time to tell of it.
    if (isDamage(error)) return [];
    throw error;
  } finally {
    stores?.close();
  }
}

function beginningWith(beginning: string, all: readonly Candidate[]): Candidate[] {
  const typed = beginning.toLowerCase();
  return all.filter(({ text }) => text.toLowerCase().startsWith(typed));
}
