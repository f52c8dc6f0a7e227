import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Hit } from '../../../src/search/answers/search.ts';
import { START, Transcript } from '../history.ts';
import { type Library, NOW, openLibrary } from '../library.ts';

const DAY = 86_400_000;
const sorted = (list: readonly string[]) => [...list].sort();

describe('filters', () => {
  const lantern = new Transcript('filters lantern');
  const harbor = new Transcript('filters harbor', { cwd: '/home/dev/projects/Harbor', start: START - 30 * DAY });
  let library: Library;
  const L = (turn: number) => `${lantern.key}#${turn}`;
  const H = (turn: number) => `${harbor.key}#${turn}`;

  beforeAll(async () => {
    lantern.prompt('The beacon is dark.');
    lantern.answer('Let me look.');
    lantern.tool('Bash', { command: 'make beacon' }, 'Exit code 2\nno rule', { isError: true });
    lantern.prompt('Try another.');
    lantern.answer('The beacon works.');
    lantern.tool('Read', { file_path: '/home/dev/projects/lantern/src/wick.ts' }, 'export const beacon = 1');
    harbor.prompt('Where is the beacon?');
    harbor.answer('On the pier.');
    library = await openLibrary([lantern, harbor]);
  });
  afterAll(() => library.close());

  it.each<[query: string, ids: string[]]>([
    ['beacon', [L(1), L(2), H(1)]],
    ['beacon source:claude-code', [L(1), L(2), H(1)]],
    ['beacon source:Claude-Code', [L(1), L(2), H(1)]],
    ['beacon source:codex', []],
    ['beacon source:codex source:claude-code', [L(1), L(2), H(1)]],
    ['beacon project:lantern', [L(1), L(2)]],
    ['beacon project:harbor', [H(1)]],
    ['beacon project:/home/dev/projects/Harbor', [H(1)]],
    ['beacon project:lant', []],
    ['beacon project:lantern project:harbor', [L(1), L(2), H(1)]],
    [`beacon session:${harbor.id}`, [H(1)]],
    [`beacon session:${harbor.key}`, [H(1)]],
    [`beacon session:${harbor.id.slice(0, 6)}`, [H(1)]],
    [`beacon session:${harbor.key.slice(0, 18)}`, [H(1)]],
    ['beacon session:nowhere', []],
    ['beacon since:2026-11-10', [L(1), L(2)]],
    ['beacon since:2026-12', []],
    ['beacon until:2026-11-10', [H(1)]],
    ['beacon until:2026-10-01', []],
    ['beacon since:2026-10-20 until:2026-10-22', [H(1)]],
    ['beacon role:user', [L(1), H(1)]],
    ['beacon role:tool', [L(2)]],
    ['beacon role:assistant', [L(1), L(2)]],
    ['pier role:user', []],
    ['beacon role:user role:tool', [L(1), L(2), H(1)]],
    ['beacon tool:Bash', [L(1)]],
    ['beacon tool:read', [L(2)]],
    ['beacon tool:Write', []],
    ['beacon tool:Bash tool:Read', [L(1), L(2)]],
    ['beacon path:src/wick', [L(2)]],
    ['beacon path:wick.ts', [L(2)]],
    ['beacon path:pier', []],
    ['beacon path:%', []],
    ['beacon is:error', [L(1)]],
    ['works is:error', []],
    ['beacon project:harbor is:error', []],
    // Without words: the turns that pass
    ['project:harbor', [H(1)]],
    ['is:error', [L(1)]],
    ['tool:Read', [L(2)]],
    ['role:tool', [L(1), L(2)]],
    // Words left out
    ['beacon -works', [L(1), H(1)]],
    ['beacon -nowhere', [L(1), L(2), H(1)]],
    ['beacon -"is dark"', [L(2), H(1)]],
  ])('%s', (query, ids) => {
    expect(sorted(library.ids(query))).toEqual(sorted(ids));
    expect(library.search(query).total).toEqual({ turns: ids.length, relation: 'eq' });
  });

  it('a role shows the words where that role said them', () => {
    for (const hit of library.hits('beacon role:user')) expect(hit.field).toBe('prompt');
    for (const hit of library.hits('beacon role:tool')) expect(hit.field).toBe('output');
    // The answer holds more of the words than the prompt.
    const [hit] = library.hits('another beacon works role:user');
    expect(hit).toMatchObject({ id: L(2), field: 'prompt', snippet: 'Try another.' });
  });

  it('leaves out a session that is named, by its id, its native id or a beginning', () => {
    for (const excludeSession of [lantern.key, lantern.id, lantern.id.slice(0, 8)])
      expect(library.ids('beacon', { excludeSession }), excludeSession).toEqual([H(1)]);
    expect(library.ids('beacon', { excludeSession: 'claude-code:nowhere' })).toHaveLength(3);
  });

  it('leaves out what scores less than the least', () => {
    const scores = library.hits('beacon').map((hit) => hit.score);
    const best = Math.max(...scores);
    expect(library.hits('beacon', { minScore: best }).map((hit) => hit.score)).toEqual(
      scores.filter((score) => score >= best),
    );
    expect(library.hits('beacon', { minScore: 1 })).toEqual([]);
  });

  it('tells what each source was', () => {
    const { 'claude-code': searched, ...others } = library.search('beacon').sources;
    expect(searched).toEqual({ state: 'searched', sessions: 2 });
    expect(Object.keys(others)).toContain('codex');
    for (const other of Object.values(others))
      expect(other).toEqual({ state: 'empty', reason: 'no history was found' });
    expect(library.search('beacon source:codex').sources['claude-code']).toMatchObject({ state: 'excluded' });
  });

  it('does not say that there is no history where none was looked for to the end', async () => {
    const broken = await openLibrary([lantern]);
    const db = new DatabaseSync(broken.stores.catalog.db.path);
    db.exec("DELETE FROM state WHERE name = 'last_ingest'");
    db.close();
    expect(broken.search('beacon').sources.codex).toEqual({
      state: 'empty',
      reason: 'it was not read yet: portolan index reads it',
    });
    expect(broken.search('beacon').index.lagMs).toBeNull();
    expect(library.search('beacon').index.lagMs).toEqual(expect.any(Number));
    broken.close();
  });

  it('counts facets over all turns that were found', () => {
    expect(library.search('beacon', { limit: 1 }).facets).toEqual({
      source: { 'claude-code': 3 },
      project: { lantern: 2, Harbor: 1 },
      type: { session: 3 },
      month: { '2026-11': 2, '2026-10': 1 },
      exact: true,
    });
  });

  it('tells every factor of every hit when it is asked to explain', () => {
    for (const hit of library.hits('beacon', { explain: true })) {
      const factors = hit.explain as Record<string, number>;
      expect(Object.keys(factors).sort()).toEqual(
        ['age', 'holdsAll', 'lexical', 'lift', 'rank', 'rrf', 'salience', 'score'].sort(),
      );
      expect(factors.rrf! * factors.salience! * factors.age! * factors.lift!).toBeCloseTo(factors.score!, 12);
      expect(hit.score).toBeCloseTo(factors.score!, 6);
    }
    expect(library.hits('beacon')[0]).not.toHaveProperty('explain');
  });

  it('gives the same answer at the same time', () => {
    const twice = [library.search('beacon dark', { now: NOW }), library.search('beacon dark', { now: NOW })];
    expect(twice[0]!.hits).toEqual(twice[1]!.hits);
  });
});

