import { appendFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/home/config.ts';
import { catchUp, refresh } from '../../src/ingest/refresh.ts';
import { openForWriting } from '../../src/ingest/writable-stores.ts';
import { search } from '../../src/search/answers/search.ts';
import { sourceStates } from '../../src/search/answers/source-states.ts';
import { parseQuery } from '../../src/search/query/parse.ts';
import { Script as CodexScript, nameOf, OTHER, textOf, turnId } from '../agents/codex/script.ts';
import { ClaudeHome } from '../support/claude-home.ts';
import { jsonl, Script, uuid } from '../support/claude-records.ts';
import { temporaryFolder, writeAt } from '../support/folders.ts';
import { Portolan } from '../support/portolan.ts';

const LONG_MS = 5000;

/** A transcript of one prompt, in a session of its own. */
function asked(word: string): readonly unknown[] {
  const script = new Script({ sessionId: uuid(word) }, word);
  return [script.user(`Where is the ${word}?`), script.answer('At the pier.')];
}

/** A user whose history was indexed, with so many sessions besides. */
async function history(sessions = 0) {
  const home = new ClaudeHome();
  home.write(asked('harbour'), uuid('harbour'));
  for (let n = 0; n < sessions; n++)
    home.write(asked(`ballast${n}`), `../-home-dev-p${n}/${uuid(`ballast${n}`)}.jsonl`);
  const codex = join(home.path, '.codex');
  const rollout = writeAt(join(codex, 'sessions', '2026', '11', '21', nameOf()), textOf(promptOf('anchor').lines));
  const portolan = new Portolan(home.env());
  await portolan.index();
  return { home, codex, rollout, portolan };
}

function promptOf(word: string, id?: string) {
  return new CodexScript().meta(id).task(turnId(1)).asked(`Where is the ${word}?`).answered('At the pier.');
}

function found(portolan: Portolan, word: string): number {
  return search(portolan.read(), parseQuery(word, Date.now()), { now: Date.now(), limit: 10 }).hits.length;
}

type Given = Awaited<ReturnType<typeof history>>;

/** What may come that lies where nothing was written for long, or where there was nothing at all. */
const COMING: Readonly<Record<string, (given: Given) => void>> = {
  'the first session of a project': ({ home }) =>
    home.write(asked('cormorant'), `../-home-dev-new/${uuid('cormorant')}.jsonl`),
  'a session of a project that was long out of use': ({ home }) =>
    home.write(asked('cormorant'), `../-home-dev-p0/${uuid('cormorant')}.jsonl`),
  'the first sub-agent of a session': ({ home }) =>
    home.write(asked('cormorant'), `../-home-dev-p0/${uuid('ballast0')}/subagents/agent-a0123456789abcdef.jsonl`),
  'the first session of a day': ({ codex }) => {
    const { lines } = promptOf('cormorant', OTHER);
    writeAt(join(codex, 'sessions', '2026', '12', '01', nameOf(OTHER)), textOf(lines));
  },
  'the first archived session': ({ codex }) => {
    const { lines } = promptOf('cormorant', OTHER);
    writeAt(join(codex, 'archived_sessions', nameOf(OTHER)), textOf(lines));
  },
  'a prompt in the history right in a home': ({ home }) =>
    writeAt(
      join(home.claude, 'history.jsonl'),
      jsonl([{ display: 'cormorant', timestamp: Date.now(), project: '/home/dev/pier', sessionId: uuid('gone') }]),
    ),
  'a memory in a database right in a home': ({ codex }) => {
    const database = new DatabaseSync(join(codex, 'memories_1.sqlite'));
    database.exec(`CREATE TABLE stage1_outputs (thread_id TEXT PRIMARY KEY, source_updated_at INTEGER, raw_memory TEXT,
      rollout_summary TEXT, rollout_slug TEXT, generated_at INTEGER);
      INSERT INTO stage1_outputs VALUES ('${OTHER}', 1, 'The cormorant dives.', 'It dives.', 'dive', 1796029074)`);
    database.close();
  },
};

describe('before an answer', () => {
  it.each(Object.keys(COMING))('%s is read, wherever the newest files lie', async (what) => {
    const given = await history(30);
    COMING[what]!(given);
    expect(await refresh(given.portolan.home, given.portolan.env, LONG_MS)).toMatchObject({ state: 'done', read: 1 });
    expect(found(given.portolan, 'cormorant')).toBeGreaterThan(0);
  });

  it('nothing is read where nothing came, nor is anything written', async () => {
    const { portolan } = await history(30);
    const changes = portolan.read().archive.changes();
    const { onDisk, ...did } = await refresh(portolan.home, portolan.env, LONG_MS);
    expect([did, onDisk.unread.size, onDisk.unreadable.size]).toEqual([{ state: 'done', read: 0 }, 0, 0]);
    expect(portolan.read().archive.changes()).toBe(changes);
  });

  it('what links lead to outside of the home is not read', async () => {
    const { home, portolan } = await history();
    const outside = writeAt(join(temporaryFolder(), `${uuid('cormorant')}.jsonl`), jsonl(asked('cormorant')));
    symlinkSync(outside, home.at(uuid('cormorant')));
    expect(await refresh(portolan.home, portolan.env, LONG_MS)).toMatchObject({ state: 'done', read: 0 });
    expect(await catchUp(portolan.home, portolan.env, LONG_MS, () => {})).toMatchObject({ state: 'done', read: 0 });
  });

  it('what is more than can be read at once is told, and is no longer called searched', async () => {
    const { home, portolan } = await history();
    const script = new Script({ sessionId: uuid('large') }, 'large');
    home.write([script.user('Where is the cormorant?'), script.answer('x'.repeat(2 << 20))], uuid('large'));
    const { onDisk } = await refresh(portolan.home, portolan.env, LONG_MS);
    expect(onDisk.unread.get('claude-code')?.files).toBe(1);
    const stores = portolan.read();
    const states = sourceStates(stores, {}, readConfig(stores.home), onDisk);
    expect(states['claude-code']).toEqual({
      state: 'partial',
      sessions: 1,
      unread: 1,
      reason: '1 new or changed file is not read yet',
    });
    expect(states.codex).toEqual({ state: 'searched', sessions: 1 });
    const now = Date.now();
    const written = onDisk.unread.get('claude-code')!.since;
    const { index } = search(stores, parseQuery('cormorant', now), { now, limit: 1, onDisk });
    expect(index.lagMs).toBe(now - Math.min(written, stores.catalog.lastIngest()!));
  });

  it('what came is told while another Portolan writes', async () => {
    const { home, portolan } = await history();
    home.write(asked('cormorant'), uuid('cormorant'));
    const other = openForWriting(portolan.home)!;
    try {
      const refreshed = await refresh(portolan.home, portolan.env, LONG_MS);
      expect([refreshed.state, refreshed.onDisk.unread.get('claude-code')?.files]).toEqual(['elsewhere', 1]);
    } finally {
      other.close();
    }
  });
});

describe('before it is said that there is nothing', () => {
  it('a file long out of use that only grew is read too', async () => {
    const { home, portolan } = await history(30);
    const path = home.at(`../-home-dev-p0/${uuid('ballast0')}`);
    appendFileSync(path, jsonl(asked('cormorant')));
    home.touch(path);
    expect(await refresh(portolan.home, portolan.env, LONG_MS)).toMatchObject({ state: 'done' });
    await catchUp(portolan.home, portolan.env, LONG_MS, () => {});
    expect(found(portolan, 'cormorant')).toBe(1);
  });

  it('a session that only the agent’s own catalogue knows is read', async () => {
    const { codex, portolan } = await history();
    const path = writeAt(join(codex, 'kept', nameOf(OTHER)), textOf(promptOf('cormorant', OTHER).lines));
    const database = new DatabaseSync(join(codex, 'state_5.sqlite'));
    database.exec('CREATE TABLE threads (id TEXT, rollout_path TEXT)');
    database.prepare('INSERT INTO threads VALUES (?, ?)').run(OTHER, path);
    database.close();
    expect(await catchUp(portolan.home, portolan.env, LONG_MS, () => {})).toMatchObject({ state: 'done', read: 1 });
    expect(found(portolan, 'cormorant')).toBe(1);
    // From then on it is a file in use.
    appendFileSync(path, textOf(new CodexScript().asked('And the whimbrel?').lines));
    expect(await refresh(portolan.home, portolan.env, LONG_MS)).toMatchObject({ state: 'done', read: 1 });
    expect(found(portolan, 'whimbrel')).toBe(1);
  });

  it('it waits no longer than it may, and tells what is left', async () => {
    const { home, portolan } = await history();
    home.write(asked('cormorant'), uuid('cormorant'));
    const { onDisk, ...did } = await catchUp(portolan.home, portolan.env, 0, () => {});
    expect([did, onDisk.unread.get('claude-code')?.files]).toEqual([{ state: 'done', read: 0 }, 1]);
  });

  it('it waits for another Portolan that reads, and says so', async () => {
    const { home, portolan } = await history();
    home.write(asked('cormorant'), uuid('cormorant'));
    const other = openForWriting(portolan.home)!;
    const waited: [number, boolean][] = [];
    const caught = await catchUp(portolan.home, portolan.env, 60_000, (files, isElsewhere) => {
      waited.push([files, isElsewhere]);
      other.close();
    });
    expect(waited).toEqual([[1, true]]);
    expect(caught).toMatchObject({ state: 'done', read: 1 });
    expect(found(portolan, 'cormorant')).toBe(1);
  });
});

describe('a history of which only a part was read', () => {
  const stateOf = (portolan: Portolan) => {
    const stores = portolan.read();
    return sourceStates(stores, {}, readConfig(stores.home))['claude-code'];
  };

  /** So much that it is read by workers, in several transactions. */
  function large(sessions: number): ClaudeHome {
    const home = new ClaudeHome();
    for (let n = 0; n < sessions; n++) {
      const script = new Script({ sessionId: uuid(`large ${n}`) }, `large ${n}`);
      home.write([script.user(`plank ${n}`), script.answer('x'.repeat(1 << 20))], uuid(`large ${n}`));
    }
    return home;
  }

  it('is called so while it is read, and after the reading was broken off, until it is ended', async () => {
    const portolan = new Portolan(large(12).env());
    const meanwhile: unknown[] = [];
    const broken = portolan.index(({ done }) => {
      meanwhile.push(stateOf(portolan));
      if (done >= 8) throw new Error('the power failed');
    });
    await expect(broken).rejects.toThrow('the power failed');
    expect(meanwhile[0]).toMatchObject({ state: 'partial', files: { read: 0, found: 12 }, unread: 12 });
    const left = stateOf(portolan);
    if (left?.state !== 'partial') throw new Error(`it is called ${left?.state}`);
    const { read } = left.files!;
    expect(left).toMatchObject({ files: { found: 12 }, reason: `${read} of 12 files read so far` });
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(12);
    await portolan.index();
    expect(stateOf(portolan)).toEqual({ state: 'searched', sessions: 12 });
  });
});
