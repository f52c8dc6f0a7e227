import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Transcript, uuidOf } from '../search/history.ts';
import { CLI, newUser, type User } from '../search/program.ts';

const COMMANDS = ['start', 'index', 'search', 'show', 'sessions', 'resume', 'doctor', 'repair'];
const one = new Transcript('errors one');
const two = new Transcript('errors two');
const OTHERS = Array.from({ length: 16 }, (_, i) => new Transcript(`errors more ${i}`));
let user: User;

beforeAll(async () => {
  for (const transcript of [one, two, ...OTHERS]) transcript.prompt('The beacon is dark.');
  user = newUser([one, two, ...OTHERS]);
  await user.json('index');
});
afterAll(() => user.remove());

/** A beginning that several of the sessions share. */
const shared = [...'0123456789abcdef'].find(
  (digit) => [one, two, ...OTHERS].filter((other) => other.id.startsWith(digit)).length > 1,
)!;

describe('errors', () => {
  it.each<[args: string[], exit: number, code: string]>([
    [['search'], 2, 'no_query'],
    [['search', 'x', '--mode', 'clairvoyant'], 2, 'bad_mode'],
    [['search', 'x', '--limit', '0'], 2, 'bad_value'],
    [['search', 'x', '--limit', '1001'], 2, 'bad_value'],
    [['search', 'x', '--limit', 'many'], 2, 'bad_value'],
    [['search', 'x', '--cursor', 'next'], 2, 'bad_value'],
    [['search', 'x', '--min-score', 'high'], 2, 'bad_value'],
    [['search', 'x', '--now', 'later'], 2, 'bad_time'],
    [['search', 'x', '--frobnicate'], 2, 'bad_flag'],
    [['sessions', '--frobnicate'], 2, 'bad_flag'],
    [['sessions', '--limit', '-1'], 2, 'bad_flag'],
    [['show'], 2, 'no_id'],
    [['show', 'nowhere'], 1, 'not_found'],
    [['show', shared], 2, 'ambiguous'],
    [['show', `${one.key}#9`], 1, 'no_turn'],
    [['show', one.key, '--frobnicate'], 2, 'bad_flag'],
    [['show', one.key, '--turns', '5-2'], 2, 'bad_range'],
    [['resume'], 2, 'no_id'],
    [['resume', 'nowhere'], 1, 'not_found'],
    [['resume', one.key, '--frobnicate'], 2, 'bad_flag'],
    [['index', '--frobnicate'], 2, 'bad_flag'],
    [['doctor', '--frobnicate'], 2, 'bad_flag'],
    [['start', '--frobnicate'], 2, 'bad_flag'],
    ...['start', 'index', 'doctor', 'repair', 'watch', 'mcp', 'uninstall'].map(
      (command): [string[], number, string] => [[command, 'something'], 2, 'too_many'],
    ),
    ...['show', 'resume', 'setup', 'redact'].map((command): [string[], number, string] => [
      [command, one.key, 'something'],
      2,
      'too_many',
    ]),
    [['frobnicate'], 2, 'no_command'],
    [['constructor'], 2, 'no_command'],
  ])('portolan %j', async (args, exit, code) => {
    const { code: told, document, stderr } = await user.json(...args);
    expect(document).toEqual({ error: { code, message: expect.any(String), hint: expect.any(String) } });
    expect(told).toBe(exit);
    expect(document.error.hint.length).toBeGreaterThan(5);
    expect(stderr).toBe('');
    // Without --json they are for people, on stderr.
    const plain = await user.run(...args);
    expect(plain).toMatchObject({ code: exit, stdout: '' });
    expect(plain.stderr).toContain('portolan: ');
    expect(plain.stderr).not.toMatch(/\n\s+at /);
  });

  it.each([
    ['serach', 'search'],
    ['sesions', 'sessions'],
    ['indx', 'index'],
    ['unistall', 'uninstall'],
  ])('of a command that is nearly one, %s, tells which', async (typed, meant) => {
    expect((await user.run(typed)).stderr).toContain(`Did you mean portolan ${meant}?`);
  });

  it('an ambiguous id tells what it may mean', async () => {
    const { document } = await user.json('show', shared);
    expect(document.error.hint).toContain(`claude-code:${shared}`);
  });

  it('nothing found is no error: a document and exit 1', async () => {
    const { code, document } = await user.json('search', 'zephyrquark');
    expect(code).toBe(1);
    expect(document).toMatchObject({
      hits: [],
      total: { turns: 0 },
      sources: { 'claude-code': { state: 'searched' } },
    });
    expect(await user.run('search', 'zephyrquark')).toMatchObject({ code: 1, stderr: '' });
  });
});

