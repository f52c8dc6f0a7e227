import { homeOf } from '../home/paths.ts';
import { redactedLog } from '../redact/log.ts';
import { failureLine } from '../render/failures.ts';
import { type Command, type Context, EXIT } from './command.ts';
import { readFlags } from './flags.ts';
import { type IndexReport, isFailed, summaryOf, updateIndex } from './indexing.ts';
import { print, printJson } from './output.ts';

export const index: Command = {
  name: 'index',
  summary: 'read what is new in the agents’ histories',
  help: `Usage: portolan index [--background] [--json]

Finds the histories of your coding agents, reads what changed since the last
time, and makes it searchable, the newest first. Search works meanwhile.
Nothing of the agents is written or locked. Where another Portolan is reading,
that one goes first, and what it leaves is read then.

  --background   for when nobody waits: leaves the reading to another Portolan
                 that is at it, and tidies the index up afterwards
  --json         print a report: what was read, what failed, what was never seen before`,
  async run(context) {
    const flags = readFlags('index', context.args, { background: { type: 'boolean' } }, 0);
    const report = await updateIndex(context, { isBehind: flags.has('background') });
    noteIndexing(context, report);
    if (context.json) printJson(context, report);
    else for (const line of summaryOf(report)) print(context, line);
    return Object.values(report.sources).some(isFailed) ? EXIT.sourceFailed : EXIT.ok;
  },
};

/** An indexing that runs behind an answer tells nobody else what it met. */
function noteIndexing(context: Context, report: IndexReport): void {
  const log = redactedLog(homeOf(context.variables));
  log.note(`index: ${summaryOf(report).join('; ')}`);
  for (const { failed } of Object.values(report.sources))
    for (const failure of failed) log.error(`index: ${failureLine(failure)}`);
}
