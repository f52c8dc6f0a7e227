import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { START, Transcript } from '../search/history.ts';
import { CLI, type Document, newUser, type User } from '../search/program.ts';

const SECRET = 'ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6';
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const session = new Transcript('cli session');
const agent = new Transcript('cli agent', { subagentOf: session });
const older = new Transcript('cli older', { cwd: '/home/dev/projects/harbor', start: START - 5 * 86_400_000 });
const gone = new Transcript('cli gone', { start: START - 86_400_000 });
let user: User;
let indexed: Document;

beforeAll(async () => {
  session.prompt(`Find the beacon. The token is ${SECRET}.`);
  session.thinking('Where may it be?');
  session.tool('Bash', { command: 'make beacon' }, 'Exit code 2\nno rule', { isError: true });
  session.answer('It is on the pier.');
  session.prompt('Send someone.');
  const told = { agentId: agent.nativeId.slice('agent-'.length) };
  const { id } = session.tool('Task', { description: 'Look', prompt: 'Look at the pier.' }, 'seen', { told });
  agent.meta({ description: 'Look', toolUseId: id });
  agent.prompt('Look at the pier.');
  agent.answer('The dunlin sits there.');
  older.prompt('An older beacon.');
  older.answer('Yes, "quoted", it’s older.');
  gone.prompt('A beacon that was taken down.');
  gone.answer('Gone soon.');
  user = newUser([session, agent, older, gone]);
  // A line that cannot be read, and a record never seen.
  const path = join(user.home, older.file);
  writeFileSync(path, `${readFileSync(path, 'utf8')}{"type":"frame-link","uuid":"x"}\n{"broken\n`);
  indexed = (await user.json('index')).document;
  rmSync(join(user.home, gone.file));
  await user.json('index');
});
afterAll(() => user.remove());

/** Every key of a document, but those below a tool's arguments and those of maps whose keys are names. */
function keysOf(value: Document, key = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => keysOf(one, key));
  if (value === null || typeof value !== 'object') return [];
  const isMap = ['sources', 'unknown_records', 'tokens_by_model', 'source', 'project', 'type', 'month'].includes(key);
  return Object.entries(value).flatMap(([name, one]) => [
    ...(isMap ? [] : [name]),
    ...(name === 'input' && typeof one === 'object' ? [] : keysOf(one, name)),
  ]);
}

function timesOf(value: Document, key = ''): unknown[] {
  if (Array.isArray(value)) return value.flatMap((one) => timesOf(one));
  if (value !== null && typeof value === 'object')
    return Object.entries(value).flatMap(([name, one]) => (name === 'input' ? [] : timesOf(one, name)));
  return /^(?:at|timestamp|since|until|last_change|.*_at)$/.test(key) && !String(value).includes('#') ? [value] : [];
}

function expectDocument(document: Document): void {
  for (const key of keysOf(document)) expect(key).toMatch(/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/);
  for (const time of timesOf(document)) expect(time).toMatch(ISO);
}

describe('portolan index --json', () => {
  it('tells what was read', () => {
    expectDocument(indexed);
    expect(indexed).toMatchObject({
      took_ms: expect.any(Number),
      peak_rss: expect.any(Number),
      archive_bytes: expect.any(Number),
      index_bytes: expect.any(Number),
      // Sub-agents count.
      sessions: 4,
      turns: 5,
      passages: expect.any(Number),
    });
    expect(indexed.peak_rss).toBeGreaterThan(10e6);
    expect(indexed.archive_bytes).toBeGreaterThan(1000);
    expect(indexed.index_bytes).toBeGreaterThan(1000);
    const path = join(user.home, older.file);
    expect(indexed.sources['claude-code']).toMatchObject({
      units: 4,
      read: 4,
      unchanged: 0,
      sessions: 4,
      records: expect.any(Number),
      bytes_read: expect.any(Number),
      failed: [{ path, line: 4, reason: expect.any(String) }],
      unknown_records: { 'frame-link': 1 },
      cut_outputs: 0,
    });
  });

  it('a second time reads nothing and tells the same of failures', async () => {
    const { code, document } = await user.json('index');
    expect(code).toBe(0);
    expect(document.sources['claude-code']).toMatchObject({ read: 0, unchanged: 3, bytes_read: 0, sessions: 4 });
    expect(document.sources['claude-code'].failed).toHaveLength(1);
    expect(document.sources['claude-code'].unknown_records).toEqual({ 'frame-link': 1 });
  });
});

