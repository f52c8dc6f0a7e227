import { appendFileSync, cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BodyPlace, openBody } from '../../../src/archive/bodies.ts';
import { clean, forget, isUnclean, recall, withDependents } from '../../../src/ingest/clearing/forget.ts';
import { star, starsIn } from '../../../src/recall/notes.ts';
import { Database } from '../../../src/store/database.ts';
import { Busy } from '../../../src/store/lease.ts';
import { SHARED, shared } from '../../oracle/product.ts';
import { ClaudeHome } from '../../support/claude-home.ts';
import { Script } from '../../support/claude-records.ts';
import { filesBelow, temporaryFolder, writeAt } from '../../support/folders.ts';
import { Portolan, sessionOf, sessionsOf } from '../../support/portolan.ts';

const OPEN = '11111111-1111-4111-8111-111111111111';
const DIARY = '22222222-2222-4222-8222-222222222222';
const FORK = '33333333-3333-4333-8333-333333333333';

/** Words that stand nowhere else: in every place where a session says something. */
const NEEDLES = [
  'wyvernprompt',
  'wyvernanswer',
  'wyvernthought',
  'wyverninput',
  'wyvernoutput',
  'wyverntitle',
  'wyvernsummary',
  'wyverncwd',
  'wyvernbranch',
  'wyvernpath',
  'wyvernagent',
  'wyvernstar',
  'wyverntyped',
];

function homeWithNeedles() {
  const home = new ClaudeHome();
  const open = new Script({ sessionId: OPEN, cwd: '/home/dev/projects/pier' }, OPEN);
  const diary = new Script({ sessionId: DIARY, cwd: '/home/dev/wyverncwd', gitBranch: 'wyvernbranch' }, DIARY);
  const records = [
    diary.user('the wyvernprompt'),
    diary.answer([
      { type: 'thinking', thinking: 'a wyvernthought' },
      { type: 'text', text: 'the wyvernanswer' },
    ]),
    diary.answer([
      {
        type: 'tool_use',
        id: 'toolu_1',
        name: 'Read',
        input: { file_path: '/home/dev/wyvernpath', note: 'wyverninput' },
      },
    ]),
    diary.user([{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'wyvernoutput '.repeat(300) }]),
  ];
  home.write([...records, { type: 'custom-title', customTitle: 'a wyverntitle', sessionId: DIARY }], DIARY);
  // Older versions say what a session is about in another session's file.
  home.write(
    [
      { type: 'summary', summary: 'a wyvernsummary', leafUuid: diary.leaf },
      open.user('paint the pier'),
      open.answer('Painted.'),
    ],
    OPEN,
  );
  const agent = new Script({ sessionId: DIARY, cwd: '/home/dev', isSidechain: true, agentId: 'a1' }, 'agent');
  home.write([agent.user('a wyvernagent')], `${DIARY}/subagents/agent-a1.jsonl`);
  writeAt(
    join(home.claude, 'history.jsonl'),
    `${JSON.stringify({ display: 'wyverntyped', timestamp: 1, project: '/home/dev/wyverncwd', sessionId: DIARY })}\n`,
  );
  return { home, open, diary, records, portolan: new Portolan(home.env()) };
}

/** Where in Portolan's own files a word stands: in their bytes as they are, or in what was packed. */
function traces(portolan: Portolan, words: readonly string[]): string[] {
  const found = filesBelow(portolan.home.path).flatMap((path) => {
    const bytes = readFileSync(path);
    return words.filter((word) => bytes.includes(word)).map((word) => `${word} in ${path}`);
  });
  const archive = Database.forReading(portolan.home.archive);
  for (const { body, ...place } of archive.rows<BodyPlace & { body: Uint8Array }>('SELECT * FROM chunks')) {
    const text = JSON.stringify(openBody(body, place));
    found.push(...words.filter((word) => text.includes(word)).map((word) => `${word} in a chunk`));
  }
  archive.close();
  return found;
}

/** Forgets a session by its native id. */
function forgetting(portolan: Portolan, id: string, only = false): string[] {
  const stores = portolan.read();
  const sessions = withDependents(stores, [sessionOf(stores, id)], only);
  forget(portolan.home, sessions, () => {});
  return sessions.map(({ session }) => session.nativeId).sort();
}

