import { sourceOf } from '../agents/registry.ts';
import { formatCount } from '../render/numbers.ts';
import { renderSessionList } from '../render/session.ts';
import { listSessions } from '../search/answers/sessions.ts';
import { parseQuery } from '../search/query/parse.ts';
import { sessionOf } from '../search/transcripts/transcript.ts';
import { type Command, EXIT } from './command.ts';
import { readFlags } from './flags.ts';
import { print, printJson, say } from './output.ts';
import { queryText } from './query-text.ts';
import { answered } from './stores.ts';

export const sessions: Command = {
  name: 'sessions',
  summary: 'list sessions, the newest first',
  help: `Usage: portolan sessions [filters] [--all] [--gone] [--limit N] [--json]

Words are looked for in titles; the rest of the query language means the same
as in search: source:codex  project:NAME  -branch:main  tool:edit  is:error
since:7d  last week  not codex
  --all        sub-agents’ sessions too
  --gone       sessions whose file the agent deleted, and prompts whose
               transcript is gone
  --limit N    how many (10; at most 1000)
  --cursor C   go on after the last page
  --json       print one JSON document`,
  async run(context) {
    const flags = readFlags('sessions', context.args, {
      all: { type: 'boolean' },
      gone: { type: 'boolean' },
      limit: { type: 'string' },
      cursor: { type: 'string' },
    });
    const now = Date.now();
    const options = {
      all: flags.has('all'),
      gone: flags.has('gone'),
      limit: flags.number('limit', 1, 1000) ?? 10,
      offset: flags.number('cursor', 0, 1_000_000) ?? 0,
    };
    const { list, found } = await answered(context, (stores) => {
      const list = listSessions(stores, parseQuery(queryText(flags.words), now), options);
      return { list, found: list.rows.map((row) => sessionOf(stores, row, now)) };
    });
    for (const warning of list.warnings) say(context, warning);
    if (context.json) printJson(context, { total: list.total, cursor: list.cursor, sessions: found });
    else if (found.length === 0 && list.total === 0 && flags.words.length === 0 && !options.gone)
      print(context, 'There are no sessions yet. portolan doctor says where it looks for histories.');
    else if (found.length === 0) print(context, 'No session matches.');
    else {
      const labelOf = (source: string) => sourceOf(source)?.label ?? source;
      print(context, renderSessionList(found, context.style, now, { labelOf }));
      if (list.cursor !== null)
        print(
          context,
          `${formatCount(found.length)} of ${formatCount(list.total)}; --cursor ${list.cursor} shows more`,
        );
    }
    return found.length > 0 ? EXIT.ok : EXIT.nothingFound;
  },
};
