import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { homeOf } from '../../src/home/paths.ts';
import { openForWriting } from '../../src/ingest/writable-stores.ts';
import { Transcript } from '../search/history.ts';
import { newUser, type User } from '../search/program.ts';
import { stateOf } from '../support/folders.ts';

/** Loaded before the program: at its end it tells the files and the modules of Node that were loaded. */
const LISTING = `
  import { registerHooks } from 'node:module';
  const files = [];
  registerHooks({ load(url, context, next) { files.push(url.split('/').pop()); return next(url, context); } });
  process.on('exit', () => {
    const builtins = process.moduleLoadList.filter((name) => /^NativeModule (?!internal)/.test(name));
    process.stderr.write(JSON.stringify({ files, builtins: builtins.map((name) => name.split(' ')[1]) }));
  });
`;

let user: User;
let session: Transcript;
beforeEach(async () => {
  session = new Transcript('starts session');
  session.prompt('Find the beacon.');
  user = newUser([session]);
  await user.run('index');
});
afterEach(() => user.remove());

/** What a command found and loaded. */
async function searched(word: string) {
  const listing = join(user.home, 'listing.mjs');
  writeFileSync(listing, LISTING);
  const { stdout, stderr } = await user.shell(`portolan search ${word} --json`, {
    NODE_OPTIONS: `--import ${listing}`,
  });
  const { files, builtins } = JSON.parse(stderr) as Readonly<Record<'files' | 'builtins', string[]>>;
  const reading = [...files, ...builtins].filter((name) => READS.test(name));
  return { found: JSON.parse(stdout).hits.length as number, files: files.length, reading };
}

/** Loaded to read agents' files, to keep what was read, and to start something. */
const READS = /^(?:reading|read|keeping)-.*\.mjs$|^(?:crypto|child_process|worker_threads)$/;

describe('a search', () => {
  it('loads a few files, and nothing that reads or writes, where nothing was written', async () => {
    const { found, files, reading } = await searched('beacon');
    expect({ found, reading }).toEqual({ found: 1, reading: [] });
    expect(files).toBeLessThanOrEqual(8);
  });

  it('writes nothing then', async () => {
    // What SQLite shares between readers is no content.
    const content = () => stateOf(user.kept).filter((line) => !/^\S+-shm /.test(line));
    await searched('beacon');
    const before = content();
    await searched('beacon');
    expect(content()).toEqual(before);
  });

  it('reads what was written just now before it answers', async () => {
    session.prompt('Paint the bollard.');
    session.write(user.home);
    const { found, reading } = await searched('bollard');
    expect(found).toBe(1);
    expect(reading).toContainEqual(expect.stringMatching(/^keeping-/));
    expect(await searched('bollard')).toMatchObject({ found: 1, reading: [] });
  });

  it('leaves it to the one who writes, and loads nothing for it', async () => {
    session.prompt('Paint the bollard.');
    session.write(user.home);
    const stores = openForWriting(homeOf(user.env))!;
    try {
      expect(await searched('beacon')).toMatchObject({ found: 1, reading: [] });
    } finally {
      stores.close();
    }
  });
});
