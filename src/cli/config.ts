import { resolve } from 'node:path';
import { SOURCES } from '../agents/registry.ts';
import { openForReading } from '../holdings/opening.ts';
import { problemOf, readSettings, type SettingValue, type SettingValues, writeSettings } from '../home/config.ts';
import { homeOf } from '../home/paths.ts';
import { SETTINGS, type Setting } from '../home/settings.ts';
import { type ProposedFamily, projectHours, proposeFamilies } from '../projects/families.ts';
import { plural } from '../render/numbers.ts';
import { shellOf, shellWord } from '../render/shell.ts';
import { dim } from '../render/style.ts';
import { type Command, type Context, EXIT, UserError } from './command.ts';
import { readFlags } from './flags.ts';
import { print, printJson, say } from './output.ts';

export const config: Command = {
  name: 'config',
  worksOnRuins: true,
  summary: 'what is read and kept: exclusions, secrets of your own, project names',
  help: `Usage: portolan config                       every setting, and where they are kept
       portolan config get KEY
       portolan config set KEY VALUE…        a list becomes these values
       portolan config add KEY VALUE…        a list gets these too
       portolan config remove KEY VALUE…     a list loses these
       portolan config unset KEY             as if it had never been set

Settings:
${SETTINGS.map(({ key, summary }) => `  ${key.padEnd(28)} ${summary}`).join('\n')}

Where a setting has names (projects.aliases, projects.families) the name comes
before its values: portolan config add projects.families harbour pier quay

  --json   print one JSON document`,
  async run(context) {
    const { words } = readFlags('config', context.args, {});
    const [action, key, ...given] = words;
    const home = homeOf(context.variables);
    const values = readSettings(home);
    if (action === undefined) return showAll(context, home.config, values);
    if (!isAction(action))
      throw new UserError('bad_action', `config does not know “${action}”.`, 'One of get, set, add, remove, unset.');
    const setting = settingOf(key);
    if (action === 'get') return showOne(context, setting, values);
    const items = action === 'unset' ? [] : given.map((item) => spelled(context, setting, item));
    const now = changed(setting, values.get(setting.key), action, items);
    const after = new Map(values);
    if (now === undefined) after.delete(setting.key);
    else after.set(setting.key, checked(setting, now));
    writeSettings(home, after);
    if (setting.key.startsWith('exclude.') && (action === 'set' || action === 'add'))
      say(context, 'It will not be read from now on. What was already read stays until you run portolan forget.');
    if (setting.key === 'sources.modules' && (action === 'set' || action === 'add'))
      say(
        context,
        'It is a program: whenever Portolan runs it may do all that you may. Try it with portolan source check.',
      );
    return showOne(context, setting, after);
  },
};

const MOST_PROPOSED = 3;

const ACTIONS = ['get', 'set', 'add', 'remove', 'unset'] as const;
type Action = (typeof ACTIONS)[number];

function isAction(text: string): text is Action {
  return ACTIONS.some((action) => action === text);
}

function settingOf(key: string | undefined): Setting {
  const setting = SETTINGS.find((one) => one.key === key);
  if (setting) return setting;
  throw new UserError(
    'no_setting',
    key === undefined ? 'Which setting?' : `There is no setting “${key}”.`,
    `One of: ${SETTINGS.map((one) => one.key).join(', ')}.`,
  );
}

/** Settings that hold folders. */
const FOLDERS: ReadonlySet<string> = new Set(['exclude.paths', 'sources.inside_repositories', 'sources.modules']);

/** A value as it is kept: folders whole, agents by their ids. */
function spelled(context: Context, { key }: Setting, value: string): string {
  if (FOLDERS.has(key) && !/^(?:~|[A-Za-z]:|\\\\)/.test(value)) return resolve(context.cwd, value);
  if (key !== 'exclude.sources') return value;
  const source = SOURCES.find(({ id, label }) => id === value || label.toLowerCase() === value.toLowerCase());
  if (source) return source.id;
  throw new UserError(
    'no_agent',
    `There is no agent “${value}”.`,
    `One of: ${SOURCES.map(({ id }) => id).join(', ')}.`,
  );
}

function changed(
  setting: Setting,
  value: SettingValue | undefined,
  action: Exclude<Action, 'get'>,
  items: readonly string[],
): SettingValue | undefined {
  if (action === 'unset') return undefined;
  if (items.length === 0)
    throw new UserError('no_value', `${setting.key}: which value?`, 'See portolan config --help.');
  switch (setting.kind) {
    case 'value':
      if (action === 'remove') return undefined;
      return items.join(' ');
    case 'list':
      return listed(value, action, items);
    case 'names':
    case 'groups':
      return named(setting, value, action, items);
  }
}