/** Pieces of everything that sessions say, as bytes would hold them: no characters that JSON or a path spells otherwise. */
function piecesIn(portolan: Portolan): string[] {
  const texts = portolan.content().sessions.flatMap((session) => [
    session.title ?? '',
    ...session.turns.flatMap((turn) =>
      turn.parts.flatMap((part) => {
        if (part.type === 'tool_call') return [part.output ?? '', part.command ?? ''];
        return part.type === 'attachment' ? [] : [part.text];
      }),
    ),
  ]);
  return [...new Set(texts.flatMap((text) => text.match(/[\p{L}\d ,.'-]{24,60}/gu)?.slice(0, 5) ?? []))];
}

describe.skipIf(SHARED === undefined).each(['claude', 'codex'])('every session of live/%s, forgotten', (agent) => {
  it('leaves nothing of what was said, also where everything is read anew', async () => {
    const home = temporaryFolder();
    cpSync(shared('corpus', 'live', agent, 'home'), home, { recursive: true });
    const portolan = new Portolan({ home, platform: 'linux', variables: {}, projects: [] });
    await portolan.index();
    const pieces = piecesIn(portolan);
    expect(pieces.length).toBeGreaterThan(50);
    const stores = portolan.read();
    forget(portolan.home, withDependents(stores, sessionsOf(stores), false), () => {});
    expect(traces(portolan, pieces)).toEqual([]);
    await portolan.write((written) => written.archive.db.exec('UPDATE units SET reader = 0'));
    await portolan.index();
    expect(traces(portolan, pieces)).toEqual([]);
    expect(portolan.content().sessions).toEqual([]);
  });
});

describe('a session that is forgotten', () => {
  it('leaves no byte in any of our files, and is not read again', async () => {
    const { home, diary, portolan } = homeWithNeedles();
    await portolan.index();
    // What is replaced leaves its traces too: the last chunk is written anew with each line.
    for (let i = 0; i < 5; i++) {
      home.append([diary.answer(`the wyvernanswer ${i}`.repeat(200))], DIARY);
      await portolan.index();
    }
    // A star says what it is about.
    star(portolan.home, { session: `claude-code:${DIARY}`, anchor: 'a' }, 'wyvernstar', 1);
    star(portolan.home, { session: `claude-code:${OPEN}` }, undefined, 2);
    expect(new Set(traces(portolan, NEEDLES).map((trace) => trace.split(' ')[0]))).toEqual(new Set(NEEDLES));
    expect(forgetting(portolan, DIARY)).toEqual([DIARY, `${DIARY}/agent-a1`, `prompts/${DIARY}`]);
    const nothing = () => {
      expect(traces(portolan, NEEDLES)).toEqual([]);
      expect(starsIn(portolan.home)).toEqual([{ session: `claude-code:${OPEN}`, at: 2 }]);
      expect(portolan.content().sessions.map((session) => session.nativeId)).toEqual([OPEN]);
    };
    nothing();
    // The prompt history holds other sessions' prompts too, so it is read once more.
    expect(await portolan.index()).toMatchObject({ read: 1 });
    nothing();
    expect(await portolan.index()).toMatchObject({ read: 0 });
    nothing();
    home.append([diary.user('the wyvernprompt again')], DIARY);
    appendFileSync(
      join(home.claude, 'history.jsonl'),
      `${JSON.stringify({ display: 'wyverntyped more', timestamp: 2, project: '/home/dev/wyverncwd', sessionId: DIARY })}\n`,
    );
    await portolan.index();
    nothing();
    // Also where everything is read anew: by a new version of the reader, or as a moved file.
    await portolan.write((stores) => stores.archive.db.exec('UPDATE units SET reader = 0'));
    await portolan.index();
    nothing();
  });

  it('is read again when that is taken back', async () => {
    const { portolan } = homeWithNeedles();
    await portolan.index();
    const before = portolan.content();
    forgetting(portolan, DIARY);
    expect(recall(portolan.home, `claude-code:${OPEN}`)).toBe(false);
    expect(recall(portolan.home, `claude-code:${DIARY}`)).toBe(true);
    await portolan.index();
    expect(portolan.content()).toEqual(before);
  });

  it('takes the sessions along that repeat turns of it, or leaves them', async () => {
    const { home, records, portolan } = homeWithNeedles();
    const fork = new Script({ sessionId: FORK, cwd: '/home/dev/other' }, 'fork');
    home.write([...records.map((record) => ({ ...record, sessionId: FORK })), fork.user('but as a fork')], FORK);
    await portolan.index();
    const stores = portolan.read();
    const ids = (only: boolean) =>
      withDependents(stores, [sessionOf(stores, DIARY)], only).map(({ session }) => session.nativeId);
    expect(ids(false)).toContain(FORK);
    expect(ids(true)).not.toContain(FORK);
    // The fork's own going leaves what it came from.
    expect(withDependents(stores, [sessionOf(stores, FORK)], false).map(({ session }) => session.nativeId)).toEqual([
      FORK,
    ]);
    forgetting(portolan, DIARY, true);
    const [left] = portolan.content().sessions.filter((session) => session.nativeId === FORK);
    expect(left?.turns.map((turn) => turn.prompt)).toEqual(['the wyvernprompt', 'but as a fork']);
  });

  it('waits for no one: where another process writes, nothing is forgotten', async () => {
    const { portolan } = homeWithNeedles();
    await portolan.index();
    const stores = portolan.read();
    const sessions = withDependents(stores, [sessionOf(stores, DIARY)], false);
    await portolan.write(() => {
      expect(() => forget(portolan.home, sessions, () => {})).toThrow(Busy);
    });
    expect(traces(portolan, NEEDLES)).not.toEqual([]);
  });

  it('is cleaned away later where that was broken off', async () => {
    const { portolan } = homeWithNeedles();
    await portolan.index();
    await portolan.write(({ keeper }) => keeper.setState('unclean', 1));
    expect(isUnclean(portolan.read())).toBe(true);
    clean(portolan.home, () => {});
    expect(isUnclean(portolan.read())).toBe(false);
    expect(existsSync(`${portolan.home.archive}-wal`) && readFileSync(`${portolan.home.archive}-wal`).length > 0).toBe(
      false,
    );
  });
});
