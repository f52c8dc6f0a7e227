import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { inspect } from '../../src/archive/inspect.ts';
import { search } from '../../src/search/answers/search.ts';
import { parseQuery } from '../../src/search/query/parse.ts';
import { ClaudeHome } from '../support/claude-home.ts';
import { Script, uuid } from '../support/claude-records.ts';
import { differences, linesIn, Portolan, sessionOf, turnsIn } from '../support/portolan.ts';

const NAMES = ['one', 'two'];

async function indexed() {
  const home = new ClaudeHome();
  for (const name of NAMES) {
    const script = new Script({}, name);
    home.write(
      [
        script.user(`Paint ${name} with larch.`),
        script.answer(`Painted ${name}.`),
        script.user(`Then tar ${name}.`),
        script.answer(`Tarred ${name}.`),
      ],
      uuid(name),
    );
  }
  const portolan = new Portolan(home.env());
  await portolan.index();
  return { home, portolan, before: portolan.content() };
}

/** Changes the archive behind Portolan's back: no sum follows. */
function spoil(portolan: Portolan, sql: string): void {
  const db = new DatabaseSync(portolan.home.archive);
  db.function('row_sum', { varargs: true }, () => 0);
  for (const { name } of db.prepare("SELECT name FROM sqlite_schema WHERE name LIKE '%\\_summed%' ESCAPE '\\'").all())
    db.exec(`DROP TRIGGER ${String(name)}`);
  db.exec(sql);
  db.close();
}

const spoilBody = (portolan: Portolan, turn: number) =>
  spoil(
    portolan,
    `UPDATE chunks SET body = cast(substr(body, 1, 20) || x'00' || substr(body, 22) AS BLOB) WHERE turn = ${turn}
     AND session = (SELECT id FROM sessions WHERE native_id = '${uuid('one')}')`,
  );

describe('a body that is damaged', () => {
  it('leaves the rest of its session to be read, and says what stands in its place', async () => {
    const { portolan } = await indexed();
    spoilBody(portolan, 1);
    const [first, second] = turnsIn(portolan.read(), uuid('one'));
    expect(first!.parts).toMatchObject([{ type: 'notice', kind: 'damage' }]);
    expect(second!.prompt).toBe('Then tar one.');
    expect(linesIn(portolan.read(), uuid('two'))).toHaveLength(4);
  });

  it('is said to be damaged where it is found by its words', async () => {
    const { portolan } = await indexed();
    spoilBody(portolan, 1);
    const now = Date.now();
    const { hits } = search(portolan.read(), parseQuery('larch one', now), { limit: 10, now });
    expect(hits.map(({ snippet }) => snippet)).toContainEqual(expect.stringMatching(/damaged in Portolan’s archive/));
  });

  it('breaks the seal when it is met, and is read again by the next indexing from the agent’s file', async () => {
    const { portolan, before } = await indexed();
    const seal = join(portolan.home.path, 'SEAL');
    expect(existsSync(seal)).toBe(true);
    spoilBody(portolan, 1);
    turnsIn(portolan.read(), uuid('one'));
    expect(existsSync(seal)).toBe(false);
    expect(await portolan.index()).toMatchObject({ read: 1, unchanged: 1 });
    expect(differences(portolan.content(), before)).toEqual([]);
    expect(await portolan.index()).toMatchObject({ read: 0 });
  });

  it('stays marked where the agent’s file is gone, and the rest stays', async () => {
    const { portolan, home } = await indexed();
    rmSync(home.at(uuid('one')));
    await portolan.index();
    spoilBody(portolan, 1);
    for (let times = 0; times < 2; times++) {
      await portolan.index();
      const [first, second] = turnsIn(portolan.read(), uuid('one'));
      expect(first!.parts).toMatchObject([{ type: 'notice', kind: 'damage' }]);
      expect(second!.prompt).toBe('Then tar one.');
      const session = sessionOf(portolan.read(), uuid('one'));
      expect(inspect(portolan.read().archive.db).sessions.get(session.id)).toBe(1);
      // What is known already is news to nobody.
      expect(existsSync(join(portolan.home.path, 'SEAL'))).toBe(true);
    }
  });

  it('is not gone on with: a line more has all of its file read', async () => {
    const { portolan, home } = await indexed();
    spoilBody(portolan, 2);
    home.append([new Script({}, 'more').user('And the lamp?')], uuid('one'));
    await portolan.index();
    expect(linesIn(portolan.read(), uuid('one')).join('\n')).toMatch(
      /Then tar one\.[\s\S]*Tarred one\.[\s\S]*And the lamp\?/,
    );
  });
});

describe('a row that is not as it was written', () => {
  it('of a turn is read again', async () => {
    const { portolan, before } = await indexed();
    spoil(portolan, "UPDATE turns SET prompt = 'Burn one.' WHERE prompt = 'Then tar one.'");
    expect(await portolan.index()).toMatchObject({ read: 1 });
    expect(differences(portolan.content(), before)).toEqual([]);
  });

  it('is shown nowhere, where its file is gone', async () => {
    const { portolan, home } = await indexed();
    rmSync(home.at(uuid('one')));
    await portolan.index();
    spoil(portolan, "UPDATE turns SET prompt = 'Burn one.' WHERE prompt = 'Then tar one.'");
    rmSync(portolan.home.index, { recursive: true });
    await portolan.index();
    expect(JSON.stringify(portolan.content())).not.toContain('Burn one.');
    expect(linesIn(portolan.read(), uuid('one'))).toHaveLength(4);
  });

  it('of a session ends the indexing, and nothing is written into what is damaged', async () => {
    const { portolan } = await indexed();
    spoil(portolan, `UPDATE sessions SET facts = '{"titles":{"user":"Arson"}}' WHERE native_id = '${uuid('one')}'`);
    await expect(portolan.index()).rejects.toThrow('not as they were written: 1 of sessions');
    rmSync(portolan.home.index, { recursive: true });
    await portolan.write(() => {});
    expect(JSON.stringify(portolan.content())).not.toContain('Arson');
  });
});