describe('portolan search --json', () => {
  it('has the shape of the design', async () => {
    const { code, document, stderr } = await user.json('search', 'beacon pier', '--limit', '2');
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expectDocument(document);
    expect(Object.keys(document)).toEqual([
      'query',
      'total',
      'took_ms',
      'cursor',
      'index',
      'hits',
      'facets',
      'sources',
      'warnings',
    ]);
    expect(document).toMatchObject({
      query: { text: 'beacon pier', terms: ['beacon', 'pier'], filters: {}, corrections: [] },
      total: { turns: 5, relation: 'eq' },
      cursor: '2',
      index: { sessions: 4, turns: 5, passages: expect.any(Number), lag_ms: expect.any(Number), vectors: 0 },
      facets: { type: { session: 4, subagent: 1 }, month: { '2026-11': 5 }, exact: true },
      sources: { 'claude-code': { state: 'searched', sessions: 4 } },
      warnings: [],
    });
    const hit = document.hits[0];
    expect(hit).toMatchObject({
      id: `${session.key}#1`,
      session: session.key,
      source: 'claude-code',
      label: 'Claude Code',
      title: expect.stringContaining('Find the beacon'),
      project: 'lantern',
      cwd: session.cwd,
      branch: 'main',
      timestamp: expect.stringMatching(ISO),
      turn: 1,
      score: expect.any(Number),
      snippet: expect.any(String),
      highlights: expect.any(Array),
      more_turns: 0,
      where: { path: join(user.home, session.file), line: expect.any(Number) },
      resume: { argv: ['claude', '--resume', session.id], cwd: session.cwd },
      lineage: { parent: null, children: [agent.key], children_total: 1, children_truncated: false, is_advanced: null },
      secrets_redacted: expect.any(Number),
    });
    expect(JSON.stringify(document)).not.toContain(SECRET);
  });

  it('tells the filters that were understood, times as ISO strings', async () => {
    const { document } = await user.json('search', 'beacon since:2026-11-01 project:lantern');
    expectDocument(document);
    expect(document.query.filters).toEqual({ since: '2026-11-01T00:00:00.000Z', project: ['lantern'] });
  });

  it('reads plain language and the shell’s arguments', async () => {
    const filtersOf = async (...words: string[]) => (await user.json('search', ...words)).document.query.filters;
    const now = ['--now', '2026-11-21T12:00:00Z'];
    expect(await filtersOf('beacon in Claude Code sessions since Tuesday', ...now)).toEqual({
      source: ['claude-code'],
      since: '2026-11-17T00:00:00.000Z',
    });
    expect(await filtersOf('beacon', 'project:My Harbor', '-tool:Read', 'until:last friday', ...now)).toEqual({
      project: ['My Harbor'],
      until: '2026-11-21T00:00:00.000Z',
      without: { tool: ['Read'] },
    });
  });

  it('looks for a misspelt word as its nearest too, and says so', async () => {
    const { document } = await user.json('search', 'baecon');
    expect(document.query.corrections).toEqual([{ from: 'baecon', to: 'beacon' }]);
    expect(document.hits.length).toBeGreaterThan(0);
    const { stdout } = await user.run('search', 'baecon', 'not', 'codex');
    expect(stdout.split('\n')[0]).toBe('Also searched for beacon; not found anywhere: baecon');
    expect(stdout).toContain('\nonly not source codex\n');
  });

  it('warns where a filter could not do what it says', async () => {
    const { document } = await user.json('search', 'beacon intent:planning');
    expect(document.warnings).toEqual(['nothing is classified by intent yet: intent: was not applied']);
    const { stdout, stderr } = await user.run('sessions', 'intent:planning');
    expect(stderr).toBe('nothing is classified by intent yet: intent: was not applied\n');
    expect(stdout).toContain(session.id);
  });

  it('goes on by its cursor until there is no more', async () => {
    const seen: string[] = [];
    let cursor: string | null = '0';
    while (cursor !== null) {
      const { document }: { document: Document } = await user.json(
        'search',
        'beacon',
        '--limit',
        '1',
        '--cursor',
        cursor,
      );
      seen.push(...document.hits.map((one: Document) => one.session));
      cursor = document.cursor;
      expect(seen.length).toBeLessThan(10);
    }
    expect([...seen].sort()).toEqual([session.key, older.key, gone.key].sort());
  });

  it('explains, leaves out, pins the time', async () => {
    const { document } = await user.json('search', 'beacon', '--explain', '--exclude-session', session.key);
    expectDocument(document);
    expect(document.hits.map((one: Document) => one.session)).not.toContain(session.key);
    expect(Object.keys(document.hits[0].explain).sort()).toEqual(
      ['age', 'holds_all', 'lexical', 'lift', 'rank', 'rrf', 'salience', 'score'].sort(),
    );
    const { document: then } = await user.json('search', 'since:1d', 'beacon', '--now', '2026-11-21T00:00:00Z');
    expect(then.hits.map((one: Document) => one.session)).toEqual([session.key]);
    expect((await user.json('search', 'beacon', '--min-score', '1')).code).toBe(1);
  });

  it.each([
    ['words as several arguments', ['find', 'beacon'], 0],
    ['a phrase in its own quotes', ['"find the beacon"'], 0],
    ['a phrase that is nowhere', ['"beacon the find"'], 1],
    ['a word left out, in one argument', ['beacon -older -find -taken'], 1],
    ['a word left out, in an argument of its own', ['beacon', '-older', '-find', '-taken'], 1],
    ['a word that is nowhere', ['zephyrquark'], 1],
    ['a source that is not here', ['beacon source:devin'], 1],
    ['a word left out, after --', ['--', 'beacon', '-older'], 0],
  ])('%s', async (_, words, exit) => {
    const { code, stdout } = await user.run('search', '--json', ...words);
    expect(code).toBe(exit);
    expect(JSON.parse(stdout).hits.length > 0).toBe(exit === 0);
  });
});

