import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SHARED, shared } from '../oracle/product.ts';
import { Chance, times } from '../support/chance.ts';
import { temporaryFolder } from '../support/folders.ts';
import { Portolan } from '../support/portolan.ts';

const CLI = join(import.meta.dirname, '..', '..', 'dist', 'cli.mjs');

/** Runs `portolan index` and kills it after a while; gives whether it came to its end before. */
function indexUntilKilled(home: string, folder: string, ms: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, HOME: home, PORTOLAN_HOME: folder };
    const child = spawn(process.execPath, [CLI, 'index', '--json'], { env, stdio: 'ignore' });
    const timer = setTimeout(() => child.kill('SIGKILL'), ms);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
  });
}

describe.skipIf(SHARED === undefined)('an indexing that is killed', () => {
  it('is gone on with by the next one, to what an undisturbed one gives', { timeout: 3_600_000 }, async () => {
    const chance = new Chance(7);
    const home = temporaryFolder();
    cpSync(shared('corpus', 'natural', 'cli', '.claude'), join(home, '.claude'), { recursive: true });
    const env = { home, platform: 'linux', variables: {}, projects: [] } as const;
    const undisturbed = new Portolan(env);
    await undisturbed.index();
    const expected = undisturbed.content();
    for (let round = times(1, 12); round > 0; round--) {
      const killed = new Portolan(env);
      for (let kill = times(4, 9); kill > 0; kill--)
        await indexUntilKilled(home, killed.home.path, 60 + chance.below(700));
      await killed.index();
      expect(killed.content()).toEqual(expected);
    }
  });
});
