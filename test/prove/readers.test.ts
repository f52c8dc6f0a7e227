import { spawn } from 'node:child_process';
import { appendFileSync, chmodSync, cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { times } from '../support/chance.ts';
import { temporaryFolder } from '../support/folders.ts';
import { Portolan } from '../support/portolan.ts';

const SAMPLE = join(import.meta.dirname, '..', '..', 'sample');
const ASK = join(import.meta.dirname, '..', 'support', 'ask-forever.ts');

function ask(folder: string, word: string, ms: number, user?: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const as = user === undefined ? {} : { uid: user, gid: user };
    const child = spawn(process.execPath, [ASK, folder, word, String(ms)], {
      ...as,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stdout.on('data', (data: Buffer) => {
      said += data.toString();
    });
    child.stderr.on('data', (data: Buffer) => {
      said += data.toString();
    });
    child.on('error', reject);
    child.on('close', () => resolve(said.trim()));
  });
}

function prepared() {
  const home = temporaryFolder();
  cpSync(SAMPLE, home, { recursive: true });
  const transcript = join(
    home,
    '.claude',
    'projects',
    '-home-dev-projects-ledger-store',
    '957f326d-e59f-4b0e-9269-ba5a3a444e23.jsonl',
  );
  return { portolan: new Portolan({ home, platform: 'linux', variables: {}, projects: [] }), transcript };
}

describe('ten readers and one writer', () => {
  it('get along: no query fails, none waits for a lock', { timeout: 300_000 }, async () => {
    const { portolan, transcript } = prepared();
    await portolan.index();
    const ms = times(2500, 60_000);
    const readers = Array.from({ length: 10 }, () => ask(portolan.home.path, 'kestrel', ms));
    const end = performance.now() + ms;
    let written = 0;
    while (performance.now() < end) {
      appendFileSync(
        transcript,
        `${JSON.stringify({ type: 'user', uuid: `w${written}`, message: { role: 'user', content: `kestrel ${written}` } })}\n`,
      );
      await portolan.index();
      written++;
    }
    const asked = await Promise.all(readers);
    expect(
      asked.every((count) => /^\d+$/.test(count) && Number(count) > 0),
      asked.join('\n'),
    ).toBe(true);
    expect(written).toBeGreaterThan(3);
  });
});

describe.skipIf(process.getuid?.() !== 0)('another user', () => {
  it('who may read but not write finds what is there', { timeout: 60_000 }, async () => {
    const { portolan } = prepared();
    await portolan.index();
    const folder = portolan.home.path;
    chmodSync(join(folder, '..'), 0o755);
    for (const name of [
      folder,
      ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((each) => join(folder, each)),
    ])
      chmodSync(name, name.endsWith('.db') || name.endsWith('CURRENT') || name.endsWith('SEAL') ? 0o644 : 0o755);
    const NOBODY = 65_534;
    expect(await ask(folder, 'kestrel', 200, NOBODY)).toMatch(/^[1-9]\d*$/);
  });
});