describe('portolan sessions --json', () => {
  const keys = (document: Document) => document.sessions.map((one: Document) => one.id);

  it('lists sessions, the newest first, in the shape of the design', async () => {
    const { code, document } = await user.json('sessions');
    expect(code).toBe(0);
    expectDocument(document);
    expect(Object.keys(document)).toEqual(['total', 'cursor', 'sessions', 'sources', 'warnings']);
    expect(keys(document)).toEqual([session.key, gone.key, older.key]);
    expect(document).toMatchObject({ total: 3, cursor: null });
    expect(document.sessions[0]).toMatchObject({
      id: session.key,
      source: 'claude-code',
      native_id: session.id,
      machine: expect.any(String),
      title_from: 'first-prompt',
      cwd: session.cwd,
      roots: expect.any(Array),
      project: 'lantern',
      branch: 'main',
      models: ['claude-opus-5-5'],
      started_at: '2026-11-20T09:00:01.000Z',
      ended_at: expect.stringMatching(ISO),
      active_at: expect.stringMatching(ISO),
      client: { name: 'claude-code', version: '2.1.332', surface: 'cli' },
      children: [agent.key],
      path: join(user.home, session.file),
      gone: false,
      counts: { turns: 2, messages: 3, tool_calls: 2, errors: 1 },
      tokens: { input: 44, cache_read: 400, cache_write_5m: 20, cache_write_1h: 0, output: 28, reasoning: 0 },
      tokens_by_model: { 'claude-opus-5-5': { input: 44 } },
    });
    expect(document.sessions[0].title).toContain('[GH_TOKEN]');
  });

  it('--all also lists sub-agents, linked to their parent', async () => {
    const { document } = await user.json('sessions', '--all');
    expect(keys(document)).toContain(agent.key);
    expect(document.total).toBe(4);
    const one = document.sessions.find((each: Document) => each.id === agent.key);
    expect(one.parent).toEqual({ id: session.key, relation: 'subagent', at: `${session.key}#2` });
  });

  it('--gone lists what the agent deleted', async () => {
    const { document } = await user.json('sessions', '--gone');
    expect(keys(document)).toEqual([gone.key]);
    expect(document.sessions[0].gone).toBe(true);
  });

  it.each([
    [['project:harbor'], [older]],
    [['source:codex'], []],
    [['since:2026-11-19'], [session, gone]],
    [['until:2026-11-16'], [older]],
    [['taken'], [gone]],
    [['"taken down"'], [gone]],
    [['"down taken"'], []],
    [['beacon', 'project:harbor'], [older]],
  ])('%j', async (words, expected) => {
    const { code, document } = await user.json('sessions', ...words);
    expect(keys(document)).toEqual(expected.map((one) => one.key));
    expect(code).toBe(expected.length > 0 ? 0 : 1);
  });

  it('goes on by its cursor', async () => {
    const first = (await user.json('sessions', '--limit', '2')).document;
    const second = (await user.json('sessions', '--limit', '2', '--cursor', first.cursor)).document;
    expect([...keys(first), ...keys(second)]).toEqual([session.key, gone.key, older.key]);
    expect(second.cursor).toBeNull();
  });
});

