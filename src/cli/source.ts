import { resolve } from 'node:path';
import { environmentOf } from '../agents/environment.ts';
import { SOURCES, sourceOf } from '../agents/registry.ts';
import { CAPABILITIES } from '../agents/source.ts';
import { homeOf } from '../home/paths.ts';
import { unitsAt } from '../ingest/changes/units-at.ts';
import { keptPath } from '../ingest/reading/protect.ts';
import { type Understood, understand, understoodOf } from '../ingest/reading/understood.ts';
import { failureLine, unknownTypeLine } from '../render/failures.ts';
import { formatBytes, formatCount, plural } from '../render/numbers.ts';
import { oneLine } from '../render/safe.ts';
import { type Command, type Context, EXIT, UserError } from './command.ts';
import { readFlags } from './flags.ts';
import { print, printJson, say } from './output.ts';

export const source: Command = {
  name: 'source',
  summary: 'the agents whose histories are read, and what a reader makes of files',
  help: `Usage: portolan source [--json]
       portolan source check FILE|FOLDER [--source ID] [--json]

Lists the sources: agents whose histories Portolan reads, and what it knows of
each. With check, one or all of them read a file, an agent’s folder or a whole
home, and it is printed what was understood and what was not. Nothing is kept.

  --source ID     only this source

A source of your own is a module named by sources.modules in the configuration:
docs/writing-a-source.md. It is a program, and may do all that you may.`,
  async run(context) {
    const flags = readFlags('source', context.args, { source: { type: 'string' } }, 2);
    const [action, path] = flags.words;
    if (action === undefined) return listed(context);
    if (action !== 'check')
      throw new UserError('bad_value', `There is no portolan source ${action}.`, 'portolan source check FILE|FOLDER');
    if (path === undefined)
      throw new UserError('nothing_named', 'Which file or folder?', 'portolan source check FILE|FOLDER');
    return checked(context, resolve(context.cwd, path), flags.text('source'));
  },
};

function listed(context: Context): number {
  if (context.json) {
    printJson(context, {
      sources: SOURCES.map(({ id, label, version, capabilities, unverified }) => ({
        id,
        label,
        version,
        capabilities,
        ...(unverified !== undefined && { unverified }),
      })),
    });
    return EXIT.ok;
  }
  for (const { id, label, capabilities, unverified } of SOURCES) {
    print(context, `${label} (${id})${unverified === undefined ? '' : `, unverified: ${unverified}`}`);
    const missing = Object.keys(CAPABILITIES).filter((name) => !capabilities.some((one) => one === name));
    print(context, `  ${capabilities.join(', ')}`);
    if (missing.length > 0) print(context, `  not: ${missing.join(', ')}`);
  }
  return EXIT.ok;
}

async function checked(context: Context, path: string, only: string | undefined): Promise<number> {
  if (only !== undefined && !sourceOf(only))
    throw new UserError(
      'no_agent',
      `There is no source “${only}”.`,
      `One of: ${SOURCES.map(({ id }) => id).join(', ')}.`,
    );
  const env = environmentOf(homeOf(context.variables), context.variables);
  const unreadable = (at: string, reason: string) => say(context, `${oneLine(keptPath(at))}: ${reason}`);
  const found = await unitsAt(path, env, only, { unreadable });
  const bySource = new Map<string, Understood[]>();
  for (const { source: by, unit } of found) {
    const all = bySource.get(by.id) ?? [];
    all.push(await understand(by, unit));
    bySource.set(by.id, all);
  }
  if (context.json)
    printJson(context, {
      checked: [...bySource].map(([id, units]) => ({ source: id, all: understoodOf(units), units })),
    });
  else for (const [id, units] of bySource) printUnderstood(context, sourceOf(id)?.label ?? id, units);
  if (found.length > 0) return EXIT.ok;
  if (!context.json)
    print(context, `No source knows ${oneLine(keptPath(path))}: it is no file of theirs, nor a folder that holds one.`);
  return EXIT.nothingFound;
}

const MOST_SHOWN = 20;

function printUnderstood(context: Context, label: string, units: readonly Understood[]): void {
  const all = understoodOf(units);
  const line = (text: string) => print(context, `  ${text}`);
  print(
    context,
    `${label}: ${plural(units.length, 'unit')}, ${plural(all.sessions, 'session')}, ${plural(all.turns, 'turn')}`,
  );
  line(`${plural(all.records, 'record')}, ${formatBytes(all.bytes)} in ${Math.round(all.tookMs)} ms`);
  line(
    [
      plural(all.texts, 'text'),
      plural(all.thoughts, 'thought'),
      plural(all.notices, 'notice'),
      plural(all.attachments, 'attachment'),
      plural(all.modelCalls, 'request to a model', 'requests to models'),
    ].join(', '),
  );
  const kinds = Object.entries(all.toolCalls).map(([kind, count]) => `${formatCount(count ?? 0)} ${kind}`);
  line(
    kinds.length === 0
      ? 'no tool calls'
      : `tool calls: ${kinds.join(', ')}; ${plural(all.results, 'result')}, ${formatCount(all.errors)} failed`,
  );
  for (const failure of all.failed.slice(0, MOST_SHOWN)) line(`could not read ${failureLine(failure)}`);
  if (all.failed.length > MOST_SHOWN)
    line(`… and ${formatCount(all.failed.length - MOST_SHOWN)} more (--json lists all)`);
  for (const [type, count] of Object.entries(all.unknownRecords)) line(unknownTypeLine(type, count));
  for (const [kind, count] of Object.entries(all.notShown))
    line(`known but not shown: ${formatCount(count)} of ${kind}`);
}
