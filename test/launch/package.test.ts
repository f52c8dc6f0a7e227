import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  freshEnvironment,
  installedCopy,
  machineNode,
  nodePackage,
  nodeVersion,
  readJson,
  run,
  succeed,
  temporaryFolder,
  version,
} from './support.ts';

const OLDEST_FIT = '24.22.3';
const MINUTES = 60_000;

let tarball: string;
let files: string[];

beforeAll(async () => {
  const copy = installedCopy();
  const to = temporaryFolder();
  const env = freshEnvironment(temporaryFolder());
  const packed = JSON.parse(
    await succeed(['npm', 'pack', '--silent', '--json', '--pack-destination', to], { cwd: copy, env }),
  );
  const [{ filename, files: entries }] = Array.isArray(packed) ? packed : Object.values(packed);
  tarball = join(to, filename);
  files = entries.map((entry: { path: string }) => entry.path);
}, 2 * MINUTES);

/** `npx <tarball> <args>` in an empty folder, by a user with this home. */
function npx(home: string, nodeFolder: string[], ...args: string[]) {
  const env = freshEnvironment(home, ...nodeFolder);
  return run(['npx', '--yes', `file:${tarball}`, ...args], { cwd: temporaryFolder(), env });
}

describe('the packed tarball', () => {
  test('holds the program and nothing else', () => {
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'bin/portolan.mjs', 'dist/cli.mjs', 'dist/worker.mjs']),
    );
    expect(files.filter((file) => !/^(bin\/|dist\/|LICENSE$|README\.md$|package\.json$)/.test(file))).toEqual([]);
  });

  test('depends on no other package', async () => {
    const folder = temporaryFolder();
    await succeed(['tar', '-xzf', tarball, '-C', folder], {});
    const manifest = readJson(join(folder, 'package', 'package.json'));
    for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies'])
      expect(manifest[kind] ?? {}).toEqual({});
  });

  test('runs through npx on Node 24', { timeout: 5 * MINUTES }, async () => {
    const node24 = temporaryFolder();
    const env = freshEnvironment(temporaryFolder());
    await succeed(['npm', 'install', '--no-save', '--prefix', node24, `${nodePackage}@${OLDEST_FIT}`], { env });
    const bin = join(node24, 'node_modules', nodePackage, 'bin');
    expect(await succeed([join(bin, 'node'), '--version'], {})).toContain(OLDEST_FIT);
    const { code, stdout, stderr } = await npx(temporaryFolder(), [bin], '--version');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(version);
  });

  const onOldNode = test.skipIf(!machineNode.isOld);
  const why = machineNode.isOld ? '' : ` (skipped: the machine's Node is ${machineNode.version})`;
  onOldNode(
    `runs through npx on Node ${machineNode.version} once its offer is accepted${why}`,
    { timeout: 5 * MINUTES },
    async () => {
      const home = temporaryFolder();
      const refused = await npx(home, [], '--version');
      expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--yes') });
      expect(readdirSync(home)).toEqual([]);

      const accepted = await npx(home, [], '--yes', '--version');
      expect(accepted).toMatchObject({ code: 0, stdout: expect.stringContaining(version) });
      expect(accepted.stderr).toContain(`Fetching Node ${nodeVersion}`);

      const again = await npx(home, [], '--yes', '--version');
      expect(again).toMatchObject({
        code: 0,
        stdout: accepted.stdout,
        stderr: expect.not.stringContaining('Fetching'),
      });
    },
  );
});
