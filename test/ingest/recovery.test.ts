import { cpSync, readdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ingest } from '../../src/ingest/run.ts';
import { currentGeneration } from '../../src/store/generations.ts';
import { SHARED, shared } from '../oracle/product.ts';
import { generator } from '../redact/make.ts';
import { ClaudeHome } from '../support/claude-home.ts';
import { jsonl, Script, SESSION, uuid } from '../support/claude-records.ts';
import { filesBelow } from '../support/folders.ts';
import { differences, linesIn, Portolan, sessionOf } from '../support/portolan.ts';

const records = (name: string) => {
  const script = new Script({}, name);
  return [script.user(`Paint ${name}.`), script.answer('Painted.')];
};

async function indexed() {
  const home = new ClaudeHome();
  for (const name of ['one', 'two', 'three']) home.write(records(name), uuid(name));
  const portolan = new Portolan(home.env());
  await portolan.index();
  return { home, portolan };
}

const indexOf = (portolan: Portolan) => currentGeneration(portolan.home.index)!;

/** Overwrites a stretch of a file. */
function spoil(path: string, from: number, length: number): void {
  const bytes = readFileSync(path);
  bytes.fill('garbage ', from, from + length);
  writeFileSync(path, bytes);
}

const DAMAGES: readonly (readonly [string, (portolan: Portolan) => void])[] = [
  ['deleted', (portolan) => rmSync(indexOf(portolan))],
  ['deleted with its folder', (portolan) => rmSync(portolan.home.index, { recursive: true })],
  ['deleted, its journal left', (portolan) => renameSync(indexOf(portolan), `${indexOf(portolan)}-wal`)],
  ['named by nothing', (portolan) => rmSync(join(portolan.home.index, 'CURRENT'))],
  ['named wrongly', (portolan) => writeFileSync(join(portolan.home.index, 'CURRENT'), 'gen-99.db\n')],
  ['empty', (portolan) => writeFileSync(indexOf(portolan), '')],
  ['garbage', (portolan) => writeFileSync(indexOf(portolan), 'garbage '.repeat(10_000))],
  ['cut in half', (portolan) => truncateSync(indexOf(portolan), statSync(indexOf(portolan)).size >> 1)],
  [
    'garbage but for its first page',
    (portolan) => spoil(indexOf(portolan), 4096, statSync(indexOf(portolan)).size - 4096),
  ],
  ['of another version', (portolan) => spoilVersion(portolan)],
];

function spoilVersion(portolan: Portolan): void {
  const bytes = readFileSync(indexOf(portolan));
  bytes.writeInt32BE(999, 60);
  writeFileSync(indexOf(portolan), bytes);
}

describe('an index', () => {
  it.each(DAMAGES)(
    'is made anew from the archive where it is %s, and no file of an agent is read',
    async (_, damage) => {
      const { portolan, home } = await indexed();
      rmSync(home.at(uuid('two')));
      await portolan.index();
      const before = portolan.content();
      damage(portolan);
      expect(await portolan.index()).toMatchObject({ read: 0, bytesRead: 0, sessions: 3 });
      expect(portolan.content()).toEqual(before);
      expect(await portolan.index()).toMatchObject({ read: 0, bytesRead: 0 });
    },
  );

  it('leaves no older generation behind', async () => {
    const { portolan } = await indexed();
    writeFileSync(indexOf(portolan), 'garbage '.repeat(1000));
    await portolan.index();
    const databases = readdirSync(portolan.home.index).filter((name) => name.endsWith('.db'));
    expect(databases).toEqual([basename(indexOf(portolan))]);
  });
});

