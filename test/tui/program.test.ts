// biome-ignore-all lint/suspicious/noControlCharactersInRegex: sequences for terminals are what is looked for
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Transcript } from '../search/history.ts';
import { CLI, newUser, type User } from '../search/program.ts';
import { temporaryFolder } from '../support/folders.ts';
import { noTerminal, OnTerminal } from '../support/pty.ts';
import { ticksOf } from '../support/ticks.ts';

const LEAVE = '\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[0m\x1b[?1049l';
const reason = noTerminal();

/** A hostile history: what it says would rename the window, write the clipboard and clear the screen. */
const HOSTILE = '\x1b]0;owned\x07\x1b]52;c;b3duZWQ=\x07\x1b[2J\u202etxet\u009b31m';

describe.skipIf(reason !== undefined)(
  `the picker on a terminal${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  () => {
    let user: User;
    let open: OnTerminal[] = [];
    const session = new Transcript('picked', { cwd: '/home/dev/projects/lantern' });

    /** Another user, whose history no other test sees. */
    const userWith = async (session: Transcript): Promise<User> => {
      const one = newUser([session]);
      onTestFinished(() => one.remove());
      await one.json('index');
      return one;
    };

    beforeAll(async () => {
      session.prompt('Find the beacon.');
      session.tool('Bash', { command: 'make beacon' }, `no rule ${HOSTILE}`, { isError: true });
      session.answer(`It is on the pier. ${HOSTILE}`);
      session.prompt(`Send someone 漢字 👩‍🚀 ${HOSTILE}`);
      session.answer('Done.');
      user = newUser([session]);
      session.prompt('x');
      await user.json('index');
    });
    afterEach(() => {
      for (const one of open) one.kill();
      open = [];
    });
    afterAll(() => user.remove());

    const start = async (more: NodeJS.ProcessEnv = {}, ...args: string[]) => {
      const env = { ...user.env, ...more };
      const terminal = new OnTerminal([process.execPath, CLI, ...args], {
        columns: 100,
        rows: 30,
        env,
        cwd: env.HOME!,
      });
      open.push(terminal);
      return terminal;
    };
    const shown = async (env?: NodeJS.ProcessEnv) => {
      const terminal = await start(env);
      await terminal.until(({ text }) => text.includes('1 session'));
      return terminal;
    };

    it('searches as one types, reads, and leaves the terminal as it was', async () => {
      const terminal = await shown();
      terminal.press('beac');
      await terminal.until(({ text }) => /\d turns? · \d/.test(text));
      expect(terminal.screen.rows[0]).toContain('› beac');
      terminal.press('\r');
      await terminal.until(({ text }) => text.includes('turn 1 of'));
      expect(terminal.screen.text).toContain('make beacon');
      terminal.press('q');
      await terminal.until(({ rows }) => rows[0]!.includes('› beac'));
      terminal.press('\x03');
      expect(await terminal.ended).toBe(130);
      expect(terminal.output.trimEnd().endsWith(LEAVE)).toBe(true);
    });

    it('opens with words that are no command', async () => {
      for (const args of [
        ['find', 'beacon'],
        ['--', 'index beacon'],
      ]) {
        const terminal = await start({}, ...args);
        await terminal.until(({ text }) => /\d turns? · \d/.test(text));
        expect(terminal.screen.rows[0]).toContain(`› ${args.filter((arg) => arg !== '--').join(' ')}`);
        terminal.press('\x03');
        expect(await terminal.ended).toBe(130);
      }
      const misspelt = await start({}, 'serch', 'beacon');
      expect(await misspelt.ended).toBe(2);
      expect(misspelt.output).toContain('Did you mean portolan search?');
    });

    it('is the reader alone where a session is shown, and the list behind it', async () => {
      const terminal = await start({}, 'show', session.key);
      await terminal.until(({ text }) => text.includes('make beacon'));
      terminal.press('q');
      expect(await terminal.ended).toBe(0);
      const other = await start({}, 'show', `${session.key}#2`);
      await other.until(({ text }) => text.includes('turn 2 of 2'));
      other.press('\x1b');
      await other.until(({ text }) => text.includes('1 session'));
      other.press('\x03');
      await other.ended;
      const printed = await start({}, 'show', session.key, '--full');
      expect(await printed.ended).toBe(0);
      expect(printed.output).not.toContain('\x1b[?1049h');
    });

    it.each([
      ['bash', ['--norc', '-i'], 'source <(portolan completions bash)'],
      ['zsh', ['-f', '-i'], 'autoload -U compinit; compinit -u; source <(portolan completions zsh)'],
      ['fish', ['--no-config', '-i'], 'portolan completions fish | source'],
    ])('opens at a key of %s, with what stands on the line', async (shell, args, setting) => {
      if (spawnSync(shell, ['-c', 'exit 0']).status !== 0) return;
      const bin = temporaryFolder();
      writeFileSync(join(bin, 'portolan'), `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`, { mode: 0o755 });
      const env = { ...user.env, PATH: `${bin}:${user.env.PATH}` };
      const terminal = new OnTerminal([shell, ...args], { columns: 100, rows: 30, env, cwd: user.home });
      open.push(terminal);
      terminal.press(`${setting}; echo is-"set"\r`);
      await terminal.until((_, output) => output.includes('is-set'));
      terminal.press("the beacon's\x1br");
      await terminal.until(({ rows }) => rows[0]!.includes("› the beacon's"));
      terminal.press('\x03');
      await terminal.until((_, output) => output.includes(LEAVE));
      terminal.press('\x15exit\r');
      await terminal.ended;
    });

    it('tells of a configuration that is broken while it is open, and goes on', async () => {
      const one = await userWith(session);
      const terminal = await shown(one.env);
      writeFileSync(join(one.kept, 'config.json'), '{');
      terminal.press('beacon');
      await terminal.until(({ text }) => text.includes('config.json'));
      rmSync(join(one.kept, 'config.json'));
      terminal.press(' pier');
      await terminal.until(({ text }) => /\d turns? · \d/.test(text));
      terminal.press('\x03');
      expect(await terminal.ended).toBe(130);
    });

    it('hears keys that came at once in their order', async () => {
      const terminal = await shown();
      terminal.press('beacon');
      await terminal.until(({ text }) => /\d turns? · \d/.test(text));
      terminal.press('\rGq\x03');
      expect(await terminal.ended).toBe(130);
      expect(terminal.screen.rows[0]!.trim()).toBe('› beacon');
    });

    it('lets no sequence of a history through', async () => {
      const terminal = await shown();
      terminal.press('pier\r');
      await terminal.until(({ text }) => text.includes('turn 1 of'));
      terminal.press('Gq');
      await terminal.until(({ rows }) => rows[0]!.includes('› pier'));
      terminal.press('\x03');
      await terminal.ended;
      expect(terminal.output).not.toMatch(/\x1b\]|\x1b\[31m owned|\u202e|\u009b/);
      expect(terminal.output.match(/\x1b\[2J/g)).toHaveLength(1);
    });

    it('resumes: it is gone before the agent has the terminal, and ends as that ends', async () => {
      const folder = temporaryFolder();
      const [bin, work, seen] = [join(folder, 'bin'), join(folder, 'work'), join(folder, 'seen')];
      for (const one of [bin, work]) mkdirSync(one);
      writeFileSync(join(bin, 'claude'), `#!/bin/sh\necho "$PWD $*" >"${seen}"\necho resumed\nexit 7\n`, {
        mode: 0o755,
      });
      const session = new Transcript('resumable', { cwd: work });
      session.prompt('A buoy to go back to.');
      session.answer('Yes.');
      const { env } = await userWith(session);
      const terminal = await shown({ ...env, PATH: `${bin}:${env.PATH}` });
      terminal.press('buoy');
      terminal.press('\x12');
      expect(await terminal.ended).toBe(7);
      expect(terminal.output.indexOf(LEAVE)).toBeLessThan(terminal.output.indexOf('resumed'));
      expect(readFileSync(seen, 'utf8').trim()).toBe(`${work} --resume ${session.nativeId}`);
    });

    it('reads what is new, and hides secrets that only the environment tells', async () => {
      const secret = 'Quay7Lantern9Mooring4';
      const fresh = new Transcript('fresh', { cwd: '/home/dev/projects/lantern' });
      fresh.prompt('The dunlin says nothing.');
      const user = await userWith(fresh);
      fresh.answer('Nothing new yet.');
      fresh.prompt(`The kittiwake says ${secret} too.`);
      fresh.write(user.home);
      const terminal = await shown({ ...user.env, DEPLOY_TOKEN: secret });
      terminal.press('kittiwake');
      await terminal.until(({ text }) => /1 turn · \d/.test(text));
      terminal.press('\r');
      await terminal.until(({ text }) => text.includes('turn 2 of 2'));
      terminal.press('\x03');
      await terminal.ended;
      expect(terminal.output).toContain('[SECRET] too');
      const { document } = await user.json('search', 'kittiwake');
      expect(JSON.stringify(document.hits)).not.toContain(secret);
    });

    it.skipIf(process.platform !== 'linux')(
      'follows what is written while it is open, the list and what is being read, and is idle meanwhile',
      { timeout: 60_000 },
      async () => {
        const live = new Transcript('followed', { cwd: '/home/dev/projects/lantern' });
        live.prompt('The dunlin says nothing.');
        live.answer('No.');
        const user = await userWith(live);
        const terminal = await shown(user.env);
        const other = new Transcript('followed other', { cwd: '/home/dev/projects/quay', start: Date.now() });
        other.prompt('A whimbrel came by.');
        // Until it follows, it looks when it is asked.
        await new Promise((resolve) => setTimeout(resolve, 1000));
        other.write(user.home);
        await terminal.until(({ text }) => text.includes('A whimbrel came by.') && text.includes('1 new'));
        terminal.press('dunlin');
        await terminal.until(({ text }) => /1 turn · \d/.test(text));
        terminal.press('\r');
        await terminal.until(({ text }) => text.includes('turn 1 of 1'));
        live.prompt('And now?');
        live.answer('A kittiwake.');
        live.write(user.home);
        await terminal.until(({ text }) => text.includes('A kittiwake.') && text.includes('turn 1 of 2'));
        // A tick is a hundredth of a second: on a busy machine the first seconds may be spent on what was begun before.
        const inTwoSeconds = async () => {
          const before = ticksOf(terminal.pid);
          await new Promise((resolve) => setTimeout(resolve, 2000));
          return ticksOf(terminal.pid) - before;
        };
        await expect.poll(inTwoSeconds, { timeout: 20_000 }).toBeLessThanOrEqual(1);
      },
    );

    it('keeps a star', async () => {
      const terminal = await start();
      await terminal.until(({ text }) => text.includes('session'));
      terminal.press('beacon');
      await terminal.until(({ text }) => /\d turns? · \d/.test(text));
      terminal.press('\x13');
      await terminal.until(({ text }) => text.includes('★'));
      terminal.press('\x15\x07');
      await terminal.until(({ text }) => text.includes('1 starred'));
      terminal.press('\x03');
      await terminal.ended;
      expect(readFileSync(join(user.kept, 'notes.jsonl'), 'utf8')).toMatch(/^\{"type":"star",.*"anchor":/);
    });

    it.each([
      ['SIGTERM', 143],
      ['SIGHUP', 129],
      ['SIGINT', 130],
    ] as const)('gives the terminal back at %s', async (signal, code) => {
      const terminal = await start();
      await terminal.until(({ text }) => text.includes('session'));
      process.kill(terminal.pid, signal);
      expect(await terminal.ended).toBe(code);
      expect(terminal.output).toContain(LEAVE);
    });

    it('gives the terminal back while it is stopped, and takes it again', async () => {
      const terminal = await start();
      await terminal.until(({ text }) => text.includes('session'));
      process.kill(terminal.pid, 'SIGTSTP');
      await expect.poll(() => terminal.isStopped).toBe(true);
      const { frames } = terminal.screen;
      terminal.goOn();
      await terminal.until(({ frames: now }) => now > frames);
      terminal.press('\x03');
      expect(await terminal.ended).toBe(130);
      const [, before, after] = terminal.output.split('\x1b[?1049h');
      expect(before!.endsWith(LEAVE)).toBe(true);
      expect(after!.trimEnd().endsWith(LEAVE)).toBe(true);
    });

    it('uses no colour where none is wanted, and still shows what matched', async () => {
      const terminal = await start({ NO_COLOR: '1' });
      await terminal.until(({ text }) => text.includes('session'));
      terminal.press('beacon');
      await terminal.until(({ text }) => /\d turns? · \d/.test(text));
      terminal.press('\x03');
      await terminal.ended;
      expect(terminal.output).not.toMatch(/\x1b\[(?:\d+;)*3\d(?:;\d+)*m/);
      expect(terminal.output).toMatch(/\x1b\[1mbeacon\x1b\[22m/i);
    });

    it('is help on a dumb terminal', async () => {
      const terminal = await start({ TERM: 'dumb' });
      expect(await terminal.ended).toBe(0);
      expect(terminal.output).toContain('Usage: portolan');
      expect(terminal.output).not.toContain('\x1b');
    });

    it('is the first run where nothing was indexed', async () => {
      const nobody = newUser();
      const terminal = await start(nobody.env);
      expect(await terminal.ended).toBe(0);
      expect(terminal.output).toContain('No history of a coding agent was found');
      expect(existsSync(join(nobody.kept, 'notes.jsonl'))).toBe(false);
      nobody.remove();
    });
  },
);

it('is help without a terminal', async () => {
  const user = newUser();
  const { code, stdout } = await user.run();
  expect(code).toBe(0);
  expect(stdout).toContain('Usage: portolan');
  user.remove();
});
