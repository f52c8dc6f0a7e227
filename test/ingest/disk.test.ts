import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ingest } from '../../src/ingest/run.ts';
import { temporaryFolder } from '../support/folders.ts';
import { Portolan } from '../support/portolan.ts';

const SAMPLE = join(import.meta.dirname, '..', '..', 'sample');

it.each(['archive', 'index'] as const)('a disk that is full in the middle (%s) loses nothing', async (which) => {
  const home = temporaryFolder();
  cpSync(SAMPLE, home, { recursive: true });
  const env = { home, platform: 'linux', variables: {}, projects: [] } as const;
  const undisturbed = new Portolan(env);
  await undisturbed.index();

  const full = new Portolan(env);
  await full.write(async (stores) => {
    const db = which === 'archive' ? stores.archive.db : stores.catalog.db;
    const pages = db.row<{ page_count: number }>('PRAGMA page_count')!.page_count;
    db.rows(`PRAGMA max_page_count = ${pages + 4}`);
    await expect(ingest(stores, env)).rejects.toThrow(/full/);
  });
  await full.index();
  expect(full.content()).toEqual(undisturbed.content());
});
