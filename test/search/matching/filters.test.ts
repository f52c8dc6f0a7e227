import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listSessions } from '../../../src/search/answers/sessions.ts';
import { parseQuery } from '../../../src/search/query/parse.ts';
import { START, Transcript } from '../history.ts';
import { type Library, NOW, openLibrary } from '../library.ts';

const DAY = 86_400_000;
const sorted = (list: readonly string[]) => [...list].sort();

const lantern = new Transcript('language lantern', { branch: 'main' });
const harbor = new Transcript('language harbor', {
  cwd: '/home/dev/work/Harbor',
  branch: 'feature/pier',
  start: START - 30 * DAY,
});
const tide = new Transcript('language tide', { cwd: '/home/dev/work/tide/table', start: START - 200 * DAY });
const agent = new Transcript('language agent', { subagentOf: lantern });
let library: Library;
const L = (turn: number) => `${lantern.key}#${turn}`;
const H = (turn: number) => `${harbor.key}#${turn}`;
const T = (turn: number) => `${tide.key}#${turn}`;
const A = (turn: number) => `${agent.key}#${turn}`;

beforeAll(async () => {
  lantern.plain({ type: 'custom-title', customTitle: 'Beacon repair', sessionId: lantern.id });
  lantern.prompt('The beacon is dark.');
  lantern.tool('Bash', { command: 'make beacon' }, 'Exit code 2\nno rule', { isError: true });
  lantern.prompt('Try another wick.');
  lantern.answer('The beacon works with a red buoy.');
  lantern.tool('Read', { file_path: '/home/dev/projects/lantern/src/wick.ts' }, 'export const beacon = 1');
  const { id } = lantern.tool('Task', { description: 'Go', prompt: 'Look at the gulls.' }, 'seen');
  agent.meta({ description: 'Go', toolUseId: id });
  agent.prompt('Look at the gulls.');
  agent.answer('The gulls sit on the beacon.');
  harbor.prompt('Where is the beacon?');
  harbor.answer('On the pier, by the red wick.');
  harbor.tool('Edit', { file_path: '/home/dev/work/Harbor/docs/pier.md', old_string: 'a', new_string: 'b' }, 'ok');
  tide.prompt('The tide table lists the buoy.');
  tide.answer('It is red, and the wick is long.');
  tide.tool('Write', { file_path: '/home/dev/work/tide/table/Makefile', content: 'all:' }, 'ok');
  library = await openLibrary([lantern, harbor, tide, agent]);
});
afterAll(() => library.close());

