import { describe, expect, it } from 'vitest';
import { SOURCES } from '../../src/agents/registry.ts';
import { ingest } from '../../src/ingest/run.ts';
import type { WritableStores } from '../../src/ingest/writable-stores.ts';
import { ClaudeHome } from '../support/claude-home.ts';
import { jsonl, Script, uuid } from '../support/claude-records.ts';
import { differences, linesIn, Portolan, sessionsOf } from '../support/portolan.ts';

const NAMES = ['first', 'second', 'bad', 'third', 'last'];
const BAD = uuid('bad');

function history(names = NAMES): ClaudeHome {
  const home = new ClaudeHome();
  for (const name of names) {
    const script = new Script({ sessionId: uuid(name) }, name);
    home.write([script.user(`Paint the ${name} pier.`), script.answer('Painted.')], uuid(name));
  }
  return home;
}

/** Makes a method of the writing side fail where it comes to what is bad. */
type Fault = (stores: WritableStores) => void;

const FAULTS: readonly [string, Fault][] = [
  [
    'keeping it',
    ({ keeper }) => {
      const apply = keeper.apply.bind(keeper);
      keeper.apply = (id, unit, delta, started) => {
        const applied = apply(id, unit, delta, started);
        // What was written of it is there already.
        if (unit.path.includes(BAD)) throw new TypeError('not what was expected');
        return applied;
      };
    },
  ],
  [
    'indexing it',
    ({ deriver, archive }) => {
      const follow = deriver.follow.bind(deriver);
      deriver.follow = (applied) => {
        follow(applied);
        if (applied.some(({ id }) => archive.session(id)?.nativeId === BAD)) throw new RangeError('out of range');
      };
    },
  ],
  [
    'settling it at the end of the transaction',
    ({ deriver, archive }) => {
      const settle = deriver.settle.bind(deriver);
      deriver.settle = () => {
        if (archive.sessionByKey(`claude-code:${BAD}`)) throw new Error('does not settle');
        settle();
      };
    },
  ],
];

async function indexed(portolan: Portolan, fault: Fault = () => {}) {
  return portolan.write(async (stores) => {
    fault(stores);
    return (await ingest(stores, portolan.env))['claude-code']!;
  });
}

describe('an error that comes of one file', () => {
  it.each(FAULTS)('in %s is that file’s, and the others are kept as if it were not there', async (_, fault) => {
    const portolan = new Portolan(history().env());
    const report = await indexed(portolan, fault);
    const others = new Portolan(history(NAMES.filter((name) => name !== 'bad')).env());
    const expected = await others.index();
    expect(report).toMatchObject({ units: 5, read: 4, records: expected.records, bytesRead: expected.bytesRead });
    expect(report.failed).toEqual([{ path: expect.stringContaining(BAD), reason: expect.any(String) }]);
    const [found, right] = [portolan.content(), others.content()];
    const known = (content: typeof found) => ({
      ...content,
      sessions: content.sessions.map(({ path: _path, active: _active, ...session }) => session),
    });
    expect(differences(known(found), known(right))).toEqual([]);
  });

  it.each(FAULTS)('in %s is tried again where the file changes, and not before', async (_, fault) => {
    const home = history();
    const portolan = new Portolan(home.env());
    await indexed(portolan, fault);
    const { read, failed } = await portolan.index();
    expect({ read, failed: failed.length }).toEqual({ read: 0, failed: 1 });
    home.append(jsonl([new Script({ sessionId: BAD }, 'more').user('And the lamp?')]), BAD);
    expect(await portolan.index()).toMatchObject({ read: 1, failed: [] });
    expect(linesIn(portolan.read(), BAD)).toEqual([
      'user: Paint the bad pier.',
      'assistant: Painted.',
      'user: And the lamp?',
    ]);
  });

  // Settling fails as long as the session is there: what it was cannot be told from what came.
  it.each(FAULTS.slice(0, 2))('in %s keeps what was kept of the file before', async (_, fault) => {
    const home = history();
    const portolan = new Portolan(home.env());
    await portolan.index();
    for (const name of ['bad', 'last'])
      home.append(jsonl([new Script({ sessionId: uuid(name) }, `${name} more`).user('And the lamp?')]), uuid(name));
    expect(await indexed(portolan, fault)).toMatchObject({ read: 1 });
    const stores = portolan.read();
    expect(linesIn(stores, BAD)).toEqual(['user: Paint the bad pier.', 'assistant: Painted.']);
    expect(linesIn(stores, uuid('last'))).toHaveLength(3);
  });

  it('is tried again under another version of the reader', async () => {
    const portolan = new Portolan(history().env());
    await indexed(portolan, FAULTS[0]![1]);
    const source = SOURCES.find(({ id }) => id === 'claude-code')! as { version: number };
    source.version++;
    try {
      expect(await portolan.index()).toMatchObject({ read: 5, failed: [] });
    } finally {
      source.version--;
    }
    expect(sessionsOf(portolan.read())).toHaveLength(5);
  });

  it('leaves many transactions whole', async () => {
    const home = history();
    const long = (name: string) => {
      const script = new Script({ sessionId: uuid(name) }, name);
      return Array.from({ length: 8 }, (_, i) => script.user(`${name} ${i} ${'long '.repeat(50_000)}`));
    };
    home.write(long('first'), uuid('first'));
    home.write(long('bad'), BAD);
    home.write(long('last'), uuid('last'));
    const portolan = new Portolan(home.env());
    let commits = 0;
    const report = await indexed(portolan, (stores) => {
      const { keeper } = stores;
      const [apply, commit] = [keeper.apply.bind(keeper), stores.commit.bind(stores)];
      stores.commit = () => {
        commits++;
        commit();
      };
      keeper.apply = (id, unit, delta, started) => {
        if (unit.path.includes(BAD) && delta.done) throw new TypeError('not what was expected');
        return apply(id, unit, delta, started);
      };
    });
    expect(commits).toBeGreaterThan(1);
    expect(report.failed).toHaveLength(1);
    for (const name of ['first', 'last']) expect(linesIn(portolan.read(), uuid(name))).toHaveLength(8);
    expect(await portolan.index()).toMatchObject({ read: 0 });
  });
});

describe('an error of the store', () => {
  it.each([
    ['a full disk', Object.assign(new Error('database or disk is full'), { errcode: 13 })],
    ['a disk that cannot be read', Object.assign(new Error('disk I/O error'), { errcode: 10 | (3 << 8) })],
    ['the system', Object.assign(new Error('EROFS'), { code: 'EROFS', syscall: 'open' })],
  ])('ends the run, and is no file’s: %s', async (_, error) => {
    const portolan = new Portolan(history().env());
    const failing = indexed(portolan, ({ keeper }) => {
      keeper.apply = () => {
        throw error;
      };
    });
    await expect(failing).rejects.toBe(error);
    expect(await portolan.index()).toMatchObject({ read: 5, failed: [] });
  });
});
