import { appendFileSync, cpSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { claudeCode } from '../../src/agents/claude-code/source.ts';
import { refresh } from '../../src/ingest/refresh.ts';
import { ingestChanges } from '../../src/ingest/run.ts';
import { redactWith } from '../../src/redact/redact.ts';
import { Maker, survivor } from '../redact/make.ts';
import { ClaudeHome } from '../support/claude-home.ts';
import { jsonl, Script, SESSION } from '../support/claude-records.ts';
import { filesBelow, temporaryFolder } from '../support/folders.ts';
import { Portolan } from '../support/portolan.ts';

const secret = new Maker(17).text(24);
const inEnvironment = (values: readonly string[]) => redactWith({ values, patterns: [], allow: [] });
afterEach(() => inEnvironment([]));

/** A history in whose path something stands that one environment knows to be a secret, and another does not. */
function history(folder = `-home-dev-${secret}`) {
  const home = new ClaudeHome();
  const script = new Script();
  const name = `../${folder}/${SESSION}.jsonl`;
  home.write([script.user('Paint the pier.'), script.answer('Painted.')], name);
  return { home, script, name, portolan: new Portolan(home.env()) };
}

/** What is known: the keys of the sessions, how many turns each has, and whether its file is gone. */
const known = (portolan: Portolan) =>
  portolan.content().sessions.map(({ key, turns, path, gone }) => ({ key, turns: turns.length, path, gone }));
const one = (turns: number) => [expect.objectContaining({ key: `claude-code:${SESSION}`, turns, gone: false })];

const HAPPENINGS: Readonly<Record<string, (given: ReturnType<typeof history>) => number>> = {
  'nothing happened': () => 1,
  'it grew': ({ home, script, name }) => {
    home.append([script.user('And the hull?'), script.answer('Too.')], name);
    return 2;
  },
  'it was written anew, as another file': ({ home, script, name }) => {
    cpSync(home.at(name), `${home.at(name)}.new`);
    appendFileSync(`${home.at(name)}.new`, jsonl([script.user('And the hull?'), script.answer('Too.')]));
    renameSync(`${home.at(name)}.new`, home.at(name));
    home.touch(home.at(name));
    return 2;
  },
};

describe('a unit with a secret in its path', () => {
  describe.each([
    ['that the next environment does not know', [secret], []],
    ['that the environment before did not know', [], [secret]],
  ])('%s', (_, before, after) => {
    it.each(Object.keys(HAPPENINGS))('stays one where %s', async (happening) => {
      const given = history();
      inEnvironment(before);
      await given.portolan.index();
      expect(known(given.portolan)).toEqual(one(1));
      const turns = HAPPENINGS[happening]!(given);
      inEnvironment(after);
      await given.portolan.index();
      expect(known(given.portolan)).toEqual(one(turns));
      inEnvironment(before);
      await given.portolan.index();
      expect(known(given.portolan)).toEqual(one(turns));
    });

    it('stays one where a query reads what is new', async () => {
      const { home, script, name, portolan } = history();
      inEnvironment(before);
      await portolan.index();
      home.append([script.user('And the hull?'), script.answer('Too.')], name);
      inEnvironment(after);
      await refresh(portolan.home, portolan.env, 5000);
      await portolan.index();
      expect(known(portolan)).toEqual(one(2));
    });
  });

  it('brings it back in no environment', async () => {
    const given = history();
    inEnvironment([secret]);
    await given.portolan.index();
    inEnvironment([]);
    for (const happening of Object.values(HAPPENINGS)) {
      happening(given);
      await given.portolan.index();
    }
    for (const path of filesBelow(given.portolan.home.path))
      expect(survivor(secret, readFileSync(path, 'latin1')), path).toBeUndefined();
  });

  it('is told from one whose path differs in nothing but the secret', async () => {
    const { home, portolan } = history();
    const other = new Maker(18).text(24);
    const script = new Script({ sessionId: SESSION }, 'other');
    home.write([script.user('Another pier.')], `../-home-dev-${other}/${SESSION}.jsonl`);
    inEnvironment([secret, other]);
    await portolan.index();
    const before = known(portolan);
    expect(before).toHaveLength(2);
    for (const values of [[], [other], [secret, other]]) {
      inEnvironment(values);
      await portolan.index();
      expect(known(portolan)).toEqual(before);
    }
  });
});

describe('a file to which several paths lead', () => {
  it('is one unit, whichever paths an environment knows', async () => {
    const { home, script, name, portolan } = history('-home-dev-pier');
    const link = join(temporaryFolder(), 'linked');
    symlinkSync(home.claude, link);
    const both = home.env({ CLAUDE_CONFIG_DIR: link });
    const through = { ...both, home: temporaryFolder() };
    // The user's folder is a link, and the shell stands in what it leads to.
    const linkedHome = join(temporaryFolder(), 'home');
    symlinkSync(home.path, linkedHome);
    const inside = { ...home.env({}, [home.path]), home: linkedHome };
    for (const env of [home.env(), both, through, inside, home.env()]) {
      const there = new Portolan(env, portolan.home.path);
      const report = await there.index();
      expect(report.units).toBe(1);
      expect(known(there)).toEqual(one(1));
    }
    home.append([script.user('And the hull?'), script.answer('Too.')], name);
    await new Portolan(through, portolan.home.path).index();
    expect(known(portolan)).toEqual(one(2));
  });

  it('is read on once where all of them are told of it', async () => {
    const { home, script, name, portolan } = history('-home-dev-pier');
    const link = join(temporaryFolder(), 'linked');
    symlinkSync(home.claude, link);
    const paths = [home.at(name), home.at(name).replace(home.claude, link)];
    const changes = paths.map((path, i) => ({
      source: claudeCode,
      root: { path: [home.claude, link][i]!, layout: 'home' },
      path,
    }));
    const follow = () => portolan.write((stores) => ingestChanges(stores, portolan.env, changes));
    expect((await follow()).read).toBe(1);
    expect(known(portolan)).toEqual(one(1));
    home.append([script.user('And the hull?'), script.answer('Too.')], name);
    expect((await follow()).read).toBe(1);
    expect(known(portolan)).toEqual(one(2));
    expect((await portolan.index()).read).toBe(0);
  });
});