describe('help', () => {
  it.each(COMMANDS)('portolan %s --help', async (command) => {
    for (const args of [
      [command, '--help'],
      [command, '-h'],
      ['help', command],
    ]) {
      const { code, stdout, stderr } = await user.run(...args);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(new RegExp(`^Usage: portolan ${command}`));
      for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
    }
  });

  it('names every command', async () => {
    for (const args of [['--help'], ['help'], ['-h'], []]) {
      const { code, stdout } = await user.run(...args);
      expect(code).toBe(0);
      for (const command of COMMANDS) expect(stdout).toContain(`\n  ${command} `);
    }
  });

  it('of what is no command is the overview', async () => {
    for (const name of ['frobnicate', 'constructor', 'toString'])
      expect((await user.run('help', name)).stdout).toContain('Usage: portolan <command>');
  });

  it('--version tells it', async () => {
    expect((await user.run('--version')).stdout).toMatch(/^portolan \d+\.\d+\.\d+\n$/);
  });
});

describe('before anything is indexed', () => {
  it.each([['search', 'beacon'], ['sessions'], ['show', 'abc'], ['resume', 'abc']])(
    'portolan %s says so',
    async (...args) => {
      const fresh = newUser();
      try {
        const { code, document } = await fresh.json(...args);
        expect(code).toBe(3);
        expect(document.error).toMatchObject({ code: 'no_index', hint: expect.stringContaining('portolan index') });
        expect(readdirSync(fresh.kept)).toEqual([]);
      } finally {
        fresh.remove();
      }
    },
  );

  it('portolan doctor says so, and changes nothing', async () => {
    const fresh = newUser();
    try {
      const { code, document } = await fresh.json('doctor');
      expect(code).not.toBe(0);
      expect(document.ok).toBe(false);
      expect(document.hints.join('\n')).toContain('portolan index');
      expect(readdirSync(fresh.kept)).toEqual([]);
    } finally {
      fresh.remove();
    }
  });

  it('portolan index of nothing is done, with nothing', async () => {
    const fresh = newUser();
    try {
      const { code, document } = await fresh.json('index');
      expect([code, document.sessions]).toEqual([0, 0]);
      // Now it was looked: nothing is there to be searched.
      expect((await fresh.json('search', 'beacon')).document.sources['claude-code'].state).toBe('empty');
    } finally {
      fresh.remove();
    }
  });
});

describe.skipIf(process.platform === 'win32')('a reader that goes away', () => {
  it.each(['search beacon', 'sessions --all', `show ${one.key}`, 'search beacon --json --limit 1000', '--help'])(
    'portolan %s | head -1 leaves no trace',
    async (command) => {
      const { stdout, stderr } = await user.shell(`portolan ${command} | head -1`);
      expect(stderr).toBe('');
      expect(stdout.split('\n').length).toBeLessThanOrEqual(2);
    },
  );

  it('a long answer stops when its reader does', async () => {
    const large = new Transcript('errors large');
    for (let i = 0; i < 4000; i++) large.prompt(`Line ${i} ${'of the long log '.repeat(20)}`);
    large.write(user.home);
    await user.json('index');
    const { stderr, stdout } = await user.shell(`portolan show ${large.key} --full | head -1`);
    expect(stderr).toBe('');
    expect(stdout.trim()).not.toBe('');
    expect((await user.shell(`portolan show ${large.key} --json | wc -c`)).stdout.trim().length).toBeGreaterThan(6);
  });
});

describe.skipIf(!existsSync('/dev/full'))('an answer that cannot be written', () => {
  it.each(['search beacon', 'sessions --json', '--help'])('portolan %s is an error of one line', async (command) => {
    const { code, stderr } = await user.shell(`portolan ${command} >/dev/full`);
    expect(stderr).toMatch(/^portolan: The answer could not be written: .*ENOSPC.*\n$/);
    expect(code).toBe(3);
  });

  it('does not end an indexing where only what is said beside it is not read', async () => {
    const fresh = newUser([one]);
    const { stdout } = await fresh.shell('portolan index --json 2>/dev/full');
    expect(JSON.parse(stdout)).toMatchObject({ sessions: 1 });
    fresh.remove();
  });
});

describe('an archive of a newer Portolan', () => {
  it('is left alone, and the error says what to do', async () => {
    const fresh = newUser([one]);
    await fresh.run('index');
    const archive = new DatabaseSync(join(fresh.kept, 'archive.db'));
    archive.exec('PRAGMA user_version = 999');
    archive.close();
    const { code, document } = await fresh.json('index');
    expect(code).toBe(3);
    expect(document.error.message).toContain('newer Portolan');
    expect(document.error.hint).toContain('PORTOLAN_HOME');
    fresh.remove();
  });
});

