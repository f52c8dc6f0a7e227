import { renderHits } from '../render/hits.ts';
import { localTime } from '../render/times.ts';
import { search as find, type Hit, type SearchResult } from '../search/answers/search.ts';
import { parseQuery } from '../search/query/parse.ts';
import type { Filters, FilterValues } from '../search/query/query.ts';
import { shortId } from '../search/transcripts/identify.ts';
import { type Command, type Context, EXIT, UserError } from './command.ts';
import { type Flags, readFlags } from './flags.ts';
import { print, printJson } from './output.ts';
import { queryText } from './query-text.ts';
import { catchUpBefore, indexBehind, refreshBefore, type SeenBefore } from './refreshing.ts';
import { answered } from './stores.ts';

export const search: Command = {
  name: 'search',
  summary: 'find a turn: words, "phrases", -not, OR, fields, plain-language times',
  help: `Usage: portolan search <words> [--limit N] [--explain] [--json]

Any of the words may match; turns with all of them come first.
  "two words"            exactly these, in this order
  -word -"a phrase"      without it; -source:codex, -(one two) too
  one OR two             either; (one OR two) three, (a b) OR c
  migrat*                words that begin so
Fields, several values of one mean any of them (a,b or again):
  source:  project:  session:  branch:  model:  tool:Bash  tool:edit
  path:src/*.ts  role:user|assistant|tool  is:error|subagent|starred
  type:session|subagent|prompt  since:3d  until:"last friday"
In plain words: yesterday, last week, since Tuesday, between March and May,
  in October, last 3 days; in Codex sessions, not codex, Claude Code only
A pasted error, path or command is searched for as it is.
The whole language: docs/query-language.md

  --limit N            sessions to show (10; at most 1000)
  --cursor C           go on after the last page
  --exclude-session ID leave out a session
  --min-score S        leave out weaker hits
  --now TIME           search as if it were then (ISO 8601)
  --explain            show every factor of every hit
  --json               print one JSON document`,
  async run(context) {
    const flags = readFlags('search', context.args, {
      limit: { type: 'string' },
      cursor: { type: 'string' },
      mode: { type: 'string' },
      'exclude-session': { type: 'string' },
      'min-score': { type: 'string' },
      now: { type: 'string' },
      explain: { type: 'boolean' },
    });
    if (flags.words.length === 0)
      throw new UserError(
        'no_query',
        'What are you looking for?',
        'portolan search <words>; see portolan search --help.',
      );
    const result = await freshResults(context, flags);
    if (context.json) printJson(context, result);
    else printResult(context, await withShortIds(context, result), nowOf(flags));
    await indexBehind(context, { lagMs: result.index.lagMs, sources: result.sources });
    return result.hits.length > 0 ? EXIT.ok : EXIT.nothingFound;
  },
};

/** What is found when what is new was read; where that is nothing, when all of it was. */
async function freshResults(context: Context, flags: Flags): Promise<SearchResult> {
  const found = await results(context, flags, await refreshBefore(context));
  if (found.hits.length > 0) return found;
  const seen = await catchUpBefore(context);
  return seen ? results(context, flags, seen) : found;
}

async function results(context: Context, flags: Flags, { onDisk, warning }: SeenBefore): Promise<SearchResult> {
  const mode = flags.text('mode');
  if (mode !== undefined && mode !== 'lexical' && mode !== 'hybrid')
    throw new UserError('bad_mode', `There is no mode “${mode}” here.`, 'Search by words needs no --mode.');
  const now = nowOf(flags);
  const minScore = scoreOf(flags);
  const excludeSession = flags.text('exclude-session');
  const query = parseQuery(queryText(flags.words), now);
  const options = {
    now,
    limit: flags.number('limit', 1, 1000) ?? 10,
    offset: flags.number('cursor', 0, 1_000_000) ?? 0,
    explain: flags.has('explain'),
    ...(minScore !== undefined && { minScore }),
    ...(excludeSession !== undefined && { excludeSession }),
    ...(onDisk && { onDisk }),
  };
  const result = await answered(context, (stores) => find(stores, query, options));
  return warning === undefined ? result : { ...result, warnings: [...result.warnings, warning] };
}

function scoreOf(flags: Flags): number | undefined {
  const given = flags.text('min-score');
  if (given === undefined) return undefined;
  const score = Number(given);
  if (given.trim() !== '' && Number.isFinite(score) && score >= 0) return score;
  throw new UserError(
    'bad_value',
    `--min-score takes a number like 0.01, not “${given}”.`,
    'See portolan search --help.',
  );
}

function nowOf(flags: Flags): number {
  const given = flags.text('now');
  if (given === undefined) return Date.now();
  const at = Date.parse(given);
  if (Number.isNaN(at))
    throw new UserError(
      'bad_time',
      `--now takes a time like 2026-11-30T08:00:00Z, not “${given}”.`,
      'See portolan search --help.',
    );
  return at;
}

/** What a query was understood to ask for beside its words. */
function filterFacts({ without = {}, ...filters }: Filters): string[] {
  const facts = (values: FilterValues, lead: string) =>
    Object.entries(values).map(([field, value]) =>
      typeof value === 'number'
        ? `${lead}${field === 'until' ? 'before' : field} ${localTime(value)}`
        : `${lead}${field} ${value.join(' or ')}`,
    );
  return [...facts(filters, ''), ...facts(without, 'not ')];
}

type ShortHit = Hit & { readonly shortId: string };

function withShortIds(
  context: Context,
  result: SearchResult,
): Promise<SearchResult & { readonly hits: readonly ShortHit[] }> {
  return answered(context, (stores) => ({
    ...result,
    hits: result.hits.map((hit) => {
      const nativeId = hit.session.slice(hit.source.length + 1);
      return { ...hit, shortId: `${shortId(stores, { nativeId })}#${hit.turn}` };
    }),
  }));
}

/** Hits for people. */
function printResult(context: Context, result: SearchResult, now: number): void {
  const hits = result.hits.map(({ timestamp, ...hit }) => ({
    ...hit,
    ...(timestamp !== undefined && { timestamp: Date.parse(timestamp) }),
  }));
  print(
    context,
    renderHits(
      { ...result, ...result.query, hits, query: result.query.text, filters: filterFacts(result.query.filters) },
      context.style,
      now,
    ),
  );
  for (const hit of result.hits)
    if (hit.explain) {
      const factors = Object.entries(hit.explain).map(
        ([name, value]) => `${name} ${typeof value === 'number' ? Number(value.toPrecision(4)) : value}`,
      );
      print(context, `${hit.id}  ${factors.join('  ')}`);
    }
}
