import { spawn } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SHARED, shared } from '../oracle/product.ts';
import { Chance, times } from '../support/chance.ts';
import { temporaryFolder } from '../support/folders.ts';
import { Portolan } from '../support/portolan.ts';

const CLI = join(import.meta.dirname, '..', '..', 'dist', 'cli.mjs');
const NATURAL = ['corpus', 'natural', 'cli', '.claude'] as const;
const envOf = (home: string) => ({ home, platform: 'linux', variables: {}, projects: [] }) as const;

/** Runs `portolan index` and kills it after a while, if it has not ended by then. */
function indexUntilKilled(home: string, folder: string, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, HOME: home, PORTOLAN_HOME: folder };
    const child = spawn(process.execPath, [CLI, 'index', '--json'], { env, stdio: 'ignore' });
    const timer = setTimeout(() => child.kill('SIGKILL'), ms);
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

describe.skipIf(SHARED === undefined)('an indexing that is killed', () => {
  it('is gone on with by the next one, to what an undisturbed one gives', { timeout: 3_600_000 }, async () => {
    const chance = new Chance(7);
    const home = temporaryFolder();
    cpSync(shared(...NATURAL), join(home, '.claude'), { recursive: true });
    const undisturbed = new Portolan(envOf(home));
    await undisturbed.index();
    const expected = undisturbed.content();
    for (let round = times(1, 8); round > 0; round--) {
      const killed = new Portolan(envOf(home));
      for (let kill = times(3, 7); kill > 0; kill--)
        await indexUntilKilled(home, killed.home.path, 60 + chance.below(700));
      await killed.index();
      expect(killed.content()).toEqual(expected);
    }
  });

  it('while files grow is gone on with too, and an index made anew is the same', { timeout: 3_600_000 }, async () => {
    const chance = new Chance(11);
    const home = temporaryFolder();
    const killed = new Portolan(envOf(home));
    const files = readdirSync(shared(...NATURAL), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => ({
        to: join(home, '.claude', name),
        content: readFileSync(join(shared(...NATURAL), name)),
        written: 0,
      }));
    for (const { to } of files) mkdirSync(dirname(to), { recursive: true });
    for (let kill = times(4, 44); kill > 0; kill--) {
      for (const file of files) {
        // A file grows by some bytes, not by whole lines.
        const more = kill === 1 ? file.content.length : chance.below(Math.ceil(file.content.length / 6));
        const end = Math.min(file.content.length, file.written + more);
        appendFileSync(file.to, file.content.subarray(file.written, end));
        file.written = end;
      }
      await indexUntilKilled(home, killed.home.path, 60 + chance.below(400));
    }
    await killed.index();
    const undisturbed = new Portolan(envOf(home));
    await undisturbed.index();
    expect(killed.content()).toEqual(undisturbed.content());
    rmSync(killed.home.index, { recursive: true });
    await killed.write(() => undefined);
    expect(killed.content()).toEqual(undisturbed.content());
  });
});
