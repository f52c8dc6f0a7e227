import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Transcript } from '../search/history.ts';
import { newUser, type User } from '../search/program.ts';
import { writeAt } from '../support/folders.ts';
import { ROLLOUT, rollout } from '../support/rollout.ts';

const someone = (transcripts: readonly Transcript[] = []): User => {
  const user = newUser(transcripts);
  onTestFinished(() => user.remove());
  return user;
};
const mine = new Transcript('start mine');
mine.prompt('Find the beacon.');

describe('portolan start', () => {
  it('says where it looked where nobody has a history, and how to see the sample', async () => {
    const nobody = someone();
    const { code, stdout } = await nobody.run('start');
    expect(code).toBe(0);
    expect(stdout).toContain(join(nobody.home, '.codex'));
    expect(stdout).toContain('portolan start --demo');
    expect((await nobody.shell('portolan start', { npm_lifecycle_event: 'start' })).stdout).toContain(
      'npm start -- --demo',
    );
    expect((await nobody.run('index')).stdout).toContain('No history of any agent was found');
    expect((await nobody.run('sessions')).stdout).toContain('There are no sessions yet.');
  });

  it('--demo shows the sample alone, wherever the environment says that histories lie', async () => {
    const user = someone([mine]);
    const codex = join(user.home, 'codex');
    writeAt(join(codex, 'sessions/2026/11/30', `rollout-2026-11-30T08-57-42-${ROLLOUT}.jsonl`), rollout());
    const variables = { CODEX_HOME: codex, CLAUDE_CONFIG_DIR: join(user.home, '.claude'), XDG_CONFIG_HOME: user.home };
    const { stdout: own } = await user.shell('portolan index && portolan sessions --json', variables);
    for (const id of [mine.id, ROLLOUT]) expect(own).toContain(id);
    expect((await user.shell('portolan start --demo', variables)).code).toBe(0);
    const demo = await user.shell('portolan sessions --all --json', { PORTOLAN_HOME: join(user.kept, 'demo') });
    expect(demo.stdout).toContain('harbor-api');
    for (const id of [mine.id, ROLLOUT]) expect(demo.stdout).not.toContain(id);
  });
});
