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
  help: `Usage: portolan index [--json]

Finds the histories of your coding agents, reads what changed since the last
time, and makes it searchable, the newest first. Search works meanwhile.
Nothing of the agents is written or locked.

  --json   print a report: what was read, what failed, what was never seen before`,
  async run(context) {
    readFlags('index', context.args, {}, 0);
    const report = await updateIndex(context);
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