describe('the order', () => {
  it('has hits with all words before hits with any', async () => {
    const both = new Transcript('order both', { start: START - 300 * DAY });
    both.prompt(`A gannet once sat ${'on the long grey wall '.repeat(40)} and a plover.`);
    const one = new Transcript('order one');
    for (let i = 0; i < 15; i++) one.prompt(`gannet gannet ${i}`);
    const library = await openLibrary([both, one]);
    try {
      const hits = library.hits('gannet plover', { explain: true });
      expect(hits[0]).toMatchObject({ session: both.key, explain: { holdsAll: true, lift: 3 } });
      expect(hits.slice(1).every((hit) => hit.explain?.holdsAll === false)).toBe(true);
      expect(hits.length).toBeGreaterThan(1);
      // All phrases must match.
      expect(library.ids('"gannet once"')).toEqual([`${both.key}#1`]);
      expect(library.ids('"once gannet"')).toEqual([]);
      // A word that holds no token is no word that must match.
      expect(library.hits('→ plover', { explain: true })[0]).toMatchObject({ explain: { holdsAll: true } });
      expect(library.hits('plover — !', { explain: true })[0]).toMatchObject({ explain: { holdsAll: true } });
    } finally {
      library.close();
    }
  });

  it('has rewound turns after those that stayed', async () => {
    const session = new Transcript('order rewound');
    session.prompt('Begin.');
    session.answer('Yes.');
    const fork = session.tip;
    session.prompt('Paint the sandpiper.');
    session.answer('Painted.');
    session.rewindTo(fork);
    session.prompt('Draw the sandpiper.');
    session.answer('Drawn.');
    const library = await openLibrary([session]);
    try {
      const hits = library.hits('sandpiper', { explain: true });
      expect(hits.map((hit) => [hit.turn, hit.explain?.salience])).toEqual([
        [3, 1],
        [2, 0.7],
      ]);
    } finally {
      library.close();
    }
  });
});