describe('portolan show', () => {
  it('--json gives a session with its turns', async () => {
    const { code, document } = await user.json('show', session.id.slice(0, 8));
    expect(code).toBe(0);
    expectDocument(document);
    expect(Object.keys(document)).toEqual(['session', 'turns']);
    expect(document.session.id).toBe(session.key);
    expect(document.turns.map((turn: Document) => turn.id)).toEqual([`${session.key}#1`, `${session.key}#2`]);
    const [first, second] = document.turns;
    expect(first).toMatchObject({ index: 1, session: session.key, anchor: expect.any(String), rewound: false });
    expect(first.parts.map((part: Document) => part.type)).toEqual(['text', 'thinking', 'tool_call', 'text']);
    expect(first.parts[2]).toMatchObject({
      name: 'Bash',
      kind: 'shell',
      input: { command: 'make beacon' },
      command: 'make beacon',
      output: 'Exit code 2\nno rule',
      is_error: true,
      exit_code: 2,
      started_at: expect.stringMatching(ISO),
      ended_at: expect.stringMatching(ISO),
      where: { line: 3 },
      output_where: { line: 4 },
    });
    expect(second.parts[1].child).toBe(agent.key);
    expect(JSON.stringify(document)).not.toContain(SECRET);
  });

  it('--json of a turn gives that one', async () => {
    for (const id of [`${session.key}#2`, `turn-${session.id}-2`]) {
      const { document } = await user.json('show', id);
      expectDocument(document);
      expect(Object.keys(document)).toEqual(['session', 'turn']);
      expect(document.turn).toMatchObject({ id: `${session.key}#2`, prompt: 'Send someone.' });
    }
  });

  it.each([
    ['1', [1]],
    ['1-1', [1]],
    ['2-', [2]],
    ['1-2', [1, 2]],
    ['0-99', [1, 2]],
  ])('--turns %s', async (range, turns) => {
    const { document } = await user.json('show', session.key, '--turns', range);
    expect(document.turns.map((turn: Document) => turn.index)).toEqual(turns);
  });

  it.each([
    ['7', 1],
    ['2-1', 2],
    ['x', 2],
    ['-', 2],
  ])('--turns %s is told', async (range, exit) => {
    const { code, document } = await user.json('show', session.key, `--turns=${range}`);
    expect([code, Object.keys(document)]).toEqual([exit, ['error']]);
  });

  it('--raw gives the records as they stand, redacted', async () => {
    const { code, stdout } = await user.run('show', session.key, '--raw');
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(session.text().trimEnd().split('\n').length);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ sessionId: session.id });
    expect(stdout).not.toContain(SECRET);
    expect(stdout).toContain('[GH_TOKEN]');
    const { stdout: second } = await user.run('show', `${session.key}#2`, '--raw');
    expect(second.trimEnd().split('\n')).toHaveLength(3);
  });

  it('--raw --json is one document too', async () => {
    const { stdout } = await user.run('show', session.key, '--raw', '--json');
    expect(() => JSON.parse(stdout)).not.toThrow();
  });

  it('--raw says so where the file is gone; what was kept is still shown', async () => {
    const { code, document } = await user.json('show', gone.key, '--raw');
    expect(code).toBe(3);
    expect(document.error).toMatchObject({ code: expect.any(String), hint: expect.stringContaining('portolan show') });
    const { code: shown, document: kept } = await user.json('show', gone.key);
    expect(shown).toBe(0);
    expect(kept.session.gone).toBe(true);
    expect(kept.turns[0].prompt).toBe('A beacon that was taken down.');
  });
});

