import { spawn } from 'node:child_process';
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SHARED, shared } from '../oracle/product.ts';
import { Chance, times } from '../support/chance.ts';
import { temporaryFolder } from '../support/folders.ts';
import { Portolan } from '../support/portolan.ts';

const CLI = join(import.meta.dirname, '..', '..', 'dist', 'cli.mjs');

/** Runs `portolan index`, and kills it after a while where it is told to; gives whether it ended by itself. */
function index(home: string, folder: string, ms?: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, HOME: home, PORTOLAN_HOME: folder };
    const child = spawn(process.execPath, [CLI, 'index', '--json'], { env, stdio: 'ignore' });
    const timer = ms === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), ms);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
  });
}

/** A home whose history was indexed, and then deleted by its agent. */
async function keptAlone(): Promise<{ readonly home: string; readonly portolan: Portolan }> {
  const home = temporaryFolder();
  cpSync(shared('corpus', 'natural', 'cli', '.claude'), join(home, '.claude'), { recursive: true });
  const portolan = new Portolan({ home, platform: 'linux', variables: {}, projects: [] });
  await index(home, portolan.home.path);
  rmSync(join(home, '.claude'), { recursive: true });
  // A pattern that stands in most of what is kept.
  writeFileSync(portolan.home.config, JSON.stringify({ redaction: { patterns: ['[a-z]+tion'] } }));
  return { home, portolan };
}

describe.skipIf(SHARED === undefined || !existsSync(CLI))('a cleaning of the archive that is killed', () => {
  it('is gone on with by the next one, to what an undisturbed one gives', { timeout: 3_600_000 }, async () => {
    const chance = new Chance(23);
    const undisturbed = await keptAlone();
    expect(await index(undisturbed.home, undisturbed.portolan.home.path)).toBe(true);
    const expected = undisturbed.portolan.content();
    expect(JSON.stringify(expected.sessions.map((session) => session.turns))).toContain('[SECRET]');
    for (let round = times(1, 6); round > 0; round--) {
      const { home, portolan } = await keptAlone();
      for (let kill = times(2, 10); kill > 0; kill--) await index(home, portolan.home.path, 150 + chance.below(1500));
      expect(await index(home, portolan.home.path)).toBe(true);
      const found = portolan.content();
      // Paths differ by the home that they lie in.
      const comparable = (text: string, folder: string) => text.replaceAll(folder, '');
      expect(comparable(JSON.stringify(found), home)).toBe(comparable(JSON.stringify(expected), undisturbed.home));
    }
  });
});