describe('grouping and paging', () => {
  const sessions = Array.from({ length: 23 }, (_, i) => new Transcript(`page ${i}`, { start: START - i * DAY }));
  let library: Library;
  beforeAll(async () => {
    sessions.forEach((session, i) => {
      for (let turn = 0; turn <= i % 9; turn++) session.prompt(`The curlew calls, ${i} ${turn}.`);
    });
    library = await openLibrary(sessions);
  });
  afterAll(() => library.close());

  it.each([1, 2, 5, 10])('gives every session once, %i a page', (limit) => {
    const seen: string[] = [];
    const all: Hit[] = [];
    let offset: number | undefined = 0;
    for (let page = 0; offset !== undefined && page < 100; page++) {
      const result = library.search('curlew', { limit, offset });
      const keys = [...new Set(result.hits.map((hit) => hit.session))];
      expect(keys.length).toBeLessThanOrEqual(limit);
      expect(result.total).toEqual({ turns: total, relation: 'eq' });
      seen.push(...keys);
      all.push(...result.hits);
      offset = result.cursor === null ? undefined : Number(result.cursor);
    }
    expect(sorted(seen)).toEqual(sorted(sessions.map((session) => session.key)));
    expect(new Set(all.map((hit) => hit.id)).size).toBe(all.length);
    // What is not shown of a session is told with its first hit.
    for (const [i, session] of sessions.entries()) {
      const own = all.filter((hit) => hit.session === session.key);
      expect(own.length + own[0]!.moreTurns).toBe((i % 9) + 1);
      for (const hit of own.slice(1)) expect(hit.moreTurns).toBe(0);
    }
  });
  const total = sessions.reduce((sum, _, i) => sum + (i % 9) + 1, 0);

  it('keeps the turns of a session together, sessions by their best turn', () => {
    const { hits } = library.search('curlew', { limit: 2 });
    expect(new Set(hits.map((hit) => hit.session)).size).toBe(2);
    const order = hits.map((hit) => hit.session);
    expect(order).toEqual(sorted(order).sort((a, b) => order.indexOf(a) - order.indexOf(b)));
    expect(hits[0]!.score).toBe(Math.max(...hits.map((hit) => hit.score)));
  });

  it('ends: a page after the last is empty and has no cursor', () => {
    expect(library.search('curlew', { limit: 10, offset: 500 })).toMatchObject({ hits: [], cursor: null });
    expect(library.search('curlew', { limit: 23 }).cursor).toBeNull();
    expect(library.search('curlew', { limit: 22 }).cursor).not.toBeNull();
  });
});

describe('resume and lineage', () => {
  it('come with each hit, a sub-agent’s those of its root', async () => {
    const session = new Transcript('lineage');
    session.prompt('Send someone to the osprey.');
    const { id } = session.tool('Task', { description: 'Go', prompt: 'Look at the nest.' }, 'seen');
    const agent = new Transcript('lineage agent', { subagentOf: session });
    agent.meta({ description: 'Go', toolUseId: id });
    agent.prompt('Look at the nest.');
    agent.answer('The nest is empty, said the dunlin.');
    const library = await openLibrary([session, agent]);
    try {
      const resume = { argv: ['claude', '--resume', session.id], cwd: session.cwd };
      expect(library.hits('osprey')[0]).toMatchObject({
        resume,
        lineage: { parent: null, children: [agent.key], childrenTotal: 1, childrenTruncated: false },
        label: 'Claude Code',
        project: 'lantern',
        branch: 'main',
        cwd: session.cwd,
        timestamp: '2026-11-20T09:00:01.000Z',
        secretsRedacted: 0,
      });
      expect(library.hits('dunlin')[0]).toMatchObject({ resume, lineage: { parent: session.key, children: [] } });
      expect(library.search('dunlin').facets.type).toEqual({ subagent: 1 });
      // Whose file is gone cannot be resumed, but what was kept is found.
      rmSync(join(library.home, session.file));
      await library.index();
      const [gone] = library.hits('osprey');
      expect(gone).toMatchObject({ session: session.key, snippet: 'Send someone to the osprey.' });
      expect(gone).not.toHaveProperty('resume');
    } finally {
      library.close();
    }
  });

  it('a secret is found by its label and counted, never shown', async () => {
    const session = new Transcript('secret');
    const secret = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'}`;
    session.prompt(`The bittern token is ${secret} now.`);
    const library = await openLibrary([session]);
    try {
      const [hit] = library.hits('bittern');
      expect(hit!.snippet).not.toContain(secret);
      expect(hit).toMatchObject({ secretsRedacted: 1, snippet: 'The bittern token is [GH_TOKEN] now.' });
      // Who looks for a key finds where keys of its kind were hidden, and nothing of the key is echoed.
      expect(library.ids(secret)).toEqual([hit!.id]);
    } finally {
      library.close();
    }
  });
});
