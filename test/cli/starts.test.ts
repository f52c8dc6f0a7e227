import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { homeOf } from '../../src/home/paths.ts';
import { openForWriting } from '../../src/ingest/stores.ts';
import { Transcript } from '../search/history.ts';
import { newUser, type User } from '../search/program.ts';
import { stateOf } from '../support/folders.ts';

/** Loaded before the program: at its end it tells the files and the modules of Node that were loaded. */
const LISTING = `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load(url, context, next) { loaded.push(url.split('/').pop()); return next(url, context); } });
  process.on('exit', () => process.stderr.write(JSON.stringify(loaded)));
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
  const loaded = JSON.parse(stderr) as string[];
  return { found: JSON.parse(stdout).hits.length as number, loaded };
}

/** Loaded to read agents' files and to keep what was read. */
const READS = /^(?:reading|read|keeping)-.*\.mjs$|^node:(?:crypto|child_process|worker_threads)$/;

describe('a search', () => {
  it('loads a few files, and nothing that reads or writes, where nothing was written', async () => {
    const { found, loaded } = await searched('beacon');
    expect(found).toBe(1);
    expect(loaded.filter((name) => READS.test(name))).toEqual([]);
    expect(loaded.length).toBeLessThanOrEqual(15);
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
    const { found, loaded } = await searched('bollard');
    expect(found).toBe(1);
    expect(loaded.filter((name) => READS.test(name))).not.toEqual([]);
    expect((await searched('bollard')).loaded.filter((name) => READS.test(name))).toEqual([]);
  });

  it('leaves it to the one who writes, and loads nothing for it', async () => {
    session.prompt('Paint the bollard.');
    session.write(user.home);
    const stores = openForWriting(homeOf(user.env))!;
    try {
      const { found, loaded } = await searched('beacon');
      expect(found).toBe(1);
      expect(loaded.filter((name) => READS.test(name))).toEqual([]);
    } finally {
      stores.close();
    }
  });
});
