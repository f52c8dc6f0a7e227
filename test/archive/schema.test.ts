import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { BodyPlace } from '../../src/archive/bodies.ts';
import { ARCHIVE_VERSION } from '../../src/archive/schema.ts';
import { SUMMED_TABLES } from '../../src/archive/sums.ts';
import { ClaudeHome } from '../support/claude-home.ts';
import { Script } from '../support/claude-records.ts';
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
      for (const { name } of db.rows<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'trigger'"))
        db.exec(`DROP TRIGGER ${name}`);
      for (const table of SUMMED_TABLES) db.exec(`ALTER TABLE ${table} DROP COLUMN sum`);
      for (const { body, ...at } of db.rows<BodyPlace & { body: Uint8Array }>('SELECT * FROM chunks'))
        db.run('UPDATE chunks SET body = ? WHERE session = ? AND turn = ?', body.subarray(5), at.session, at.turn);
      db.exec(
        'DROP TABLE withheld; DROP TABLE places; DROP TABLE later_records; DROP TABLE spending; UPDATE units SET gone = 1; PRAGMA user_version = 1;',
      );
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
