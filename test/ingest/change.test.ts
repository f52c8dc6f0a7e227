import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ClaudeHome } from '../support/claude-home.ts';
import { jsonl, Script, SESSION, uuid } from '../support/claude-records.ts';
import { linesIn, Portolan, sessionOf, sessionsOf } from '../support/portolan.ts';

const records = (prompt: string, answer: string) => {
  const script = new Script({}, prompt);
  return [script.user(prompt), script.answer(answer, { usage: { input_tokens: 5, output_tokens: 7 } })];
};
const FIRST = records('Paint the pier.', 'Painted it green.');

async function indexed(content: readonly unknown[] = FIRST) {
  const home = new ClaudeHome();
  const portolan = new Portolan(home.env());
  home.write(content);
  await portolan.index();
  return { home, portolan };
}

describe('a file that was indexed', () => {
  it('is not read again while nothing changes', async () => {
    const { portolan } = await indexed();
    expect(await portolan.index()).toMatchObject({ units: 1, read: 0, unchanged: 1, bytesRead: 0, sessions: 1 });
  });

  it('is not read again where only its time changed', async () => {
    const { home, portolan } = await indexed();
    home.touch(home.at());
    expect(await portolan.index()).toMatchObject({ read: 0, unchanged: 1, bytesRead: 0 });
    expect(await portolan.index()).toMatchObject({ read: 0, unchanged: 1 });
  });

  it('stays readable where the file is deleted, under the same id', async () => {
    const { home, portolan } = await indexed();
    const before = portolan.content();
    rmSync(home.at());
    expect(await portolan.index()).toMatchObject({ units: 0, gone: 1, read: 0 });
    const after = portolan.content();
    expect(after).toEqual({ ...before, sessions: before.sessions.map((session) => ({ ...session, gone: true })) });
    expect(await portolan.index()).toMatchObject({ gone: 0 });
  });

  it('stays readable where the file is emptied', async () => {
    const { home, portolan } = await indexed();
    home.write('');
    expect(await portolan.index()).toMatchObject({ gone: 1, read: 0 });
    expect(await portolan.index()).toMatchObject({ gone: 0, read: 0 });
    expect(linesIn(portolan.read(), SESSION)).toEqual(['user: Paint the pier.', 'assistant: Painted it green.']);
    expect(sessionOf(portolan.read(), SESSION).gone).toBe(true);
  });

  it('is no longer gone where the file comes back, and nothing is read for that', async () => {
    const { home, portolan } = await indexed();
    rmSync(home.at());
    await portolan.index();
    home.write(FIRST);
    expect(await portolan.index()).toMatchObject({ read: 0, bytesRead: 0 });
    expect(sessionOf(portolan.read(), SESSION).gone).toBe(false);
    expect(sessionsOf(portolan.read())).toHaveLength(1);
  });

  it('keeps its session where its folder is renamed, and nothing is read for that', async () => {
    const { home, portolan } = await indexed();
    const folder = join(home.claude, 'projects', '-home-dev-projects-mole');
    const before = portolan.content();
    renameSync(home.project, folder);
    expect(await portolan.index()).toMatchObject({ units: 1, read: 0, bytesRead: 0, gone: 0, sessions: 1 });
    const moved = before.sessions.map((session) => ({ ...session, path: join(folder, `${SESSION}.jsonl`) }));
    expect(portolan.content()).toEqual({ ...before, sessions: moved });
  });

  it('is read on where it was moved and grew', async () => {
    const { home, portolan } = await indexed();
    const folder = join(home.claude, 'projects', '-home-dev-projects-mole');
    const script = new Script({}, 'more');
    const more = jsonl([script.user('And the lamp?')]);
    home.append(more);
    renameSync(home.project, folder);
    expect(await portolan.index()).toMatchObject({ bytesRead: more.length, sessions: 1 });
    expect(linesIn(portolan.read(), SESSION)).toHaveLength(3);
  });

  it('is read anew by a reader of a later version', async () => {
    const { home, portolan } = await indexed();
    await portolan.write((stores) => stores.archive.db.run('UPDATE units SET reader = reader - 1'));
    const before = portolan.content();
    expect(await portolan.index()).toMatchObject({ read: 1, bytesRead: jsonl(FIRST).length });
    expect(portolan.content()).toEqual(before);
    expect(home.at()).toBe(sessionOf(portolan.read(), SESSION).path);
  });
});

describe('a history', () => {
  it('is read newest first', async () => {
    const home = new ClaudeHome();
    for (const name of ['one', 'two', 'three']) home.write(records(name, 'Done.'), uuid(name));
    const portolan = new Portolan(home.env());
    await portolan.index();
    const read = portolan
      .read()
      .archive.units()
      .sort((a, b) => a.id - b.id);
    expect(read.map((unit) => unit.path)).toEqual(['three', 'two', 'one'].map((name) => home.at(uuid(name))));
  });
});
