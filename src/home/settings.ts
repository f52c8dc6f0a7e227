import { linearPattern } from './linear-pattern.ts';

/** How long the archive keeps what the agent itself has deleted. */
export type Keep = 'forever' | 'as the agent' | { readonly days: number };

/** What a user may set. The shape of a value, and what it does, in a line. */
export type Setting = { readonly key: string; readonly summary: string } & (
  | { readonly kind: 'list'; readonly problem?: (item: string) => string | undefined }
  | { readonly kind: 'value'; readonly standard: string; readonly problem: (value: string) => string | undefined }
  /** A text for each name. */
  | { readonly kind: 'names' }
  /** A list for each name. */
  | { readonly kind: 'groups' }
);

/** Every setting there is. */
export const SETTINGS: readonly Setting[] = [
  { key: 'exclude.sources', kind: 'list', summary: 'agents that are not read' },
  { key: 'exclude.projects', kind: 'list', summary: 'projects whose sessions are not read' },
  {
    key: 'exclude.paths',
    kind: 'list',
    summary: 'folders: sessions that ran in them, and histories that lie in them, are not read',
    problem: problemOfFolder,
  },
  { key: 'exclude.sessions', kind: 'list', summary: 'sessions that are not read' },
  {
    key: 'sources.inside_repositories',
    kind: 'list',
    summary: 'repositories whose own histories are read too, each as its own project alone',
    problem: problemOfFolder,
  },
  {
    key: 'sources.modules',
    kind: 'list',
    summary: 'sources of your own: files with a program each, which may do all that you may',
    problem: problemOfFolder,
  },
  {
    key: 'keep',
    kind: 'value',
    standard: 'forever',
    summary: 'how long to keep what the agent has deleted: forever, N days, as the agent',
    problem: (value) =>
      keepOf(value) === undefined ? 'it must be “forever”, “as the agent”, or like “90 days”' : undefined,
  },
  {
    key: 'redaction.patterns',
    kind: 'list',
    summary: 'regular expressions of secrets of your own, hidden before anything is kept',
    problem: problemOfPattern,
  },
  { key: 'redaction.allow', kind: 'list', summary: 'texts that look like secrets but are not' },
  { key: 'projects.aliases', kind: 'names', summary: 'what a project is called, by its name or folder' },
  { key: 'projects.families', kind: 'groups', summary: 'projects that belong together, under a name' },
  {
    key: 'log',
    kind: 'value',
    standard: 'errors',
    summary: 'what is written to the log file: off, errors, all',
    problem: (value) => (isLogging(value) ? undefined : 'it must be “off”, “errors” or “all”'),
  },
];

export type Logging = 'off' | 'errors' | 'all';

export function isLogging(value: string): value is Logging {
  return value === 'off' || value === 'errors' || value === 'all';
}

/** Reads “forever”, “as the agent”, “90 days”; undefined for anything else. */
export function keepOf(value: string): Keep | undefined {
  const text = value.trim().toLowerCase();
  if (text === 'forever' || text === 'as the agent') return text;
  const days = /^(\d{1,5}) ?(?:d|days?)$/.exec(text)?.[1];
  return days === undefined ? undefined : { days: Number(days) };
}

function problemOfFolder(path: string): string | undefined {
  return /^(?:\/|~|[A-Za-z]:[\\/]|\\\\)/.test(path) ? undefined : 'it must be absolute, or begin with ~';
}

function problemOfPattern(pattern: string): string | undefined {
  try {
    return linearPattern(pattern).test('') ? 'it matches the empty text' : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
