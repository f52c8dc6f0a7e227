import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environment, environmentOf } from '../agents/environment.ts';
import { SOURCES } from '../agents/registry.ts';
import { homeOf } from '../home/paths.ts';
import { type Command, type Context, EXIT, isTerminal, UserError } from './command.ts';
import { readFlags } from './flags.ts';
import { summaryOf, updateIndex } from './indexing.ts';
import { print } from './output.ts';
import { openPicker } from './pick.ts';

export const start: Command = {
  name: 'start',
  summary: 'find the histories on this machine, index them, and search',
  help: `Usage: portolan start [--demo]

Finds the histories of your coding agents, indexes them, and opens the picker to
search them. Without a terminal it prints a summary.

  --demo   a small sample instead, kept apart from your own history`,
  async run(context) {
    const flags = readFlags('start', context.args, { demo: { type: 'boolean' } }, 0);
    const here = flags.has('demo') ? demo(context) : context;
    const report = await updateIndex(here);
    if (report.sessions === 0 && !report.busy) return nothingFound(here);
    for (const line of summaryOf(report)) print(here, line);
    const left = isTerminal(here) ? await openPicker(here) : undefined;
    if (left === undefined) print(here, 'Search with: portolan search <words>');
    return left ?? EXIT.ok;
  },
};

/** The sample's home beside the bundle, or in the repository. */
function sampleHome(): string {
  const found = ['./sample', '../../sample']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(path));
  if (found === undefined)
    throw new UserError('no_sample', 'The sample is missing.', 'Reinstall Portolan.', EXIT.nothingSearched);
  return found;
}

/** A context of the sample: a home of its own, so that nothing of the user's is mixed with it. */
function demo(context: Context): Context {
  const home = join(homeOf(context.variables).path, 'demo');
  const user = join(home, 'user');
  cpSync(sampleHome(), user, { recursive: true, preserveTimestamps: true });
  const variables = { ...withoutHistories(context.variables, user), PORTOLAN_HOME: home, HOME: user };
  return { ...context, cwd: user, variables };
}

/** An environment without what leads any agent's history out of a user's folder: a home of its own, a folder of settings. */
function withoutHistories(variables: NodeJS.ProcessEnv, user: string): NodeJS.ProcessEnv {
  const rootsWith = (some: NodeJS.ProcessEnv) => {
    const env = { ...environment([], some), home: user };
    return SOURCES.flatMap((source) => source.roots(env).map(({ path }) => path)).join('\n');
  };
  const own = rootsWith({});
  return Object.fromEntries(Object.entries(variables).filter(([name, value]) => rootsWith({ [name]: value }) === own));
}

function nothingFound(context: Context): number {
  print(context, 'No history of a coding agent was found. Portolan looked in:');
  const env = environmentOf(homeOf(context.variables), context.variables);
  for (const source of SOURCES) for (const root of source.roots(env)) print(context, `  ${source.label}: ${root.path}`);
  print(context, '');
  const start = context.variables.npm_lifecycle_event === 'start' ? 'npm start -- --demo' : 'portolan start --demo';
  print(context, `To try it on a small sample: ${start}`);
  return EXIT.ok;
}
