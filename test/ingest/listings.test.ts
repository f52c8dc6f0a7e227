import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fileUnit } from '../../src/agents/folders.ts';
import { readForeignDatabase } from '../../src/agents/foreign-database.ts';
import { NotShownCounter } from '../../src/agents/not-shown.ts';
import { addSource, sourceOf } from '../../src/agents/registry.ts';
import { rowKey, rowUnit } from '../../src/agents/rows.ts';
import { readSnapshot } from '../../src/agents/snapshot.ts';
import type { Source, SourceEvent, Unit } from '../../src/agents/source.ts';
import { refresh } from '../../src/ingest/refresh.ts';
import { ingest, ingestChanges } from '../../src/ingest/run.ts';
import { temporaryFolder } from '../support/folders.ts';
import { Portolan, sessionsOf, turnsIn } from '../support/portolan.ts';

const ID = 'ledger';
const read: string[] = [];

/** An agent that keeps all its sessions in one database. */
const ledger: Source = {
  id: ID,
  label: 'Ledger',
  version: 1,
  capabilities: [],
  roots: (env) => [{ path: join(env.home, '.ledger'), layout: 'home' }],
  async *units(root, met) {
    const unit = listing(join(root.path, 'ledger.db'), met);
    if (unit) yield unit;
  },
  unitAt: (root, path) => (/ledger\.db(-wal)?$/.test(path) ? listing(join(root.path, 'ledger.db')) : undefined),
  rows: (unit) =>
    readForeignDatabase(unit.path.split('#')[0]!, (rows) =>
      rows('SELECT session, count(*) AS n, max(at) AS at FROM said GROUP BY session').map((row) =>
        rowUnit(unit, String(row.session), { size: Number(row.n), modified: Number(row.at) }),
      ),
    ),
  async *read(unit) {
    const session = rowKey(unit);
    read.push(session);
    const events: SourceEvent[] = [];
    const rows = readForeignDatabase(unit.path.split('#')[0]!, (ask) =>
      ask('SELECT text FROM said WHERE session = ? ORDER BY rowid', session),
    );
    yield* readSnapshot(
      unit,
      {
        events,
        notShown: new NotShownCounter(),
        record({ text }, where) {
          events.push({ type: 'turn', session });
          events.push({ type: 'part', session, part: { type: 'text', role: 'user', text: String(text), where } });
          return undefined;
        },
        settle() {},
      },
      rows,
    );
  },
};

function listing(path: string, met?: Parameters<Source['units']>[1]): Unit | undefined {
  const unit = fileUnit({ source: ID, path, layout: 'database', format: 'listing' }, met);
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  return unit && log
    ? { ...unit, size: unit.size + log.size, modified: Math.max(unit.modified, Math.floor(log.mtimeMs)) }
    : unit;
}

if (!sourceOf(ID)) addSource(ledger);

class Ledger {
  readonly path = temporaryFolder();
  readonly database: DatabaseSync;
  readonly file = join(this.path, '.ledger', 'ledger.db');
  readonly portolan = new Portolan({ home: this.path, platform: 'linux', variables: {}, projects: [] });
  private clock = Date.parse('2026-11-20T09:00:00Z');

  constructor() {
    mkdirSync(join(this.path, '.ledger'));
    this.database = new DatabaseSync(this.file);
    this.database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE said (session, text, at)',
    );
    onTestFinished(() => this.database.close());
  }

  say(session: string, text: string): void {
    this.clock += 1000;
    this.database.prepare('INSERT INTO said VALUES (?, ?, ?)').run(session, text, this.clock);
  }

  index() {
    read.length = 0;
    return this.portolan.write(async (stores) => (await ingest(stores, this.portolan.env))[ID]!);
  }

  sessions() {
    return sessionsOf(this.portolan.read()).map(({ nativeId, gone }) => (gone ? `${nativeId}, gone` : nativeId));
  }
}

describe('sessions that are rows of a database', () => {
  it('are read each by itself, and again only where they changed', async () => {
    const kept = new Ledger();
    for (const session of ['a', 'b', 'c']) kept.say(session, `hello ${session}`);
    expect(await kept.index()).toMatchObject({ units: 4, read: 4, sessions: 3 });
    expect(await kept.index()).toMatchObject({ read: 0, unchanged: 4 });
    kept.say('b', 'more');
    expect(await kept.index()).toMatchObject({ read: 2, unchanged: 2 });
    expect(read).toEqual(['b']);
    expect(turnsIn(kept.portolan.read(), 'b').map(({ prompt }) => prompt)).toEqual(['hello b', 'more']);
  });

  it('are seen by who asks, and by who follows', async () => {
    const kept = new Ledger();
    kept.say('a', 'hello a');
    await kept.index();
    kept.say('d', 'a new one');
    read.length = 0;
    const { onDisk } = await refresh(kept.portolan.home, kept.portolan.env, 1000);
    expect(onDisk.unread.size).toBe(0);
    expect(read).toEqual(['d']);
    expect(kept.sessions()).toEqual(['a', 'd']);
    kept.say('a', 'again');
    const root = ledger.roots(kept.portolan.env)[0]!;
    const followed = await kept.portolan.write((stores) =>
      ingestChanges(stores, kept.portolan.env, [{ source: ledger, root, path: `${kept.file}-wal` }]),
    );
    expect(followed.read).toBe(2);
    expect(read).toEqual(['d', 'a']);
  });

  it('that are deleted there stay here, as gone', async () => {
    const kept = new Ledger();
    for (const session of ['a', 'b']) kept.say(session, `hello ${session}`);
    await kept.index();
    kept.database.exec("DELETE FROM said WHERE session = 'b'");
    await kept.index();
    expect(kept.sessions()).toEqual(['a', 'b, gone']);
    expect(turnsIn(kept.portolan.read(), 'b').length).toBe(1);
  });

  it('stay as they are while the database cannot be read, which is told', async () => {
    const kept = new Ledger();
    kept.say('a', 'hello a');
    await kept.index();
    kept.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    renameSync(kept.file, `${kept.file}.kept`);
    writeFileSync(kept.file, 'torn'.repeat(2000));
    const report = await kept.index();
    expect(report.failed).toMatchObject([{ path: kept.file }]);
    expect(kept.sessions()).toEqual(['a']);
    renameSync(`${kept.file}.kept`, kept.file);
    expect((await kept.index()).failed).toEqual([]);
  });
});