function listed(
  value: SettingValue | undefined,
  action: 'set' | 'add' | 'remove',
  items: readonly string[],
): readonly string[] | undefined {
  const before = Array.isArray(value) ? (value as readonly string[]) : [];
  const after =
    action === 'set'
      ? [...new Set(items)]
      : action === 'add'
        ? [...new Set([...before, ...items])]
        : before.filter((item) => !items.includes(item));
  if (action === 'remove' && after.length === before.length)
    throw new UserError('not_there', `“${items.join(' ')}” is not in the list.`, 'portolan config shows it.');
  return after.length === 0 ? undefined : after;
}

function named(
  { key, kind }: Setting,
  value: SettingValue | undefined,
  action: 'set' | 'add' | 'remove',
  [name, ...items]: readonly string[],
): SettingValue | undefined {
  const before = new Map(Object.entries(typeof value === 'object' && !Array.isArray(value) ? value : {}));
  if (action === 'remove' && items.length === 0) before.delete(name!);
  else if (kind === 'names') {
    if (items.length === 0)
      throw new UserError('no_value', `${key}: what is “${name}” to be called?`, 'See portolan config --help.');
    before.set(name!, items.join(' '));
  } else {
    const list = listed(before.get(name!), action, items);
    if (list === undefined) before.delete(name!);
    else before.set(name!, list);
  }
  return before.size === 0 ? undefined : Object.fromEntries(before);
}

function checked(setting: Setting, value: SettingValue): SettingValue {
  const problem = problemOf(setting, value);
  if (problem === undefined) return value;
  throw new UserError('bad_value', `${setting.key}: ${problem}.`, 'See portolan config --help.');
}

function showOne(context: Context, setting: Setting, values: SettingValues): number {
  const value = values.get(setting.key) ?? standardOf(setting);
  if (context.json) printJson(context, { key: setting.key, value });
  else for (const line of linesOf(value)) print(context, line);
  return EXIT.ok;
}

function showAll(context: Context, path: string, values: SettingValues): number {
  const proposed = familiesProposed(context, values);
  if (context.json) {
    const settings = SETTINGS.map((one) => ({
      key: one.key,
      value: values.get(one.key) ?? standardOf(one),
      isSet: values.has(one.key),
      summary: one.summary,
    }));
    printJson(context, { path, settings, proposedFamilies: proposed });
    return EXIT.ok;
  }
  for (const setting of SETTINGS) {
    print(context, `${setting.key.padEnd(28)} ${dim(context.style, setting.summary)}`);
    const lines = linesOf(values.get(setting.key) ?? standardOf(setting));
    for (const line of lines) print(context, `  ${values.has(setting.key) ? line : dim(context.style, line)}`);
  }
  print(context, '');
  for (const { name, projects, hoursTogether } of proposed) {
    print(
      context,
      `${projects.join(', ')} seem to belong together: ${plural(hoursTogether, 'hour')} in which you worked on two of them.`,
    );
    print(
      context,
      `  portolan config add projects.families ${[name, ...projects].map((word) => shellWord(word, shellOf(context.variables))).join(' ')}`,
    );
  }
  if (proposed.length > 0) print(context, '');
  print(context, dim(context.style, `Kept in ${path}`));
  return EXIT.ok;
}

/** Families that the history shows and the user has not named; none where nothing is indexed. */
function familiesProposed(context: Context, values: SettingValues): ProposedFamily[] {
  const stores = openForReading(homeOf(context.variables));
  if (!stores) return [];
  try {
    // Of the setting's kind: it was looked at when it was read.
    const known = values.get('projects.families') as Readonly<Record<string, readonly string[]>> | undefined;
    return proposeFamilies(projectHours(stores.catalog.db), known).slice(0, MOST_PROPOSED);
  } finally {
    stores.close();
  }
}

function standardOf(setting: Setting): SettingValue {
  return setting.kind === 'value' ? setting.standard : setting.kind === 'list' ? [] : {};
}

function linesOf(value: SettingValue): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return [...(value as readonly string[])];
  return Object.entries(value).map(([name, one]) => `${name}: ${typeof one === 'string' ? one : one.join(', ')}`);
}
