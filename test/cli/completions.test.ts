import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { Transcript } from '../search/history.ts';
import { newUser, type User } from '../search/program.ts';

const session = new Transcript('completion session', { cwd: '/home/dev/projects/pier' });
let user: User;
beforeAll(async () => {
  session.prompt('Find the beacon.');
  session.answer('It is on the pier.');
  user = newUser([session]);
  await user.run('index');
});
afterAll(() => user.remove());

/** What the last word may become. */
async function candidates(...words: string[]): Promise<string[]> {
  const { stdout } = await user.run('completions', 'candidates', '--', 'portolan', ...words);
  return stdout.split('\n').flatMap((line) => line.split('\t')[0] || []);
}

describe('completions', () => {
  it('offer every command', async () => {
    expect(await candidates('')).toEqual([...COMMANDS.keys()]);
    expect(await candidates('se')).toEqual(['search', 'sessions', 'setup']);
    expect(await candidates('help', 'wat')).toEqual(['watch']);
  });

  it.each([
    [['search', '--lim'], ['--limit']],
    [['forget', '--b'], ['--before']],
    [['forget', '--source', 'cla'], ['claude-code']],
    [['forget', 'pi'], ['pier']],
    [
      ['setup', ''],
      ['claude-code', 'codex'],
    ],
    [['config', 'a'], ['add']],
    [['config', 'add', 'exclude.pr'], ['exclude.projects']],
    [['show', session.nativeId.slice(0, 6)], [session.nativeId]],
    [['resume', 'claude-code:'], [`claude-code:${session.nativeId}`]],
    [['no-such-command', ''], []],
  ])('of %o are %o', async (words, expected) => {
    expect(await candidates(...words)).toEqual(expected);
  });

  it('offer the options that the help of each command describes', async () => {
    for (const [name, load] of COMMANDS) {
      const offered = await candidates(name, '--');
      const described = [...(await load()).help.matchAll(/^ +(--[a-z-]+)/gm)].map(([, flag]) => flag);
      expect([...offered].sort()).toEqual([...new Set([...described, '--help'])].sort());
    }
  });

  it('fill in words with a colon as bash parts them', () => {
    const script = `
      portolan() { "$NODE" "$CLI" "$@"; }
      source <(portolan completions bash)
      COMP_LINE="portolan show claude-code:${session.nativeId.slice(0, 4)}"; COMP_POINT=\${#COMP_LINE}
      _portolan; printf '%s\\n' "\${COMPREPLY[@]}"
      COMP_LINE="portolan sess"; COMP_POINT=\${#COMP_LINE}
      _portolan; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { ...user.env, NODE: process.execPath, CLI: process.env.PORTOLAN_CLI ?? 'dist/cli.mjs' };
    const { stdout, error } = spawnSync('bash', ['-c', script], { env, encoding: 'utf8' });
    if (error) throw error;
    expect(stdout.trim().split('\n')).toEqual([session.nativeId, 'sessions']);
  });

  it('are not there for a shell that nobody knows', async () => {
    const refused = await user.json('completions', 'tcsh');
    expect(refused.document.error).toMatchObject({ code: 'no_shell', hint: expect.stringContaining('fish') });
  });
});