describe('words, groups and what is left out', () => {
  it.each<[query: string, ids: string[]]>([
    ['beacon OR tide', [L(1), L(2), H(1), T(1), A(1)]],
    ['gulls OR pier', [L(2), H(1), A(1)]],
    ['(gulls OR pier) -sit', [L(2), H(1)]],
    ['gulls -pier -sit', [L(2)]],
    // The title stands in a passage of its own, at the first turn.
    ['beacon -(red OR dark)', [L(1), A(1)]],
    ['-beacon', [T(1)]],
    ['-"the beacon"', [T(1)]],
    ['-beacon -tide', []],
    ['-(beacon tide)', [L(1), L(2), H(1), T(1), A(1)]],
    ['-(beacon OR tide)', []],
    ['"red buoy"', [L(2)]],
    ['"red buoy" OR "red wick"', [L(2), H(1)]],
    ['"red buoy" OR tide', [L(2), T(1)]],
    ['beacon -"red buoy"', [L(1), H(1), A(1)]],
    ['(beacon "red wick") OR tide', [H(1), T(1)]],
    // Words and filters as alternatives
    ['gulls OR project:harbor', [L(2), A(1), H(1)]],
    ['(project:harbor beacon) OR (project:table wick)', [H(1), T(1)]],
    ['(project:harbor gulls) OR tide', [T(1)]],
    ['tide OR -beacon', [T(1)]],
    ['-(beacon project:lantern)', [H(1), T(1)]],
    ['project:harbor OR project:table', [H(1), T(1)]],
    ['project:harbor OR is:error', [H(1), L(1)]],
    ['(role:user beacon) OR (role:assistant gulls)', [L(1), H(1), L(2), A(1)]],
    ['beacon -role:user', [L(1), L(2), A(1)]],
    ['beacon role:user -role:user', []],
  ])('%s', (query, ids) => {
    const found = library.ids(query);
    expect(sorted(found)).toEqual(sorted(ids));
    expect(library.search(query).total).toEqual({ turns: ids.length, relation: 'eq' });
  });

  it('has passages with one of each group before those with one of any', () => {
    const hits = library.hits('(sit OR pier) (red OR nowhere)', { explain: true });
    expect(hits[0]).toMatchObject({ id: H(1), explain: { holdsAll: true } });
    expect(hits.slice(1).map((hit) => hit.explain?.holdsAll)).not.toContain(true);
    expect(hits.length).toBeGreaterThan(1);
  });

  it('leaves nothing unsaid of a query with more alternatives than are looked at', () => {
    const many = Array.from({ length: 30 }, (_, i) => `(project:p${i} w${i})`).join(' OR ');
    const { warnings, total } = library.search(many);
    expect(warnings).toContain('the query has too many alternatives: some were left out');
    expect(total.relation).toBe('gte');
  });

  it('looks for the most telling words of a long paste', () => {
    const paste = `${'the is a of and to in it by on '.repeat(40)}\n  ${Array.from({ length: 60 }, (_, i) => `zq${i}x`).join(' ')} gulls`;
    const [first] = library.hits(paste);
    expect([L(2), A(1)]).toContain(first?.id);
  });
});

