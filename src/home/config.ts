import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type Home, makeHome } from './paths.ts';
import { isLogging, type Keep, keepOf, type Logging, SETTINGS, type Setting } from './settings.ts';

/** What the user has set, with what holds where nothing is. */
export interface Config {
  readonly exclude: {
    readonly sources: readonly string[];
    readonly projects: readonly string[];
    readonly paths: readonly string[];
    readonly sessions: readonly string[];
  };
  readonly sources: {
    /** Folders that hold histories of their own which are read too. */
    readonly insideRepositories: readonly string[];
    /** Modules that are sources of the user's own. */
    readonly modules: readonly string[];
  };
  readonly keep: Keep;
  readonly redaction: {
    /** Sources of regular expressions; each one compiles. */
    readonly patterns: readonly string[];
    readonly allow: readonly string[];
  };
  readonly projects: {
    /** What a project is called, by its own name or its folder. */
    readonly aliases: Readonly<Record<string, string>>;
    /** The projects of a family, by its name. */
    readonly families: Readonly<Record<string, readonly string[]>>;
  };
  readonly log: Logging;
}

/** The configuration cannot be understood: nothing is guessed, since a misread exclusion would be a leak. */
export class ConfigError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** What helps where a setting is not understood: then every other command is refused too. */
const MENDING = 'Fix it in the file, or delete the file to start over; portolan config --help lists every setting.';

/** What one setting holds: `undefined` where the user has set nothing. */
export type SettingValue = string | readonly string[] | Readonly<Record<string, string | readonly string[]>>;

/** The settings as they stand in the file, by key. */
export type SettingValues = ReadonlyMap<string, SettingValue>;

/** Reads the configuration. @throws ConfigError where the file holds anything that is not understood */
export function readConfig(home: Home): Config {
  return configOf(readSettings(home));
}

/** The settings that the user has made. @throws ConfigError */
export function readSettings(home: Home): SettingValues {
  let text: string;
  try {
    text = readFileSync(home.config, 'utf8');
  } catch (error) {
    if (!existsSync(home.config)) return new Map();
    throw new ConfigError(
      `${home.config} cannot be read: ${messageOf(error)}`,
      'Check that Portolan may read its own folder.',
    );
  }
  let document: unknown;
  try {
    document = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ConfigError(
      `${home.config} is not valid JSON: ${messageOf(error)}`,
      'Fix the file, or delete it to start over.',
    );
  }
  return settingsIn(document, home.config);
}

/** Writes the settings, whole or not at all; the file is its owner's alone. @throws where it cannot be written */
export function writeSettings(home: Home, values: SettingValues): void {
  makeHome(home);
  const made = `${home.config}.new`;
  writeFileSync(made, `${JSON.stringify(documentOf(values), null, 2)}\n`, { mode: 0o600 });
  renameSync(made, home.config);
}

/** What is wrong with a value for a setting; undefined where nothing is. */
export function problemOf(setting: Setting, value: unknown): string | undefined {
  switch (setting.kind) {
    case 'value':
      return typeof value === 'string' ? setting.problem(value) : 'it must be a text';
    case 'list':
      return isTexts(value)
        ? value
            .map((item) => (item.trim() === '' ? 'it is empty' : setting.problem?.(item)))
            .find((one) => one !== undefined)
        : 'it must be a list of strings';
    case 'names':
      return isRecord(value) && Object.values(value).every((one) => typeof one === 'string')
        ? undefined
        : 'it must map each name to a string';
    case 'groups':
      return isRecord(value) && Object.values(value).every(isTexts) ? undefined : 'it must map each name to a list';
  }
}

function settingsIn(document: unknown, path: string): SettingValues {
  const values = new Map<string, SettingValue>();
  const wrong = (key: string, problem: string): never => {
    throw new ConfigError(`${path}: “${key}”: ${problem}.`, MENDING);
  };
  if (!isRecord(document)) throw new ConfigError(`${path} is not a settings object.`, MENDING);
  for (const [name, inner] of Object.entries(document)) {
    const nested = SETTINGS.some(({ key }) => key.startsWith(`${name}.`));
    if (nested && !isRecord(inner)) wrong(name, 'it must be an object');
    const entries =
      nested && isRecord(inner)
        ? Object.entries(inner).map(([sub, value]) => [`${name}.${sub}`, value] as const)
        : [[name, inner] as const];
    for (const [key, value] of entries) {
      const setting = SETTINGS.find((one) => one.key === key) ?? wrong(key, 'there is no such setting');
      const problem = problemOf(setting, value);
      if (problem !== undefined) wrong(key, problem);
      // Of the setting's kind: `problemOf` has looked.
      values.set(key, value as SettingValue);
    }
  }
  return values;
}

function configOf(values: SettingValues): Config {
  // Each value has the shape of its setting's kind: `settingsIn` has looked.
  const list = (key: string) => (values.get(key) ?? []) as readonly string[];
  const record = <T>(key: string) => (values.get(key) ?? {}) as Readonly<Record<string, T>>;
  const log = String(values.get('log') ?? 'errors');
  return {
    exclude: {
      sources: list('exclude.sources'),
      projects: list('exclude.projects'),
      paths: list('exclude.paths'),
      sessions: list('exclude.sessions'),
    },
    sources: { insideRepositories: list('sources.inside_repositories'), modules: list('sources.modules') },
    keep: keepOf(String(values.get('keep') ?? 'forever')) ?? 'forever',
    redaction: { patterns: list('redaction.patterns'), allow: list('redaction.allow') },
    projects: {
      aliases: record<string>('projects.aliases'),
      families: record<readonly string[]>('projects.families'),
    },
    log: isLogging(log) ? log : 'errors',
  };
}

function documentOf(values: SettingValues): object {
  const document: Record<string, unknown> = {};
  for (const { key } of SETTINGS) {
    const value = values.get(key);
    if (value === undefined) continue;
    const [outer, inner] = key.split('.');
    if (inner === undefined) document[outer!] = value;
    else document[outer!] = { ...(document[outer!] as object | undefined), [inner]: value };
  }
  return document;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