describe('portolan resume', () => {
  it('--json gives argv and cwd', async () => {
    const { code, document } = await user.json('resume', session.key);
    expect(code).toBe(0);
    // Its folder is on no machine of ours.
    expect(document).toEqual({ argv: ['claude', '--resume', session.id], cwd: session.cwd, folder_gone: true });
    const { document: prompted } = await user.json('resume', session.key, '--prompt', 'Go on; it’s "late"');
    expect(prompted.argv).toEqual(['claude', '--resume', session.id, 'Go on; it’s "late"']);
  });

  it('of a sub-agent names its root', async () => {
    expect((await user.json('resume', agent.key)).document.argv).toContain(session.id);
  });

  it('prints one line for a shell, safely quoted', async () => {
    const { stdout } = await user.run('resume', session.key, '--prompt', `it's $(late)`);
    expect(stdout).toBe(`cd ${session.cwd} && claude --resume ${session.id} 'it'\\''s $(late)'\n`);
  });

  it('says where the file is gone', async () => {
    const { code, document } = await user.json('resume', gone.key);
    expect([code, Object.keys(document)]).toEqual([1, ['error']]);
  });
});

describe('portolan doctor', () => {
  it('--json tells what is kept and what failed', async () => {
    const { code, document } = await user.json('doctor');
    expect(code).toBe(0);
    expectDocument(document);
    expect(document).toMatchObject({
      ok: true,
      home: user.kept,
      archive: { path: expect.any(String), bytes: expect.any(Number), sessions: expect.any(Number) },
      index: { path: expect.any(String), bytes: expect.any(Number), sessions: 4, turns: 5 },
      hooks: expect.anything(),
      hints: expect.any(Array),
    });
    expect(document.sources['claude-code']).toMatchObject({
      state: 'searched',
      units: 3,
      sessions: 4,
      failed: [{ path: join(user.home, older.file), line: 4 }],
      unknown_records: { 'frame-link': 1 },
      last_change: expect.stringMatching(ISO),
      lag_ms: 0,
    });
  });
});

describe('for people', () => {
  const COMMANDS: readonly (readonly string[])[] = [
    ['search', 'beacon'],
    ['search', 'beacon', '--explain'],
    ['sessions', '--all'],
    ['show', session.key],
    ['show', session.key, '--full'],
    ['show', `${session.key}#1`],
    ['resume', session.key],
    ['doctor'],
    ['index'],
    ['--help'],
  ];

  it.each(COMMANDS)('portolan %s %s through a pipe has no escape code and no secret', async (...args) => {
    const { code, stdout, stderr } = await user.run(...args.filter((arg) => arg !== undefined));
    expect(code).toBe(0);
    expect(stdout.length).toBeGreaterThan(10);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
    expect(stdout + stderr).not.toMatch(/\x1b/);
    expect(stdout).not.toContain(SECRET);
    expect(stderr).toMatch(args[0] === 'resume' ? /^The folder is gone: .*\n$/ : /^$/);
  });

  it.skipIf(process.platform !== 'linux')(
    'NO_COLOR keeps colours out of a terminal, which has them otherwise',
    async () => {
      const line = (command: string) => `script -qec '"${process.execPath}" "$CLI" ${command}' /dev/null`;
      const env = { CLI, TERM: 'xterm-256color' };
      const coloured = await user.shell(line('search beacon'), env);
      expect(coloured.stdout).toContain('\x1b[');
      const plain = await user.shell(line('search beacon'), { ...env, NO_COLOR: '1' });
      expect(plain.stdout).not.toContain('\x1b[');
      expect(plain.stdout).toContain('beacon');
    },
  );
});