describe('fields', () => {
  it.each<[query: string, ids: string[]]>([
    ['branch:main beacon', [L(1), L(2), A(1)]],
    ['branch:feature/*', [H(1)]],
    ['beacon -branch:feature/pier', [L(1), L(2), A(1)]],
    ['model:opus beacon', [L(1), L(2), H(1), A(1)]],
    ['model:gpt', []],
    ['beacon -model:opus', []],
    ['tool:edit', [H(1)]],
    ['tool:shell', [L(1)]],
    ['tool:write', [T(1)]],
    ['tool:edit,write', [H(1), T(1)]],
    ['tool:bash -is:error', []],
    ['beacon -tool:shell', [L(2), H(1), A(1)]],
    ['path:*.md', [H(1)]],
    ['path:src/*.ts', [L(2)]],
    ['path:wick.??', [L(2)]],
    ['path:wick.?', []],
    ['path:makefile', [T(1)]],
    ['path:*.md,*.ts', [H(1), L(2)]],
    ['project:/home/dev/work', [H(1), T(1)]],
    ['project:/home/dev/work/', [H(1), T(1)]],
    ['project:/home/dev/work/har', []],
    ['project:/home/dev/wor', []],
    ['project:harb*', [H(1)]],
    ['is:subagent', [A(1)]],
    ['type:subagent', [A(1)]],
    ['beacon type:session', [L(1), L(2), H(1)]],
    ['beacon -is:subagent', [L(1), L(2), H(1)]],
    ['type:prompt', []],
    ['is:error is:subagent', []],
    ['is:error,subagent', [L(1), A(1)]],
    ['beacon in Claude Code sessions', [L(1), L(2), H(1), A(1)]],
    ['beacon not claude code', []],
    ['beacon -source:codex', [L(1), L(2), H(1), A(1)]],
    ['beacon last month', [H(1)]],
    ['beacon since Tuesday', [L(1), L(2), A(1)]],
    ['beacon before November', [H(1)]],
    ['beacon between October and November', [L(1), L(2), H(1), A(1)]],
    ['in 2025', []],
    ['in may', [T(1)]],
    ['-since:2026-06-01', [T(1)]],
    [`machine:${hostname()} tide`, [T(1)]],
    ['machine:lighthouse', []],
    ['beacon -machine:lighthouse', [L(1), L(2), H(1), A(1)]],
    ['intent:debugging tide', [T(1)]],
  ])('%s', (query, ids) => {
    expect(sorted(library.ids(query))).toEqual(sorted(ids));
  });

  it('say what they could not do', () => {
    const warnings = (text: string) => library.search(text).warnings;
    expect(warnings('intent:debugging tide')).toEqual(['nothing is classified by intent yet: intent: was not applied']);
    expect(warnings('source:nobody')).toEqual([
      expect.stringMatching(/^there is no source “nobody”; known: claude-code, codex, /),
    ]);
    expect(library.search('machine:lighthouse', { machine: 'keel.example.org' }).warnings).toEqual([
      'the index holds this machine alone, keel.example.org: nothing from “lighthouse” is here',
    ]);
    expect(library.ids('machine:keel tide', { machine: 'keel.example.org' })).toEqual([T(1)]);
    expect(warnings('beacon source:codex')).toEqual(['nothing matches source:codex']);
  });

  it('take a family of projects for its projects', () => {
    const families = { Coast: ['harbor', 'table'] };
    expect(sorted(library.ids('project:coast', { families }))).toEqual(sorted([H(1), T(1)]));
    expect(library.ids('project:coast')).toEqual([]);
  });

  it('are told with the query, and what is left out', () => {
    const { query, sources } = library.search(
      'beacon "red buoy" since:2026-11-01 tool:edit,write -source:codex -path:a',
    );
    expect(query).toEqual({
      text: 'beacon "red buoy" since:2026-11-01 tool:edit,write -source:codex -path:a',
      terms: ['beacon', '"red buoy"'],
      filters: {
        since: new Date(2026, 10, 1).getTime(),
        tool: ['edit', 'write'],
        without: { source: ['codex'], path: ['a'] },
      },
      corrections: [],
    });
    expect(sources.codex).toEqual({ state: 'excluded', reason: 'left out by source:' });
  });
});

describe('a list of sessions', () => {
  const keys = (text: string, all = false) =>
    listSessions(library.stores, parseQuery(text, NOW), { all, gone: false, limit: 100, offset: 0 }).rows.map(
      (row) => row.key,
    );

  it.each<[query: string, keys: string[]]>([
    ['', [lantern.key, harbor.key, tide.key]],
    ['beacon', [lantern.key, harbor.key]],
    ['beacon repair', [lantern.key]],
    ['repair OR tide', [lantern.key, tide.key]],
    ['-beacon', [tide.key]],
    ['(beacon -repair) OR tide', [harbor.key, tide.key]],
    ['"the tide"', [tide.key]],
    ['repair OR project:table', [lantern.key, tide.key]],
    ['branch:main', [lantern.key, tide.key]],
    ['-branch:feature/*', [lantern.key, tide.key]],
    ['tool:edit,write', [harbor.key, tide.key]],
    ['-tool:edit', [lantern.key, tide.key]],
    ['path:*.md', [harbor.key]],
    ['is:error', [lantern.key]],
    ['-is:error', [harbor.key, tide.key]],
    ['is:subagent', [agent.key]],
    ['role:tool', [lantern.key, harbor.key, tide.key]],
    ['model:opus', [lantern.key, harbor.key, tide.key]],
    ['last month', [harbor.key]],
    ['before June', [tide.key]],
    ['in Codex sessions', []],
    ['not codex', [lantern.key, harbor.key, tide.key]],
  ])('%j', (query, expected) => {
    expect(keys(query)).toEqual(expected);
  });

  it('has sub-agents too where they are asked for', () => {
    expect(sorted(keys('project:lantern', true))).toEqual(sorted([lantern.key, agent.key]));
  });
});
