import * as z from 'zod/v4';
import { SOURCES } from '../agents/registry.ts';
import { type SearchResult, search } from '../search/answers/search.ts';
import { combined } from '../search/query/filters.ts';
import { parseQuery } from '../search/query/parse.ts';
import { calendarOf, spanOf } from '../search/query/times.ts';
import { brief, briefLines, LONGEST_NAME, LONGEST_QUERY } from './bounds.ts';
import { fenced } from './fence.ts';
import { freshnessOf, sourcesLine } from './freshness.ts';
import { searchDocument } from './schemas.ts';
import { type Answer, type SeenBefore, ToolError, tool } from './tool.ts';

const DEFAULT_LIMIT = 5;
const MOST = 50;

const name = z.string().max(LONGEST_NAME, `a name or a time has at most ${LONGEST_NAME} characters`);

export const searchHistory = tool({
  name: 'search_history',
  title: 'Search past sessions',
  description: `Searches everything that coding agents did on this machine in earlier sessions: prompts, answers, commands, outputs, errors, files.
Use it before starting work that may have been done, decided or debugged before; when the user refers to an earlier session ("as we did yesterday", "the bug from last week"); when an error looks familiar. Not for the code as it is now: read the files for that.
Give few, distinctive words; an error message may be pasted as it is. Each hit has the id of a turn: read it with read_turn, and cite the id.`,
  input: z.object({
    query: z
      .string()
      .max(LONGEST_QUERY, `a query has at most ${LONGEST_QUERY} characters: give the lines that tell most`)
      .describe(
        'Words (any may match; turns with all come first), "a phrase", -without, prefix*, a OR b, (groups), and filters: source: project: session: branch: model: role:user|assistant|tool tool:Bash or tool:edit path:src/*.ts is:error is:subagent is:starred since:3d until:yesterday. Times in plain words: last week, since Tuesday. Empty with a filter: the newest turns.',
      ),
    limit: z.number().int().min(1).max(MOST).optional().describe(`Sessions to show (${DEFAULT_LIMIT})`),
    cursor: z
      .string()
      .regex(/^\d{1,7}$/)
      .optional()
      .describe('Where the last answer said to go on'),
    project: name.optional().describe('Only this project, by its name or folder'),
    source: name.optional().describe('Only this agent, by id or name: claude-code, Gemini CLI'),
    since: name.optional().describe('today, yesterday, tuesday, last week, 3d, 2w, 2026-11-30, or an ISO time'),
    until: name.optional().describe('As since'),
    exclude_current_session: z
      .boolean()
      .optional()
      .describe('Leave out the session that asks (true where it is known)'),
  }),
  output: searchDocument,
  async answer(input, call) {
    const filters = [
      filter('project', input.project),
      filter('source', known(input.source)),
      filter('since', time('since', input.since, call.now)),
      filter('until', time('until', input.until, call.now)),
    ].join(' ');
    // Read apart: a quote that was left open in the query must not swallow the filters.
    const query = combined(parseQuery(input.query.trim(), call.now), parseQuery(filters.trim(), call.now));
    if (query.clauses.length === 0)
      throw new ToolError('There is nothing to look for.', 'Give a query, or a filter such as since or project.');
    const excluded = input.exclude_current_session === false ? undefined : call.caller;
    const excludeSession = excluded && `${excluded.source}:${excluded.nativeId}`;
    const ask = ({ onDisk, warning }: SeenBefore, limit: number) => {
      const result = search(call.stores(), query, {
        now: call.now,
        limit,
        offset: Number(input.cursor ?? 0),
        ...(excludeSession !== undefined && { excludeSession }),
        ...(onDisk && { onDisk }),
      });
      return warning === undefined ? result : { ...result, warnings: [...result.warnings, warning] };
    };
    const limit = input.limit ?? DEFAULT_LIMIT;
    const found = ask(call.seen, limit);
    const caughtUp = found.hits.length === 0 ? await call.catchUp() : undefined;
    const answer = (result: SearchResult, limit: number): Answer => ({
      ...answerOf(result, excludeSession),
      less: limit > 1 ? () => answer(ask(caughtUp ?? call.seen, limit >> 1), limit >> 1) : undefined,
    });
    return answer(caughtUp ? ask(caughtUp, limit) : found, limit);
  },
});

function filter(name: string, value: string | undefined): string {
  if (value === undefined || value.trim() === '') return '';
  return `${name}:"${value.trim().replaceAll('"', '""')}"`;
}

function known(source: string | undefined): string | undefined {
  if (source === undefined || source.trim() === '') return undefined;
  const id = source.trim().toLowerCase();
  const found = SOURCES.find((one) => one.id === id || one.label.toLowerCase() === id);
  if (found) return found.id;
  throw new ToolError(`There is no source “${source}”.`, `Known: ${SOURCES.map((one) => one.id).join(', ')}.`);
}

function time(name: string, value: string | undefined, now: number): string | undefined {
  if (value === undefined || value.trim() === '' || spanOf(value.trim(), calendarOf(now))) return value;
  throw new ToolError(
    `${name} takes a time, not “${value}”.`,
    'Such as today, yesterday, 3d (three days ago), 2w, 2026-11-30, 2026-11 or 2026-11-30T08:00:00Z.',
  );
}

function answerOf(result: SearchResult, excludeSession: string | undefined): Answer {
  const document = {
    ...result,
    // Who asked knows it.
    query: { ...result.query, text: brief(result.query.text) },
    ...(excludeSession !== undefined && { excludedSession: excludeSession }),
  };
  const { hits, total, cursor, index } = result;
  const count = `${total.relation === 'gte' ? 'At least ' : ''}${total.turns} ${total.turns === 1 ? 'turn' : 'turns'}`;
  const lines = [
    hits.length === 0 ? 'No turn was found.' : `${count} found, ${hits.length} shown, the best first.`,
    `${sourcesLine(result.sources)} ${capital(freshnessOf(index.lagMs, result.sources))}.`,
    ...(excludeSession === undefined ? [] : [`Left out: the calling session, ${brief(excludeSession)}.`]),
    ...briefLines([
      ...result.query.corrections.map(
        ({ from, to }) => `“${from}” was not found anywhere, so “${to}” was searched for too.`,
      ),
      ...result.warnings,
    ]),
  ];
  if (hits.length === 0) return { document, text: lines.join('\n') };
  const listed = hits.map((hit) =>
    [
      [
        hit.id,
        hit.timestamp?.slice(0, 16).replace('T', ' '),
        hit.project && brief(hit.project),
        hit.inside && `from inside ${brief(hit.inside)}`,
        hit.title && `“${brief(oneLine(hit.title))}”`,
      ]
        .filter((fact) => fact !== undefined && fact !== '')
        .join(' · '),
      `  ${hit.field}: ${brief(oneLine(hit.snippet))}`,
      ...(hit.moreTurns > 0 ? [`  (${hit.moreTurns} more in this session: session:${hit.session})`] : []),
    ].join('\n'),
  );
  const next = [
    'read_turn with an id shows the whole turn. Cite ids.',
    ...(cursor === null ? [] : [`More: the same query with cursor "${cursor}".`]),
  ];
  return { document, text: [...lines, '', fenced(listed.join('\n')), ...next].join('\n') };
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