describe.skipIf(SHARED === undefined).each(['homes/claude', 'natural/cli', 'live/claude/home'])(
  'the index of %s',
  (name) => {
    const copyOf = () => {
      const home = new ClaudeHome();
      cpSync(shared('corpus', name, '.claude'), home.claude, { recursive: true });
      return home;
    };

    it('is the same where it is made anew from the archive', async () => {
      const home = copyOf();
      const portolan = new Portolan(home.env());
      await portolan.index();
      const before = portolan.content();
      expect(before.sessions.length).toBeGreaterThan(13);
      rmSync(portolan.home.index, { recursive: true });
      // The archive alone is enough.
      renameSync(home.claude, `${home.claude}.away`);
      await portolan.write(() => {});
      expect(differences(portolan.content(), before)).toEqual([]);
    });

    it('is the same in whatever order its files were found', async () => {
      const home = copyOf();
      const once = new Portolan(home.env());
      await once.index();
      const files = filesBelow(join(home.claude, 'projects')).filter((path) => path.endsWith('.jsonl'));
      const next = generator(files.length);
      const steps = new Portolan(home.env());
      const hidden = files.map((path) => ({ path, step: Math.floor(next() * 4) }));
      for (const { path } of hidden) renameSync(path, `${path}.later`);
      for (const step of [0, 1, 2, 3]) {
        for (const { path } of hidden.filter((each) => each.step === step)) renameSync(`${path}.later`, path);
        await steps.index();
      }
      expect(differences(steps.content(), once.content())).toEqual([]);
    });
  },
);

describe('a crash', () => {
  it('between the two commits is made good when the index is opened next', async () => {
    const { home, portolan } = await indexed();
    const saved = join(home.path, 'index-before');
    cpSync(portolan.home.index, saved, { recursive: true });
    home.append([new Script({}, 'more').user('And the lamp?')], uuid('two'));
    home.write(records('four'), uuid('four'));
    await portolan.index();
    const after = portolan.content();
    // The archive has it, the index does not.
    rmSync(portolan.home.index, { recursive: true });
    cpSync(saved, portolan.home.index, { recursive: true });
    expect(portolan.content()).not.toEqual(after);
    expect(await portolan.index()).toMatchObject({ read: 0, bytesRead: 0, sessions: 4 });
    expect(portolan.content()).toEqual(after);
  });

  it.each<[string, (home: ClaudeHome) => void]>([
    ['a deletion', (home) => rmSync(home.at(uuid('two')))],
    ['a move', (home) => renameSync(home.project, join(home.claude, 'projects', '-home-dev-projects-mole'))],
  ])('between the two commits of %s is made good too', async (_, change) => {
    const { home, portolan } = await indexed();
    const saved = join(home.path, 'index-before');
    cpSync(portolan.home.index, saved, { recursive: true });
    change(home);
    await portolan.index();
    const after = portolan.content();
    rmSync(portolan.home.index, { recursive: true });
    cpSync(saved, portolan.home.index, { recursive: true });
    await portolan.index();
    expect(portolan.content()).toEqual(after);
  });

  it('in the middle of a large file loses nothing of its rest', async () => {
    const home = new ClaudeHome();
    const script = new Script();
    const large = Array.from({ length: 40 }, (_, i) => [
      script.user(`Plank ${i}`),
      script.answer('larch '.repeat(50_000)),
    ]).flat();
    home.write(large);
    const portolan = new Portolan(home.env());
    await expect(
      portolan.write((stores) =>
        ingest(stores, home.env(), ({ done, bytes }) => {
          // By then the first batch was kept.
          if (done === 0 && bytes > 8_000_000) throw new Error('killed');
        }),
      ),
    ).rejects.toThrow('killed');
    // What was read before is kept …
    const kept = linesIn(portolan.read(), SESSION).length;
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(80);
    // … and the rest is read when the next one begins.
    const { bytesRead } = await portolan.index();
    expect(bytesRead).toBeGreaterThan(0);
    expect(bytesRead).toBeLessThan(jsonl(large).length);
    expect(linesIn(portolan.read(), SESSION)).toHaveLength(80);
    const fresh = new Portolan(home.env());
    await fresh.index();
    expect(portolan.content()).toEqual(fresh.content());
  });

  it('before the commits leaves both as they were', async () => {
    const { portolan } = await indexed();
    const before = portolan.content();
    await portolan.write((stores) => {
      const session = sessionOf(stores, uuid('one'));
      stores.begin();
      stores.archive.db.run('DELETE FROM chunks WHERE session = ?', session.id);
      stores.deriver.rebuild(session.id);
      stores.rollback();
    });
    expect(portolan.content()).toEqual(before);
  });
});
