import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { homeOf, idOf, roots } from '../../../src/agents/codex/paths.ts';
import { codex } from '../../../src/agents/codex/source.ts';
import { pathIn, plainPath } from '../../../src/agents/plain-path.ts';
import type { Unit } from '../../../src/agents/source.ts';
import { temporaryFolder, writeAt } from '../../support/folders.ts';
import { Portolan, sessionsOf } from '../../support/portolan.ts';
import { ID, nameOf, OTHER, rollout, Script, textOf, told, turnId } from './script.ts';

const env = (home: string, variables = {}, projects: string[] = []) => ({
  home,
  platform: 'linux' as const,
  variables,
  projects,
});

async function unitsOf(home: string): Promise<Unit[]> {
  const found: Unit[] = [];
  for await (const unit of codex.units({ path: home, layout: 'home' })) found.push(unit);
  return found;
}

describe('roots', () => {
  it('are CODEX_HOME, the home’s and those of projects with sessions', () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'a', '.codex', 'sessions'), { recursive: true });
    mkdirSync(join(home, 'b', '.codex'), { recursive: true });
    const found = roots(env(home, { CODEX_HOME: '/opt/codex' }, [join(home, 'a'), join(home, 'b')]));
    expect(found.map((root) => root.path)).toEqual(['/opt/codex', join(home, '.codex'), join(home, 'a', '.codex')]);
  });
});

describe('units', () => {
  it('are rollouts wherever they lie, copies too, and the prompt history', async () => {
    const home = temporaryFolder();
    const at = (...names: string[]) => writeAt(join(home, ...names), '');
    at('sessions', '2026', '11', '21', nameOf());
    at('sessions', 'rollout-old.jsonl');
    at('sessions', 'rollout-older.json');
    at('sessions', '2026', '11', '22', `${nameOf(OTHER)}.zst`);
    at('archived_sessions', nameOf());
    at('archived_sessions', 'rollout-archived.jsonl');
    at('history.jsonl');
    at('session_index.jsonl');
    at('log', 'codex-tui.log');
    const found = (await unitsOf(home)).map((unit) => [unit.path.slice(home.length + 1), unit.layout]);
    expect(found.sort()).toEqual(
      [
        [`archived_sessions/${nameOf()}`, 'rollout'],
        ['archived_sessions/rollout-archived.jsonl', 'rollout'],
        ['history.jsonl', 'history'],
        [`sessions/2026/11/21/${nameOf()}`, 'rollout'],
        [`sessions/2026/11/22/${nameOf(OTHER)}`, 'compressed'],
        ['sessions/rollout-old.jsonl', 'rollout'],
        ['sessions/rollout-older.json', 'json'],
      ].sort(),
    );
  });

  it('are what the agent’s catalogue knows too, inside the home, where it is there and was not met', async () => {
    const home = temporaryFolder();
    const outside = writeAt(join(temporaryFolder(), nameOf(OTHER)), '');
    const met = writeAt(join(home, 'sessions', nameOf()), '');
    const kept = writeAt(join(home, 'kept', 'rollout-kept.jsonl'), '');
    symlinkSync(outside, join(home, 'kept', 'rollout-link.jsonl'));
    const paths = [
      met,
      kept,
      join(home, 'kept', 'rollout-link.jsonl'),
      join(home, 'kept', nameOf()),
      join(home, 'kept', 'rollout-gone.jsonl'),
      writeAt(join(home, 'kept', 'auth.json'), '{}'),
      outside,
      `../${outside}`,
      home,
      '',
    ];
    writeAt(join(home, 'kept', nameOf()), '');
    const database = new DatabaseSync(join(home, 'state_5.sqlite'));
    database.exec('CREATE TABLE threads (id TEXT, rollout_path TEXT)');
    for (const path of [...paths, null]) database.prepare('INSERT INTO threads VALUES (?, ?)').run(ID, path);
    database.close();
    expect((await unitsOf(home)).map((unit) => unit.path)).toEqual([met, kept, join(home, 'kept', nameOf())]);
  });

  it('are known by their paths too, one that was compressed by its plain one', async () => {
    const home = temporaryFolder();
    const root = { path: home, layout: 'home' };
    const at = (...names: string[]) => writeAt(join(home, ...names), '');
    const plain = at('sessions', '2026', '11', '21', nameOf());
    const packed = at('archived_sessions', `${nameOf(OTHER)}.zst`);
    const history = at('history.jsonl');
    const all = await unitsOf(home);
    const paths = [plain, packed.slice(0, -4), history];
    expect(paths.map((path) => codex.unitAt?.(root, path))).toEqual(all);
    expect(codex.unitAt?.(root, packed)).toEqual(codex.unitAt?.(root, packed.slice(0, -4)));
    const others = [at('session_index.jsonl'), at('sessions', 'notes.jsonl'), at('log', nameOf()), join(home, 'x')];
    expect(others.map((path) => codex.unitAt?.(root, path))).toEqual(others.map(() => undefined));
    expect(codex.places?.(root)).toEqual({
      folders: [join(home, 'sessions'), join(home, 'archived_sessions')],
      files: [history],
    });
  });

  it('of a home that is not there are none', async () => {
    expect(await unitsOf(join(temporaryFolder(), 'none'))).toEqual([]);
  });
});

