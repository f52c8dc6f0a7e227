import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CatalogSession } from '../../../src/catalog/listed.ts';
import { ingest } from '../../../src/ingest/run.ts';
import { turnsOf } from '../../../src/search/transcripts/transcript.ts';
import type { Tokens, Turn } from '../../../src/transcript/index.ts';
import { SHARED } from '../../oracle/product.ts';
import { filesBelow, stateOf, temporaryFolder, writeAt } from '../../support/folders.ts';
import { Portolan, sessionsOf } from '../../support/portolan.ts';

const corpus = join(SHARED ?? '', 'corpus');
const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

interface Read {
  readonly sessions: readonly CatalogSession[];
  readonly turns: ReadonlyMap<string, readonly Turn[]>;
  readonly failed: readonly unknown[];
  readonly unknown: Readonly<Record<string, number>>;
}

async function indexed(home: string): Promise<Read> {
  const portolan = new Portolan({ home, platform: 'linux', variables: {}, projects: [] });
  return portolan.write(async (stores) => {
    const report = (await ingest(stores, portolan.env)).codex!;
    const sessions = sessionsOf(stores).filter((one) => one.source === 'codex' && one.kind === 'transcript');
    const turns = new Map(sessions.map((one) => [one.nativeId, turnsOf(stores, one)]));
    return { sessions, turns, failed: report.failed, unknown: report.unknownRecords };
  });
}

/** Codex's own counting: cached tokens are input too. */
const counted = (all: readonly Readonly<Record<string, Tokens>>[]) => {
  const sums: Record<string, number[]> = {};
  for (const one of all)
    for (const [model, { input, cacheRead, cacheWrite5m, output, reasoning }] of Object.entries(one)) {
      const more = [input + cacheRead + cacheWrite5m, cacheRead, output, reasoning];
      sums[model] = more.map((count, i) => count + (sums[model]?.[i] ?? 0));
    }
  return sums;
};

const partsOf = (turns: readonly Turn[]) => turns.flatMap((turn) => turn.parts);
const promptsOf = (turns: readonly Turn[]) =>
  partsOf(turns).flatMap((part) => (part.type === 'text' && part.role === 'user' ? part.text : []));

describe.skipIf(SHARED === undefined)('recorded homes', () => {
  it.each(['home', 'home-migrated'])(
    'live/codex/%s has its prompts, titles, tokens and planted words',
    async (name) => {
      const home = join(corpus, 'live', 'codex', name);
      const before = stateOf(home);
      const { sessions, turns, failed, unknown } = await indexed(home);
      expect(stateOf(home)).toEqual(before);
      expect([sessions.length, failed, unknown]).toEqual([15, [], {}]);
      for (const story of json(join(corpus, 'live', 'codex', 'expected.json')).sessions) {
        const session = sessions.find((one) => one.nativeId === story.id)!;
        const own = turns.get(story.id)!;
        expect(promptsOf(own)).toEqual(story.prompts);
        expect(session.cwd).toBe(story.cwd);
        expect(story.title.startsWith(session.title?.replace(/…$/, ''))).toBe(true);
        const tokens = counted([session.tokens]);
        const sum = [0, 1, 2, 3].map((i) => Object.values(tokens).reduce((all, counts) => all + counts[i]!, 0));
        const { sum: a, compaction: b = {} } = story.tokens;
        const names = [
          'input_tokens',
          'input_tokens_details.cached_tokens',
          'output_tokens',
          'output_tokens_details.reasoning_tokens',
        ];
        expect(sum).toEqual(names.map((key) => a[key] + (b[key] ?? 0)));
        const children = sessions.filter(
          (one) => one.parent?.key === session.key && one.parent.relation === 'subagent',
        );
        const said = JSON.stringify([own, children.map((child) => turns.get(child.nativeId))]);
        for (const { phrase, found } of story.planted) expect([phrase, said.includes(phrase)]).toEqual([phrase, found]);
      }
      const renamed = sessions.find((one) => one.title === 'Menu module renamed from Speisekarte');
      expect(renamed?.titleFrom).toBe('user');
    },
  );

  it.each(['homes/codex', 'natural/agentic-neurodata-conversion'])('%s counts as the census does', async (name) => {
    const census = json(join(corpus, 'census.json'))[name];
    const { sessions, turns, failed, unknown } = await indexed(join(corpus, name));
    expect([sessions.length, failed, unknown]).toEqual([census.sessions, [], {}]);
    expect(promptsOf([...turns.values()].flat()).length).toBe(census.prompts);
    const calls: Record<string, number> = {};
    for (const part of partsOf([...turns.values()].flat()))
      if (part.type === 'tool_call') calls[part.name] = (calls[part.name] ?? 0) + 1;
    const { web_search_call: searches, ...others } = census.tool_calls;
    expect(calls).toEqual({ ...others, ...(searches !== undefined && { web_search: searches }) });
    const expected = Object.entries(census.tokens as Record<string, Record<string, number>>).map(([model, tokens]) => [
      model,
      [tokens.input_tokens, tokens.cached_input_tokens, tokens.output_tokens, tokens.reasoning_output_tokens],
    ]);
    expect(counted(sessions.map((one) => one.tokens))).toEqual(Object.fromEntries(expected));
  });

  it.each([
    ['--mb', '12', '--seed', '1'],
    ['--mb', '12', '--seed', '3', '--forks', '0.5'],
  ])('a generated history has the generator’s totals: %s %s %s %s', async (...options) => {
    const home = temporaryFolder();
    execFileSync(process.execPath, [join(SHARED!, 'bench', 'gen.mjs'), '--home', home, ...options]);
    const truth = json(join(home, 'truth.json')).codex;
    const { sessions, failed } = await indexed(home);
    expect([sessions.length, failed]).toEqual([truth.sessions, []]);
    const expected = Object.entries(truth.byModel as Record<string, Record<string, number>>).map(([model, tokens]) => [
      model,
      [tokens.input, tokens.cached, tokens.output, tokens.reasoning],
    ]);
    expect(counted(sessions.map((one) => one.tokens))).toEqual(Object.fromEntries(expected));
  });

  it('fixtures of other tools hurt nothing', async () => {
    const home = temporaryFolder();
    const fixtures = join(corpus, 'fixtures');
    const files = filesBelow(fixtures).filter((path) => /codex.*\.jsonl$/.test(path.slice(fixtures.length)));
    expect(files.length).toBeGreaterThan(10);
    for (const path of files)
      writeAt(
        join(home, '.codex', 'sessions', `rollout-${path.slice(fixtures.length).replaceAll('/', '-')}`),
        readFileSync(path),
      );
    const { sessions, failed } = await indexed(home);
    expect(sessions).toHaveLength(files.length);
    expect(failed).toEqual([]);
  });
});
