import { cpSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openForReading } from '../../src/holdings/opening.ts';
import { openForWriting } from '../../src/ingest/writable-stores.ts';
import { SHARED, shared } from '../oracle/product.ts';
import { ClaudeHome } from '../support/claude-home.ts';
import { Script } from '../support/claude-records.ts';
import { filesBelow, stateOf } from '../support/folders.ts';
import { Portolan } from '../support/portolan.ts';

async function indexed() {
  const home = new ClaudeHome();
  const script = new Script();
  home.write([script.user('Paint the pier.'), script.answer('Painted.')]);
  const portolan = new Portolan(home.env());
  await portolan.index();
  return { home, portolan };
}
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('the agents’ files', () => {
  it.skipIf(SHARED === undefined)('are left exactly as they were, with nothing beside them', async () => {
    const home = new ClaudeHome();
    cpSync(shared('corpus', 'live', 'claude', 'home', '.claude'), home.claude, { recursive: true });
    const portolan = new Portolan(home.env());
    const before = stateOf(home.path);
    await portolan.index();
    await portolan.index();
    portolan.content();
    expect(stateOf(home.path)).toEqual(before);
  });
});

describe('our own files', () => {
  it('are their owner’s alone, while they are written and after', async () => {
    const { home, portolan } = await indexed();
    const modes = () =>
      Object.fromEntries(
        filesBelow(portolan.home.path).map((path) => [path.slice(portolan.home.path.length + 1), modeOf(path)]),
      );
    expect(new Set(Object.values(modes()))).toEqual(new Set(['600']));
    home.append([new Script({}, 'more').user('And the lamp?')]);
    await portolan.write((stores) => {
      stores.begin();
      expect(Object.entries(modes()).filter(([, mode]) => mode !== '600')).toEqual([]);
      stores.rollback();
    });
    expect(modeOf(portolan.home.path)).toBe('700');
    expect(modeOf(portolan.home.index)).toBe('700');
  });

  it('keep what they hold where there is no history at all', async () => {
    const portolan = new Portolan({
      home: join(new ClaudeHome().path, 'nobody'),
      platform: 'linux',
      variables: {},
      projects: [],
    });
    expect(await portolan.index()).toMatchObject({ units: 0, read: 0, sessions: 0, failed: [] });
    expect(portolan.content().sessions).toEqual([]);
  });
});

describe('the lease', () => {
  it('is one writer’s at a time, and free when that one has closed', async () => {
    const { portolan } = await indexed();
    const first = openForWriting(portolan.home)!;
    expect(openForWriting(portolan.home)).toBeUndefined();
    first.close();
    const second = openForWriting(portolan.home);
    expect(second).toBeDefined();
    second!.close();
  });

  it('is free again where opening failed', async () => {
    const { portolan } = await indexed();
    const archive = { ...portolan.home, archive: join(portolan.home.path, 'none', 'archive.db') };
    expect(() => openForWriting(archive)).toThrow();
    openForWriting(portolan.home)!.close();
  });

  it('keeps no reader out, even inside a transaction', async () => {
    const { portolan } = await indexed();
    const before = portolan.content();
    await portolan.write((stores) => {
      stores.begin();
      stores.archive.db.run('DELETE FROM chunks');
      expect(portolan.content()).toEqual(before);
      stores.rollback();
    });
  });

  it('is not asked of a reader, who finds nothing where nothing was indexed', () => {
    const portolan = new Portolan(new ClaudeHome().env());
    expect(openForReading(portolan.home)).toBeUndefined();
  });
});
