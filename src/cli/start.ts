import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { SOURCES } from '../agents/registry.ts';
import { homeOf } from '../home/paths.ts';
import { environment } from '../ingest/environment.ts';
import { bold, dim } from '../render/style.ts';
import { parseQuery } from '../search/parse.ts';
import { search as find } from '../search/search.ts';
import { type Command, type Context, EXIT, UserError } from './command.ts';
import { readFlags } from './flags.ts';
import { type IndexReport, summaryOf, updateIndex } from './indexing.ts';
import { print } from './output.ts';
import { printResult } from './search.ts';
import { show } from './show.ts';
import { answered } from './stores.ts';

export const start: Command = {
  name: 'start',
  summary: 'find the histories on this machine, index them, and search',
  help: `Usage: portolan start [--demo]

Finds the histories of your coding agents, indexes them, and opens a prompt to
search them. Without a terminal it prints a summary.

  --demo   a small sample instead, kept apart from your own history`,
  async run(context) {
    const flags = readFlags('start', context.args, { demo: { type: 'boolean' } });
    const here = flags.has('demo') ? demo(context) : context;
    const report = await updateIndex(here);
    if (report.sessions === 0) return nothingFound(here);
    for (const line of summaryOf(report)) print(here, line);
    if (here.stdin.isTTY && here.stdout.isTTY) await prompt(here);
    else print(here, next(report));
    return EXIT.ok;
  },
};

/** The sample's home beside the bundle, or in the repository. */
function sampleHome(): string {
  const found = ['./sample', '../../sample']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(path));
  if (found === undefined)
    throw new UserError('no_sample', 'The sample is not here.', 'Install Portolan again.', EXIT.nothingSearched);
  return found;
}

/** A context of the sample: a home of its own, so that nothing of the user's is mixed with it. */
function demo(context: Context): Context {
  const home = join(homeOf(context.variables).path, 'demo');
  const user = join(home, 'user');
  cpSync(sampleHome(), user, { recursive: true, preserveTimestamps: true });
  const { CLAUDE_CONFIG_DIR: _, ...variables } = context.variables;
  return { ...context, cwd: user, variables: { ...variables, PORTOLAN_HOME: home, HOME: user } };
}

function nothingFound(context: Context): number {
  print(context, 'No history of a coding agent was found. Portolan looked in:');
  const env = environment([context.cwd], context.variables);
  for (const source of SOURCES) for (const root of source.roots(env)) print(context, `  ${source.label}: ${root.path}`);
  print(context, '');
  print(context, 'To try it on a small sample: npm start -- --demo');
  return EXIT.ok;
}

function next(report: IndexReport): string {
  return report.sessions > 0 ? 'Search with: portolan search <words>' : '';
}

/** Asks for queries until the end of input. A number opens the turn of that hit. */
async function prompt(context: Context): Promise<void> {
  const { style } = context;
  const asking = createInterface({ input: context.stdin, output: context.stdout, prompt: bold(style, 'search › ') });
  print(context, dim(style, 'Words, "phrases", -not, since:7d, project:name. A number reads that hit; Ctrl-D ends.'));
  let ids: readonly string[] = [];
  asking.on('SIGINT', () => asking.close());
  asking.prompt();
  for await (const line of asking) {
    const text = line.trim();
    if (text === 'q' || text === 'quit' || text === 'exit') break;
    const id = ids[Number(text) - 1];
    if (/^\d+$/.test(text) && id !== undefined) await show.run({ ...context, args: [id], json: false });
    else if (text !== '') ids = searched(context, text);
    asking.prompt();
  }
  asking.close();
}

function searched(context: Context, text: string): string[] {
  const now = Date.now();
  const result = answered(context, (stores) => find(stores, parseQuery(text, now), { limit: 8, now }));
  printResult(context, result, now);
  return result.hits.map((hit) => hit.id);
}
