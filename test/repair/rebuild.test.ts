import { cpSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { forget, withDependents } from '../../src/ingest/clearing/forget.ts';
import { conditionOf } from '../../src/repair/condition.ts';
import { rebuildArchive } from '../../src/repair/rebuild.ts';
import { temporaryFolder } from '../support/folders.ts';
import { asVersion4 } from '../support/older-archive.ts';
import { differences, Portolan, sessionsOf } from '../support/portolan.ts';

const SAMPLE = join(import.meta.dirname, '..', '..', 'sample');
const NOW = new Date('2026-11-30T12:00:00Z');

async function indexed() {
  const home = temporaryFolder();
  cpSync(SAMPLE, home, { recursive: true });
  const portolan = new Portolan({ home, platform: 'linux', variables: {}, projects: [] });
  await portolan.index();
  return {
    portolan,
    before: portolan.content(),
    away: () => ['.claude', '.codex'].map((name) => hide(join(home, name))),
  };
}

/** The agents' files are no more. */
function hide(path: string): void {
  if (existsSync(path)) renameSync(path, `${path}.away`);
}

describe('a rebuilt archive', () => {
  it('of a whole one holds all that it held, and the old one lies beside it', async () => {
    const { portolan, before, away } = await indexed();
    away();
    const { salvaged, keptAs } = rebuildArchive(portolan.home, NOW);
    expect(salvaged).toMatchObject({ brokenPages: 0, lostBodies: 0 });
    expect(keptAs).toBe(join(portolan.home.path, 'archive.damaged-2026-11-30T12-00-00.db'));
    expect(existsSync(keptAs!)).toBe(true);
    await portolan.write(() => {});
    expect(differences(portolan.content(), before)).toEqual([]);
  });

  it('of a whole one is as an undisturbed one when everything was read again', async () => {
    const { portolan, before } = await indexed();
    rebuildArchive(portolan.home, NOW);
    expect((await portolan.index()).unchanged).toBe(0);
    expect(differences(portolan.content(), before)).toEqual([]);
  });

  it('of one from before there were checksums holds all that it held', async () => {
    const { portolan, before, away } = await indexed();
    away();
    await portolan.write(({ archive }) => asVersion4(archive.db));
    expect(conditionOf(portolan.home).parts.archive.state).toBe('whole');
    expect(rebuildArchive(portolan.home, NOW).salvaged).toMatchObject({ brokenPages: 0, lostBodies: 0 });
    await portolan.write(() => {});
    expect(differences(portolan.content(), before)).toEqual([]);
  });

  it('leaves the old one until something is forgotten, which may stand in it', async () => {
    const { portolan } = await indexed();
    const { keptAs } = rebuildArchive(portolan.home, NOW);
    await portolan.index();
    const stores = portolan.read();
    forget(portolan.home, withDependents(stores, sessionsOf(stores).slice(0, 1), false), () => {});
    expect(existsSync(keptAs!)).toBe(false);
  });

  it('of none at all knows the sessions that the index knew, without what was said', async () => {
    const { portolan, before, away } = await indexed();
    away();
    rmSync(portolan.home.archive);
    expect(() => portolan.content()).toThrow(/index still knows/);
    await expect(portolan.index()).rejects.toThrow(/index still knows/);
    rebuildArchive(portolan.home, NOW);
    await portolan.write(() => {});
    const after = portolan.content();
    expect(after.sessions.map(({ key, title, cwd, path }) => [key, title, cwd, path])).toEqual(
      before.sessions.map(({ key, title, cwd, path }) => [key, title, cwd, path]),
    );
  });

  it('of an emptied one is as an undisturbed one when everything was read again', async () => {
    const { portolan, before } = await indexed();
    writeFileSync(portolan.home.archive, '');
    rebuildArchive(portolan.home, NOW);
    await portolan.index();
    expect(differences(portolan.content(), before)).toEqual([]);
  });
});