const story = () => new Script().meta().task(turnId(1)).asked('Paint the pier.').answered('Done.').tokens(100, 10);

describe('a compressed rollout', () => {
  it('says what it said before', async () => {
    const script = story();
    for (let i = 0; i < 2000; i++) script.answered(`Plank ${i} ${'is wet '.repeat(100)}`);
    const path = rollout(script);
    const plain = await told(path);
    writeFileSync(`${path}.zst`, zstdCompressSync(textOf(script.lines)));
    const packed = await told(path, { layout: 'compressed' });
    const withoutState = (events: typeof plain.events) => JSON.parse(JSON.stringify(events)) as unknown;
    expect(withoutState(packed.events)).toEqual(withoutState(plain.events));
  });

  it('is the session that it was, and is taken up again where it is unpacked', async () => {
    const home = temporaryFolder();
    const path = rollout(story(), ID, join(home, '.codex'));
    const portolan = new Portolan(env(home));
    const state = async () => {
      await portolan.index();
      return portolan.write((stores) => sessionsOf(stores).map((one) => [one.key, one.turns, one.gone, one.tokens]));
    };
    const before = await state();
    expect(before).toHaveLength(1);
    writeFileSync(`${path}.zst`, zstdCompressSync(textOf(story().lines)));
    rmSync(path);
    expect(await state()).toEqual(before);
    expect(await state()).toEqual(before);
    rmSync(`${path}.zst`);
    writeFileSync(path, textOf(story().task(turnId(2)).asked('More.').lines));
    expect((await state()).map((one) => one.slice(0, 3))).toEqual([[`codex:${ID}`, 2, false]]);
  });

  it('that is damaged is told, and hurts nothing else', async () => {
    const home = temporaryFolder();
    rollout(story(), ID, join(home, '.codex'));
    const path = rollout('', OTHER, join(home, '.codex'));
    rmSync(path);
    writeFileSync(`${path}.zst`, zstdCompressSync(textOf(story().lines)).subarray(0, 100));
    const portolan = new Portolan(env(home));
    await portolan.index();
    const keys = await portolan.write((stores) =>
      sessionsOf(stores)
        .filter((one) => one.turns > 0)
        .map((one) => one.key),
    );
    expect(keys).toContain(`codex:${ID}`);
  });
});

it('a rollout that is archived is the session that it was', async () => {
  const home = temporaryFolder();
  const path = rollout(story(), ID, join(home, '.codex'));
  const portolan = new Portolan(env(home));
  await portolan.index();
  const archived = writeAt(join(home, '.codex', 'archived_sessions', nameOf()), '');
  renameSync(path, archived);
  await portolan.index();
  const found = await portolan.write((stores) => sessionsOf(stores).map((one) => [one.key, one.path, one.gone]));
  expect(found).toEqual([[`codex:${ID}`, archived, false]]);
});

describe('paths', () => {
  it('say the session and its home', () => {
    expect(idOf(`/x/${nameOf()}`)).toBe(ID);
    expect(idOf(`/x/${nameOf()}.zst`)).toBe(ID);
    expect(idOf('/x/rollout-1.jsonl')).toBeUndefined();
    expect(homeOf(`/h/.codex/sessions/2026/11/21/${nameOf()}`)).toBe('/h/.codex');
    expect(homeOf(`/h/.codex/archived_sessions/${nameOf()}`)).toBe('/h/.codex');
  });

  it('are spelled plainly, and whole', () => {
    expect(plainPath('\\\\?\\C:\\work')).toBe('C:\\work');
    expect(plainPath('\\\\?\\UNC\\server\\share')).toBe('\\\\server\\share');
    expect(plainPath('file:///C:/work')).toBe('C:/work');
    expect(pathIn('/home/dev', './a.txt')).toBe('/home/dev/a.txt');
    expect(pathIn('C:\\work', 'a.txt')).toBe('C:\\work\\a.txt');
    expect(pathIn('/home/dev', 'C:\\a.txt')).toBe('C:\\a.txt');
    expect(pathIn(undefined, 'a.txt')).toBe('a.txt');
  });
});

describe('taking up again', () => {
  it('names the session, or the root of a sub-agent, and a prompt', () => {
    expect(codex.resume?.({ nativeId: ID, cwd: '/w' }, {})).toEqual({ argv: ['codex', 'resume', ID], cwd: '/w' });
    expect(codex.resume?.({ nativeId: OTHER, root: { nativeId: ID } }, { prompt: 'Go on.' })).toEqual({
      argv: ['codex', 'resume', ID, 'Go on.'],
    });
  });
});
