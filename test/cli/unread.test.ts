import { chmodSync, chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectedFor } from '../mcp/support.ts';
import { Transcript } from '../search/history.ts';
import { CLI, type Document, newUser, type User } from '../search/program.ts';
import { CAN_BE_KEPT_OUT, NOBODY, WITHOUT_RIGHTS } from '../support/unprivileged.ts';

const one = new Transcript('unread one', { cwd: '/home/dev/projects/quay' });
const other = new Transcript('unread other', { cwd: '/home/dev/projects/pier' });
one.prompt('Where is the gannet?');
other.prompt('Where is the dunlin?');
let user: User;

beforeEach(() => {
  user = newUser([one, other]);
  chmodSync(user.home, 0o755);
  if (NOBODY !== undefined) chownSync(user.kept, NOBODY, NOBODY);
});
afterEach(() => {
  chmodSync(join(user.home, '.claude'), 0o755);
  for (const path of readdirSync(join(user.home, '.claude', 'projects')))
    chmodSync(join(user.home, '.claude', 'projects', path), 0o755);
  user.remove();
});

/** Runs a command as one who has no right to read what is closed. */
async function told(...args: string[]): Promise<{ readonly code: number | null; readonly document: Document }> {
  const command = [...WITHOUT_RIGHTS, process.execPath, CLI, ...args, '--json'];
  const { code, stdout } = await user.shell(command.map((word) => `'${word}'`).join(' '));
  return { code, document: JSON.parse(stdout) };
}

const close = (...names: string[]) => {
  chmodSync(join(user.home, ...names), 0);
  return { path: join(user.home, ...names), reason: 'permission denied' };
};
const stateOf = async (word: string) => {
  const { document } = await told('search', word);
  return [document.total.turns, document.sources['claude-code']];
};

describe.skipIf(!CAN_BE_KEPT_OUT)('what cannot be read', () => {
  it('is told of a file, wherever sources are named, and the rest is read', async () => {
    const failed = close(one.file);
    const indexed = await told('index');
    expect([indexed.code, indexed.document.sources['claude-code'].failed]).toEqual([0, [failed]]);
    const { document } = await told('doctor');
    expect(document.sources['claude-code']).toMatchObject({ state: 'partial', units: 2, failed: [failed] });
    const reason = `cannot be read: ${failed.path} (permission denied)`;
    const partial = { state: 'partial', sessions: 1, reason, failed: 1 };
    expect(await stateOf('gannet')).toEqual([0, partial]);
    expect(await stateOf('dunlin')).toEqual([1, partial]);
  });

  it('is told of a folder, whose sessions stay and are not taken for deleted', async () => {
    await told('index');
    const failed = close('.claude', 'projects', one.file.split('/').at(-2)!);
    const indexed = await told('index');
    expect([indexed.code, indexed.document.sources['claude-code']]).toMatchObject([0, { failed: [failed], gone: 0 }]);
    const { document } = await told('sessions');
    expect(document.sessions.map(({ gone }: Document) => gone)).toEqual([false, false]);
    const reason = `cannot be read: ${failed.path} (permission denied)`;
    expect(await stateOf('gannet')).toEqual([1, { state: 'partial', sessions: 2, reason, failed: 1 }]);
  });

  it('is told of a whole home, before and after an indexing fails on it', async () => {
    await told('index');
    const failed = close('.claude');
    const reason = `cannot be read: ${failed.path} (permission denied)`;
    expect(await stateOf('gannet')).toEqual([1, { state: 'partial', sessions: 2, reason, failed: 1 }]);
    const indexed = await told('index');
    expect([indexed.code, indexed.document.sources['claude-code'].failed]).toEqual([4, [failed]]);
    expect(await stateOf('gannet')).toEqual([1, { state: 'unavailable', sessions: 2, reason, failed: 1 }]);
    const { document } = await told('doctor');
    expect(document.sources['claude-code']).toMatchObject({ state: 'unavailable', sessions: 2, failed: [failed] });
  });
});

describe('a session that is written after the last indexing', () => {
  it('is listed, and is known by its id, in another process and in a server that ran before', async () => {
    await user.json('index');
    const agent = await connectedFor(user);
    expect((await agent.call('search_history', { query: 'whimbrel' })).text).toContain('No turn was found.');
    const fresh = new Transcript('unread new', { cwd: '/home/dev/projects/new', start: Date.now() });
    fresh.prompt('Where is the whimbrel?');
    fresh.write(user.home);
    const read = await agent.call('read_turn', { id: fresh.key });
    expect([read.isError, read.document.turn.prompt]).toEqual([false, 'Where is the whimbrel?']);
    const later = new Transcript('unread later', { cwd: '/home/dev/projects/later', start: Date.now() });
    later.prompt('Where is the kittiwake?');
    later.write(user.home);
    const { document } = await user.json('sessions', '--limit', '1');
    expect(document).toMatchObject({
      total: 4,
      sessions: [{ id: later.key }],
      sources: { 'claude-code': { state: 'searched', sessions: 4 } },
      warnings: [],
    });
  });

  it('is found in a new project, and what is too much to be read first is told', async () => {
    await user.json('index');
    const fresh = new Transcript('unread new', { cwd: '/home/dev/projects/new' });
    fresh.prompt('Where is the whimbrel?');
    fresh.write(user.home);
    const { code, document } = await user.json('search', 'whimbrel');
    expect([code, document.hits[0].session]).toEqual([0, fresh.key]);
    expect(document.sources['claude-code']).toEqual({ state: 'searched', sessions: 3 });
  });
});
