import { environmentOf } from '../agents/environment.ts';
import { homeOf } from '../home/paths.ts';
import { keptPath } from '../ingest/reading/protect.ts';
import { watchHistories } from '../ingest/watch.ts';
import { openForWriting } from '../ingest/writable-stores.ts';
import { redactedLog } from '../redact/log.ts';
import { redactText } from '../redact/redact.ts';
import { formatBytes, plural } from '../render/numbers.ts';
import { type Command, EXIT, UserError } from './command.ts';
import { readFlags } from './flags.ts';
import { print, printJson, say } from './output.ts';

export const watch: Command = {
  name: 'watch',
  summary: 'follow the agents’ histories as they are written',
  help: `Usage: portolan watch [--json]

Reads what is new, then follows the histories by the system's file events: each
line is searchable when it is written. Idle costs nothing. Ctrl-C ends it.

  --json   one JSON document a batch, a line each`,
  async run(context) {
    readFlags('watch', context.args, {}, 0);
    const home = homeOf(context.variables);
    const log = redactedLog(home);
    const stores = openForWriting(home);
    if (!stores)
      throw new UserError(
        'busy',
        'Another Portolan is indexing or watching.',
        'One is enough: search sees what it reads.',
        EXIT.nothingSearched,
      );
    try {
      const env = environmentOf(home, context.variables);
      const watching = await watchHistories(stores, env, {
        followed(changes, { read, bytesRead }) {
          if (read === 0) return;
          log.note(`watch: ${plural(read, 'file')}, ${formatBytes(bytesRead)}`);
          if (context.json)
            printJson(context, { paths: changes.map((change) => keptPath(change.path)), read, bytesRead });
          else print(context, `${new Date().toLocaleTimeString()}  ${plural(read, 'file')}, ${formatBytes(bytesRead)}`);
        },
        failed(path, reason) {
          say(context, redactText(`${keptPath(path)}: ${reason}`).text);
          log.error(`watch: ${path}: ${reason}`);
        },
      });
      if (!context.json) print(context, 'Watching; Ctrl-C stops.');
      await interrupted();
      await watching.close();
      return EXIT.ok;
    } finally {
      stores.close();
    }
  },
};

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}
