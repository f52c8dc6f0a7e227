import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRepository, makeWorktree } from '../../support/git.ts';
import { Transcript } from '../history.ts';
import { newUser, type User } from '../program.ts';

const folder = mkdtempSync(join(tmpdir(), 'portolan-resume-'));
const repository = join(folder, 'quay');
const worktree = join(folder, 'quay-lamp');
const away = join(folder, 'away');

const plain = new Transcript('resume plain', { cwd: repository });
const inWorktree = new Transcript('resume in a worktree', { cwd: worktree });
const inAway = new Transcript('resume in a folder that is gone', { cwd: away });
const relative = new Transcript('resume in a relative folder', { cwd: '-rf' });
const root = new Transcript('resume a root that is gone', { cwd: repository });
const orphan = new Transcript('resume an orphan', { subagentOf: root });
const all = [plain, inWorktree, inAway, relative, orphan];

let user: User;
beforeAll(async () => {
  makeRepository(repository);
  makeWorktree(worktree, join(repository, '.git'), 'quay-lamp');
  mkdirSync(away);
  for (const one of all) {
    one.prompt('Find the hazelword.');
    one.answer('It is here.');
  }
  user = newUser(all);
  await user.run('index');
  rmSync(worktree, { recursive: true });
  rmSync(away, { recursive: true });
});
afterAll(() => {
  user.remove();
  rmSync(folder, { recursive: true });
});

describe('a session is resumed', () => {
  it('in its folder', async () => {
    const { code, stdout, stderr } = await user.run('resume', plain.nativeId);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`cd ${repository} && claude --resume ${plain.nativeId}\n`);
  });

  it('with a prompt that is no option, whatever it begins with', async () => {
    const { document } = await user.json('resume', plain.nativeId, '--prompt=--yes, go on');
    expect(document.argv).toEqual(['claude', '--resume', plain.nativeId, '--', '--yes, go on']);
  });

  it('elsewhere, where its folder is gone: that is said, and the repository of a worktree', async () => {
    const gone = await user.run('resume', inAway.nativeId);
    expect(gone.code).toBe(0);
    expect(gone.stderr).toContain(`The folder is gone: ${away}. Run the command where the project lies now.`);
    const tree = await user.run('resume', inWorktree.nativeId);
    expect(tree.stderr).toContain(`The folder is gone: ${worktree}. It was a worktree of ${repository}.`);
    const { document } = await user.json('resume', inWorktree.nativeId);
    expect(document).toMatchObject({ cwd: worktree, folder_gone: true, repository });
  });

  it('in no folder that is not named from the root: it might be an option', async () => {
    const { stdout } = await user.run('resume', relative.nativeId);
    expect(stdout).toBe(`claude --resume ${relative.nativeId}\n`);
  });

  it('in the folder that its project was moved to: the agent finds it only there', async () => {
    const [from, to] = [join(folder, 'pier'), join(folder, 'pier-new')];
    const moved = new Transcript('resume a project that was moved', { cwd: from });
    moved.prompt('The first alderbuoy.');
    moved.answer('Yes.');
    const there = new Transcript('resume a project that was moved', { cwd: to });
    there.prompt('The second cedarbuoy.');
    const path = join(user.home, there.file);
    mkdirSync(dirname(path), { recursive: true });
    mkdirSync(to);
    writeFileSync(path, moved.text() + there.text());
    await user.run('index');
    const { document } = await user.json('resume', moved.nativeId);
    expect(document).toEqual({ argv: ['claude', '--resume', moved.nativeId], cwd: to });
    expect((await user.json('search', 'alderbuoy project:pier-new')).document.total.turns).toBe(1);
  });

  it('not, where it is a sub-agent’s and the session that started it is gone', async () => {
    const { code, stdout, stderr } = await user.run('resume', orphan.nativeId);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('cannot be resumed: it is a sub-agent’s, and the session that started it is gone.');
  });
});

describe('a sub-agent whose session is gone', () => {
  it('is listed among the sessions', async () => {
    const { document } = await user.json('sessions');
    expect(document.sessions.map((one: { id: string }) => one.id)).toContain(orphan.key);
  });
});
