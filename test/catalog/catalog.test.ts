import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Catalog } from '../../src/catalog/catalog.ts';
import type { CatalogSession } from '../../src/catalog/listed.ts';
import { CATALOG_SCHEMA } from '../../src/catalog/schema.ts';
import { Database } from '../../src/store/database.ts';
import { NO_TOKENS } from '../../src/transcript/index.ts';
import { temporaryFolder } from '../support/folders.ts';

const BARE: CatalogSession = {
  id: 1,
  revision: 1,
  key: 'claude-code:one',
  source: 'claude-code',
  nativeId: 'one',
  kind: 'transcript',
  hidden: false,
  gone: false,
  path: '/one.jsonl',
  turns: 0,
  messages: 0,
  toolCalls: 0,
  errors: 0,
  tokens: {},
  more: { roots: [], models: [], client: {}, pullRequests: [], pending: false },
};
const FULL: CatalogSession = {
  ...BARE,
  title: 'The pier',
  titleFrom: 'user',
  cwd: '/home/dev/pier',
  project: 'pier',
  branch: 'main',
  remote: 'git@git.example:pier',
  started: 1,
  ended: 3,
  active: 3,
  parent: { key: 'claude-code:zero', relation: 'fork', turn: 4 },
  hidden: true,
  gone: true,
  turns: 5,
  messages: 6,
  toolCalls: 7,
  errors: 8,
  tokens: { model: { ...NO_TOKENS, input: 9 } },
  more: {
    roots: ['/home/dev/pier'],
    models: ['model'],
    client: { name: 'claude-code', version: '2.1.332' },
    pullRequests: [{ url: 'https://git.example/1', number: 1 }],
    pending: true,
    startedBy: 'toolu_1',
  },
};

let catalog: Catalog;
beforeEach(() => {
  const db = Database.forWriting(join(temporaryFolder(), 'catalog.db'), CATALOG_SCHEMA, 1);
  onTestFinished(() => db.close());
  catalog = new Catalog(db);
});

describe('the catalog', () => {
  it.each([
    ['all', FULL],
    ['little', BARE],
  ])('gives a session of which %s is known back as it was put', (_, session) => {
    catalog.putSession(session);
    expect(catalog.session(1)).toEqual(session);
    expect(catalog.session(2)).toBeUndefined();
  });

  it('lists the children of a session in the order in which they began', () => {
    const child = (id: number, started: number): CatalogSession => ({
      ...BARE,
      id,
      started,
      key: `claude-code:${id}`,
      parent: { key: 'claude-code:one', relation: 'subagent' },
    });
    for (const session of [BARE, child(2, 30), child(3, 10), child(4, 20)]) catalog.putSession(session);
    expect(catalog.childrenOf('claude-code:one')).toEqual(['claude-code:3', 'claude-code:4', 'claude-code:2']);
    expect(catalog.childrenOf('claude-code:2')).toEqual([]);
  });

  it('gives turns back as they were put, in order', () => {
    const turns = [
      { turn: 0, anchor: 'start', rewound: false, superseded: false },
      {
        turn: 1,
        anchor: 'a',
        rewound: true,
        superseded: false,
        started: 1,
        ended: 2,
        prompt: 'Paint.',
        replayOf: 9,
        ownParts: 'none',
      },
    ] as const;
    for (const turn of turns.toReversed()) catalog.putTurn(1, turn);
    expect(catalog.turnsOf(1)).toEqual(turns);
    expect(catalog.turnsOf(2)).toEqual([]);
  });

  it('takes all of a session out but its row, and gives the ids of its passages', () => {
    catalog.putSession(BARE);
    catalog.putTurn(1, { turn: 1, anchor: 'a', rewound: false, superseded: false });
    const place = { turn: 1, firstPart: 0, from: 0, lastPart: 0, to: 5, flags: 0, bytes: 5 };
    for (const chunk of [0, 1]) catalog.putChunk(1, 1, chunk, { messages: 1, toolCalls: 0, errors: 0 });
    const ids = [
      catalog.putPassage({ session: 1, chunk: 0, ...place }),
      catalog.putPassage({ session: 1, chunk: 1, ...place }),
      catalog.putTitlePassage(1, 1, 'The pier', 3),
    ];
    const other = catalog.putPassage({ session: 2, chunk: 0, ...place });
    expect(catalog.titlePassage(1)).toEqual({ turn: 1, title: 'The pier' });
    expect(catalog.takePassages(1, 1, 1)).toEqual([ids[1]]);
    expect(catalog.takeSession(1).sort()).toEqual([ids[0], ids[2]].sort());
    expect(catalog.turnsOf(1)).toEqual([]);
    expect(catalog.titlePassage(1)).toBeUndefined();
    expect(catalog.session(1)).toBeDefined();
    expect(catalog.count('passages')).toBe(1);
    expect(catalog.takeSession(2)).toEqual([other]);
    catalog.dropSession(1);
    expect(catalog.session(1)).toBeUndefined();
  });

  it('remembers when it was last brought up to date', () => {
    expect(catalog.lastIngest()).toBeUndefined();
    catalog.note('last_ingest', 7);
    catalog.note('last_ingest', 8);
    expect(catalog.lastIngest()).toBe(8);
  });
});
