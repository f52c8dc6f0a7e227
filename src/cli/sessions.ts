import { sourceOf } from '../agents/registry.ts';
import { readConfig } from '../home/config.ts';
import { formatCount } from '../render/numbers.ts';
import { renderSessionList } from '../render/session.ts';
import { listSessions } from '../search/answers/sessions.ts';
import { type SourceState, sourceStates } from '../search/answers/source-states.ts';
import { parseQuery } from '../search/query/parse.ts';
import { filtersOf } from '../search/query/query.ts';
import { sessionOf } from '../search/transcripts/transcript.ts';
import { type Command, EXIT } from './command.ts';
import { readFlags } from './flags.ts';
import { print, printJson, say } from './output.ts';
import { queryText } from './query-text.ts';
import { catchUpBefore, indexBehind, refreshBefore, type SeenBefore } from './refreshing.ts';
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
    const query = parseQuery(queryText(flags.words), now);
    const asked = ({ onDisk, warning }: SeenBefore) =>
      answered(context, (stores) => {
        const { rows, total, cursor, warnings } = listSessions(stores, query, options);
        return {
          total,
          cursor,
          sessions: rows.map((row) => sessionOf(stores, row, now)),
          sources: sourceStates(stores, filtersOf(query), readConfig(stores.home), onDisk),
          warnings: [...warnings, ...(warning === undefined ? [] : [warning])],
        };
      });
    const first = await asked(await refreshBefore(context));
    const seen = first.sessions.length === 0 ? await catchUpBefore(context) : undefined;
    const list = seen ? await asked(seen) : first;
    const { sessions: found, total, cursor, sources, warnings } = list;
    for (const warning of [...warnings, ...shortfallsOf(sources)]) say(context, warning);
    if (context.json) printJson(context, list);
    else if (found.length === 0 && total === 0 && flags.words.length === 0 && !options.gone)
      print(context, 'There are no sessions yet. portolan doctor says where it looks for histories.');
    else if (found.length === 0) print(context, 'No session matches.');
    else {
      const labelOf = (source: string) => sourceOf(source)?.label ?? source;
      print(context, renderSessionList(found, context.style, now, { labelOf }));
      if (cursor !== null)
        print(context, `${formatCount(found.length)} of ${formatCount(total)}; --cursor ${cursor} goes on`);
    }
    await indexBehind(context, { lagMs: 0, sources });
    return found.length > 0 ? EXIT.ok : EXIT.nothingFound;
  },
};

/** What of the sources was not looked at, each in a line. */
function shortfallsOf(sources: Readonly<Record<string, SourceState>>): string[] {
  return Object.entries(sources).flatMap(([id, state]) =>
    state.state === 'partial' || state.state === 'unavailable' ? [`${sourceOf(id)?.label ?? id}: ${state.reason}`] : [],
  );
}
