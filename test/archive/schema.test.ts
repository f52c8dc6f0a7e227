import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ARCHIVE_VERSION } from '../../src/archive/schema.ts';
import { ClaudeHome } from '../support/claude-home.ts';
import { Script } from '../support/claude-records.ts';
import { asVersion4 } from '../support/older-archive.ts';
import { Portolan } from '../support/portolan.ts';

describe('an archive of version 1', () => {
  it('is brought up to date, and keeps what it held', async () => {
    const home = new ClaudeHome();
    const script = new Script();
    home.write([script.user('paint the pier'), script.answer('Painted.')]);
    const portolan = new Portolan(home.env());
    await portolan.index();
    rmSync(home.at());
    await portolan.index();
    const before = portolan.content();
    // As the version before left it.
    await portolan.write(({ archive: { db } }) => {
      asVersion4(db);
      db.exec('DROP TABLE withheld; DROP TABLE places; UPDATE units SET gone = 1; PRAGMA user_version = 1;');
    });
    // Whoever reads it first brings it up to date, too.
    const { archive: read } = portolan.read();
    expect(read.db.version).toBe(ARCHIVE_VERSION);
    expect(read.places().size).toBe(0);
    await portolan.index();
    expect(portolan.content()).toEqual(before);
    await portolan.write(({ archive }) => {
      expect(archive.db.version).toBe(ARCHIVE_VERSION);
      expect(archive.unitsGoneBefore(Date.now())).toHaveLength(1);
      expect(archive.unitsGoneBefore(Date.now() - 60_000)).toEqual([]);
    });
  });
});
