import { describe, expect, it } from 'vitest';
import { ingest } from '../../src/ingest/run.ts';
import { type OthersProgress, openAfterOthers } from '../../src/ingest/waiting.ts';
import { openForWriting } from '../../src/ingest/writable-stores.ts';
import { ClaudeHome } from '../support/claude-home.ts';
import { Script, uuid } from '../support/claude-records.ts';
import { Portolan } from '../support/portolan.ts';

/** A history of two sessions, of which another writer has read the first, and holds the lease still. */
async function halfRead() {
  const home = new ClaudeHome();
  home.write([new Script().user('Paint the pier.')]);
  const portolan = new Portolan(home.env());
  const other = openForWriting(portolan.home)!;
  await ingest(other, portolan.env);
  home.write([new Script({}, 'second').user('And the lamp.')], uuid('second'));
  const seen: OthersProgress[] = [];
  const open = () =>
    openAfterOthers(
      portolan.home,
      portolan.env,
      () => {},
      (progress) => seen.push(progress),
    );
  return { portolan, other, seen, open };
}

describe('while another one writes', () => {
  it('is waited for, and what it left is there to be read', async () => {
    const { portolan, other, seen, open } = await halfRead();
    const opening = open();
    setTimeout(() => other.close(), 300);
    const stores = await opening;
    if (typeof stores === 'string') throw new Error(stores);
    expect(seen).toEqual([{ left: 1, sessions: 1, turns: 1, changes: expect.any(Number) }]);
    await ingest(stores, portolan.env);
    expect(stores.catalog.totals()).toMatchObject({ sessions: 2, turns: 2 });
    stores.close();
  });

  it('nothing is waited for where it has read all that there is', async () => {
    const { portolan, other, open } = await halfRead();
    await ingest(other, portolan.env);
    expect(await open()).toBe('follower');
    other.close();
  });
});
