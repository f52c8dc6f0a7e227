import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ClaudeHome } from '../../support/claude-home.ts';
import { jsonl, Script, uuid } from '../../support/claude-records.ts';
import { writeAt } from '../../support/folders.ts';
import { Portolan, sessionOf } from '../../support/portolan.ts';

/** A home of the desktop program: a session `local_a` in a folder, with its sidecar beside it. */
class Desktop {
  readonly home = new ClaudeHome();
  readonly portolan = new Portolan(this.home.env());
  readonly id = uuid('cowork');
  readonly script = new Script({ cwd: '/sessions/quiet-pier', sessionId: this.id, entrypoint: 'local-agent' });
  private readonly folder = join(this.home.path, '.config', 'Claude', 'local-agent-mode-sessions', 'account', 'space');

  write(records: readonly unknown[]): void {
    this.home.touch(
      writeAt(
        join(this.folder, 'local_a', '.claude', 'projects', '-sessions-quiet-pier', `${this.id}.jsonl`),
        jsonl(records),
      ),
    );
  }

  say(said: unknown, name = 'local_a.json'): void {
    writeAt(join(this.folder, name), typeof said === 'string' ? said : JSON.stringify(said));
  }

  async session() {
    await this.portolan.index();
    return sessionOf(this.portolan.read(), this.id);
  }
}

describe('a session of the desktop program', () => {
  it('has the title and the folders that its sidecar gives', async () => {
    const desktop = new Desktop();
    desktop.write([desktop.script.user('Paint the pier.')]);
    desktop.say({
      cliSessionId: desktop.id,
      title: 'The green pier',
      userSelectedFolders: ['/home/dev/pier', '/home/dev/mole'],
      lastActivityAt: 1e12,
    });
    const session = await desktop.session();
    expect(session).toMatchObject({ title: 'The green pier', titleFrom: 'agent' });
    expect(session.more.roots).toEqual(expect.arrayContaining(['/home/dev/pier', '/home/dev/mole']));
  });

  it('belongs to the project of the folder that was chosen, not to the one inside the machine', async () => {
    const desktop = new Desktop();
    desktop.write([desktop.script.user('Paint the pier.')]);
    desktop.say({ cliSessionId: desktop.id, userSelectedFolders: ['/home/dev/pier'] });
    expect(await desktop.session()).toMatchObject({ cwd: '/home/dev/pier', project: 'pier' });
  });

  it('is found in another sidecar where its own is of another session', async () => {
    const desktop = new Desktop();
    desktop.write([desktop.script.user('Paint the pier.')]);
    desktop.say({ cliSessionId: uuid('other'), title: 'Other' });
    desktop.say({ cliSessionId: desktop.id, title: 'This one' }, 'local_b.json');
    expect(await desktop.session()).toMatchObject({ title: 'This one' });
  });

  it.each([
    ['missing', undefined],
    ['no JSON', '{"title": "tor'],
    ['a list', '[]'],
    ['full of wrong types', { title: 7, userSelectedFolders: 'x', lastActivityAt: {} }],
  ])('is a session all the same where the sidecar is %s', async (_, said) => {
    const desktop = new Desktop();
    desktop.write([desktop.script.user('Paint the pier.')]);
    if (said !== undefined) desktop.say(said);
    expect(await desktop.session()).toMatchObject({ title: 'Paint the pier.', titleFrom: 'first-prompt' });
  });

  it('has the title that was given later, once its file grows', async () => {
    const desktop = new Desktop();
    const records = [desktop.script.user('Paint the pier.')];
    desktop.write(records);
    desktop.say({ cliSessionId: desktop.id });
    await desktop.session();
    desktop.say({ cliSessionId: desktop.id, title: 'The green pier' });
    desktop.write([...records, desktop.script.answer('Painted.')]);
    expect(await desktop.session()).toMatchObject({ title: 'The green pier' });
  });
});
