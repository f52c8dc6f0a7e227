import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { newUser, type User } from '../search/program.ts';

let user: User;
let code: string;
beforeEach(async () => {
  user = newUser();
  code = join(user.kept, 'code');
  await user.run('index');
});
afterEach(() => user.remove());

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

describe('compiled code', () => {
  it('is kept for the next start, in a folder that is its owner’s alone', async () => {
    await user.run('search', 'x');
    for (const folder of [code, join(code, manifest.version)]) expect(statSync(folder).mode & 0o777).toBe(0o700);
    const made = filesIn(code);
    expect(made.length).toBeGreaterThan(0);
    for (const { parentPath, name } of made) expect(statSync(join(parentPath, name)).mode & 0o777).toBe(0o600);
    await user.run('search', 'x');
    expect(filesIn(code)).toHaveLength(made.length);
  });

  it('is not kept where somebody else could put theirs in its place', async () => {
    rmSync(code, { recursive: true, force: true });
    chmodSync(user.kept, 0o770);
    await user.run('search', 'x');
    expect(existsSync(code)).toBe(false);
  });

  it('is not kept where nothing was indexed', async () => {
    for (const name of readdirSync(user.kept)) rmSync(join(user.kept, name), { recursive: true });
    expect((await user.run('--version')).code).toBe(0);
    expect(readdirSync(user.kept)).toEqual([]);
  });

  it('of another version goes when it was not used for a month', async () => {
    rmSync(code, { recursive: true, force: true });
    const [old, recent] = ['0.0.1', '0.0.2'].map((version) => join(code, version));
    for (const folder of [old!, recent!]) mkdirSync(folder, { recursive: true });
    const longAgo = Date.now() / 1000 - 40 * 86_400;
    utimesSync(old!, longAgo, longAgo);
    await user.run('search', 'x');
    expect(readdirSync(code).sort()).toEqual(['0.0.2', manifest.version].sort());
  });
});