describe.skipIf(process.platform === 'win32')('Ctrl-C while it indexes', () => {
  it('leaves an index that opens, and whose next index completes', async () => {
    const fresh = newUser();
    try {
      const files = 24;
      for (let i = 0; i < files; i++) writeLarge(fresh.home, i);
      const ended: (string | null)[] = [];
      for (const least of [1, 500_000, 2_000_000]) {
        ended.push(await interruptAt(fresh, least));
        const sessions = await fresh.json('sessions');
        expect([0, 1, 3]).toContain(sessions.code);
        expect(sessions.stderr).toMatch(
          /^(?:Reading \d+ new or changed files first\.\n)?(?:Claude Code: \d+ of \d+ files read so far\n)?$/,
        );
      }
      expect(ended).toContain('SIGINT');
      const { code, document } = await fresh.json('index');
      expect(code).toBe(0);
      expect(document.sessions).toBe(files);
      expect(document.sources['claude-code'].failed).toEqual([]);
      const { document: found } = await fresh.json('search', 'lastword', '--limit', '1000');
      expect(new Set(found.hits.map((hit: { session: string }) => hit.session)).size).toBe(files);
      expect((await fresh.json('index')).document.sources['claude-code'].bytes_read).toBe(0);
    } finally {
      fresh.remove();
    }
  });

  it('has the rest read behind the next search', async () => {
    const fresh = newUser();
    try {
      const files = 12;
      for (let i = 0; i < files; i++) writeLarge(fresh.home, i);
      // Once something can be found, and before everything can.
      await interruptAt(fresh, 500_000);
      const { document } = await fresh.json('search', 'beacon');
      if (document.index) expect(document.index.sessions === files || document.index.lag_ms === null).toBe(true);
      else await fresh.json('index');
      const found = async () => (await fresh.json('sessions')).document.total;
      await expect.poll(found, { interval: 200 }).toBe(files);
      // What runs behind must have ended before its folder is removed.
      await expect.poll(async () => (await fresh.json('index')).document.busy ?? false, { interval: 200 }).toBe(false);
    } finally {
      fresh.remove();
    }
  });

  function writeLarge(home: string, i: number): void {
    const session = uuidOf(`interrupted ${i}`);
    const path = join(home, '.claude/projects/-home-dev-projects-lantern', `${session}.jsonl`);
    const lines = Array.from({ length: 900 }, (_, n) =>
      JSON.stringify({
        type: 'user',
        uuid: uuidOf(`interrupted ${i} ${n}`),
        parentUuid: n === 0 ? null : uuidOf(`interrupted ${i} ${n - 1}`),
        sessionId: session,
        cwd: '/home/dev/projects/lantern',
        timestamp: new Date(Date.parse('2026-11-20T09:00:00Z') + n * 1000).toISOString(),
        message: {
          role: 'user',
          content: `${n === 899 ? 'lastword ' : ''}beacon ${i} ${n} ${`tar${n} rope${i} mast`.repeat(60)}`,
        },
      }),
    );
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${lines.join('\n')}\n`);
  }

  /** Starts to index and sends Ctrl-C once the archive has so many bytes; gives the signal that ended it, if it was one. */
  function interruptAt(fresh: User, least: number): Promise<string | null> {
    const child = spawn(process.execPath, [CLI, 'index'], { env: fresh.env, cwd: fresh.home, stdio: 'ignore' });
    const size = () =>
      ['archive.db', 'archive.db-wal']
        .map((name) => join(fresh.kept, name))
        .reduce((sum, path) => sum + (existsSync(path) ? statSync(path).size : 0), 0);
    const watch = setInterval(() => {
      if (size() >= least) child.kill('SIGINT');
    }, 5);
    return new Promise((done) =>
      child.on('close', (_, signal) => {
        clearInterval(watch);
        done(signal);
      }),
    );
  }
});

describe('an index that is no database any more', () => {
  it('is made anew from the archive', async () => {
    const fresh = newUser([one]);
    try {
      await fresh.json('index');
      for (const name of readdirSync(join(fresh.kept, 'index')))
        if (name.endsWith('.db')) writeFileSync(join(fresh.kept, 'index', name), 'x'.repeat(5000));
      const answer = await fresh.json('search', 'beacon');
      expect(answer.code).toBe(0);
      expect(answer.document.hits).toHaveLength(1);
      expect((await fresh.json('index')).document).toMatchObject({ sessions: 1 });
    } finally {
      fresh.remove();
    }
  });
});
