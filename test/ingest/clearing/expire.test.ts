import { renameSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { writeSettings } from '../../../src/home/config.ts';
import { expire } from '../../../src/ingest/clearing/expire.ts';
import { ClaudeHome } from '../../support/claude-home.ts';
import { Script } from '../../support/claude-records.ts';
import { Portolan } from '../../support/portolan.ts';

const STAYS = '11111111-1111-4111-8111-111111111111';
const GOES = '22222222-2222-4222-8222-222222222222';
const DAY = 86_400_000;

async function withOneDeleted(keep?: string) {
  const home = new ClaudeHome();
  for (const id of [STAYS, GOES]) {
    const script = new Script({ sessionId: id }, id);
    home.write([script.user(`paint the pier of ${id.slice(0, 4)}`), script.answer('Painted.')], id);
  }
  const portolan = new Portolan(home.env());
  await portolan.index();
  if (keep !== undefined) writeSettings(portolan.home, new Map([['keep', keep]]));
  rmSync(home.at(GOES));
  await portolan.index();
  const ids = () => portolan.content().sessions.map((session) => session.nativeId);
  return { home, portolan, ids };
}

describe('what the agent has deleted', () => {
  it('is kept for good where nothing else is said', async () => {
    const { portolan, ids } = await withOneDeleted();
    await portolan.index();
    expect(ids()).toEqual([STAYS, GOES]);
  });

  it('goes at once where the archive is to keep what the agent keeps', async () => {
    const { portolan, ids } = await withOneDeleted('as the agent');
    expect(ids()).toEqual([STAYS]);
    expect(portolan.content().words).not.toHaveProperty('2222');
    const rows = (table: string) =>
      portolan.write(({ archive }) => archive.db.row<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)!.n);
    expect(await rows('units')).toBe(1);
    expect(await rows('chunks')).toBe(1);
  });

  it('goes after so many days, and not before', async () => {
    const { home, portolan, ids } = await withOneDeleted('30 days');
    const expired = (now: number) => portolan.write((stores) => expire(stores, home.env(), { days: 30 }, now));
    expect(await expired(Date.now() + 30 * DAY - 60_000)).toBe(0);
    expect(ids()).toEqual([STAYS, GOES]);
    expect(await expired(Date.now() + 30 * DAY)).toBe(1);
    expect(ids()).toEqual([STAYS]);
  });

  it('is not what is away with its whole folder, as on a disk that is not there', async () => {
    const { home, portolan, ids } = await withOneDeleted();
    writeSettings(portolan.home, new Map([['keep', 'as the agent']]));
    renameSync(home.claude, `${home.claude}-away`);
    await portolan.index();
    expect(ids()).toEqual([STAYS, GOES]);
    renameSync(`${home.claude}-away`, home.claude);
    await portolan.index();
    expect(ids()).toEqual([STAYS]);
  });

  it('is read again where it comes back', async () => {
    const { home, portolan, ids } = await withOneDeleted('as the agent');
    const script = new Script({ sessionId: GOES }, GOES);
    home.write([script.user('paint it again')], GOES);
    await portolan.index();
    expect(ids()).toEqual([STAYS, GOES]);
  });
});
