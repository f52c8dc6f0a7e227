import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openForReading } from '../../src/holdings/opening.ts';
import type { Stores } from '../../src/holdings/stores.ts';
import { type Watching, watchHistories } from '../../src/ingest/watch.ts';
import { openForWriting } from '../../src/ingest/writable-stores.ts';
import { search } from '../../src/search/answers/search.ts';
import { parseQuery } from '../../src/search/query/parse.ts';
import { Chance, times } from '../support/chance.ts';
import { temporaryFolder } from '../support/folders.ts';
import { Portolan, sessionsOf } from '../support/portolan.ts';
import { ticksOf } from '../support/ticks.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const idOf = (n: number) => `0aaaaaaa-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** A line of a transcript: a prompt of these words. */
function line(words: string, n: number): string {
  const record = {
    type: 'user',
    uuid: `11111111-0000-4000-8000-${String(n).padStart(12, '0')}`,
    parentUuid: null,
    timestamp: new Date(NOW + n).toISOString(),
    cwd: '/home/dev/pier',
    message: { role: 'user', content: words },
  };
  return `${JSON.stringify(record)}\n`;
}

class Watched {
  readonly home = temporaryFolder();
  readonly portolan = new Portolan({ home: this.home, platform: 'linux', variables: {}, projects: [] });
  readonly failures: string[] = [];
  bytesRead = 0;
  private reader: Stores | undefined;

  async start(): Promise<Watching> {
    const stores = openForWriting(this.portolan.home);
    if (!stores) throw new Error('another one has the lease');
    const watching = await watchHistories(stores, this.portolan.env, {
      followed: (_, { bytesRead }) => {
        this.bytesRead += bytesRead;
      },
      failed: (path, reason) => this.failures.push(`${path}: ${reason}`),
    });
    onTestFinished(async () => {
      this.reader?.close();
      await watching.close();
      stores.close();
    });
    this.reader = openForReading(this.portolan.home)!;
    return watching;
  }

  get stores(): Stores {
    return this.reader!;
  }

  path(n: number): string {
    return join(this.home, '.claude', 'projects', '-home-dev-pier', `${idOf(n)}.jsonl`);
  }

  finds(word: string): boolean {
    return search(this.stores, parseQuery(word, NOW), { limit: 1, now: NOW }).hits.length > 0;
  }

  /** Milliseconds until a word is found. */
  async untilFound(word: string): Promise<number> {
    const begin = performance.now();
    while (!this.finds(word)) {
      if (performance.now() - begin > 30_000) throw new Error(`“${word}” was not found in thirty seconds`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return performance.now() - begin;
  }
}

describe('watching', () => {
  it('makes each appended line searchable, and reads no byte twice', { timeout: 1_200_000 }, async () => {
    const watched = new Watched();
    mkdirSync(join(watched.home, '.claude', 'projects', '-home-dev-pier'), { recursive: true });
    for (let n = 0; n < 20; n++) writeFileSync(watched.path(n), line('begin', n));
    const watching = await watched.start();
    const chance = new Chance(1);
    const latencies: number[] = [];
    let written = 0;
    for (let n = 0; n < times(150, 10_000); n++) {
      const text = line(`word${n}of${chance.below(1e6)} ${'ballast '.repeat(chance.below(60))}`, 100 + n);
      appendFileSync(watched.path(chance.below(20)), text);
      written += Buffer.byteLength(text);
      latencies.push(await watched.untilFound(/word\d+of\d+/.exec(text)![0]));
    }
    await watching.settled();
    expect(watched.bytesRead).toBe(written);
    expect(watched.failures).toEqual([]);
    latencies.sort((a, b) => a - b);
    const at = (share: number) => latencies[Math.floor(latencies.length * share)]!.toFixed(1);
    console.log(`${latencies.length} appends: searchable in ${at(0.5)} ms (median), ${at(0.95)} ms (95th percentile)`);
  });

  it('waits for the second half of a line', async () => {
    const watched = new Watched();
    mkdirSync(join(watched.home, '.claude', 'projects', '-home-dev-pier'), { recursive: true });
    writeFileSync(watched.path(1), line('begin', 1));
    await watched.start();
    const whole = line('a gannet in two halves', 2);
    appendFileSync(watched.path(1), whole.slice(0, 150));
    appendFileSync(watched.path(1), line('cormorant', 3).slice(0, 0));
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(watched.finds('gannet')).toBe(false);
    appendFileSync(watched.path(1), whole.slice(150));
    await watched.untilFound('gannet');
  });

  it('follows folders, files and whole homes that appear later', async () => {
    const watched = new Watched();
    await watched.start();
    mkdirSync(join(watched.home, '.claude', 'projects', '-home-dev-pier'), { recursive: true });
    writeFileSync(watched.path(1), line('plover', 1));
    await watched.untilFound('plover');
    const below = join(watched.home, '.claude', 'projects', '-home-dev-pier', idOf(1), 'subagents');
    mkdirSync(below, { recursive: true });
    writeFileSync(join(below, 'agent-a0123456789abcdef.jsonl'), line('dunlin', 2));
    await watched.untilFound('dunlin');
    writeFileSync(
      join(watched.home, '.claude', 'history.jsonl'),
      `${JSON.stringify({ display: 'whimbrel', timestamp: NOW, project: '/home/dev/pier', sessionId: idOf(9) })}\n`,
    );
    await watched.untilFound('whimbrel');
  });

  it('follows renames and deletions, and keeps what was read', async () => {
    const watched = new Watched();
    mkdirSync(join(watched.home, '.claude', 'projects', '-home-dev-quay'), { recursive: true });
    mkdirSync(join(watched.home, '.claude', 'projects', '-home-dev-pier'), { recursive: true });
    writeFileSync(watched.path(1), line('begin', 1));
    const watching = await watched.start();
    const moved = watched.path(1).replace('-pier', '-quay');
    renameSync(watched.path(1), moved);
    appendFileSync(moved, line('sanderling', 2));
    await watched.untilFound('sanderling');
    expect(sessionsOf(watched.stores).map((session) => session.path)).toEqual([moved]);
    rmSync(moved);
    await expect.poll(() => sessionsOf(watched.stores).map((session) => session.gone)).toEqual([true]);
    await watching.settled();
    expect(watched.finds('sanderling')).toBe(true);
  });

  it.skipIf(process.platform !== 'linux')(
    'takes no processor time while nothing happens',
    { timeout: 60_000 },
    async () => {
      const watched = new Watched();
      mkdirSync(join(watched.home, '.claude', 'projects', '-home-dev-pier'), { recursive: true });
      for (let n = 0; n < 200; n++) writeFileSync(watched.path(n), line(`begin ${n}`, n));
      const cli = join(import.meta.dirname, '..', '..', 'dist', 'cli.mjs');
      const env = { ...process.env, HOME: watched.home, PORTOLAN_HOME: watched.portolan.home.path };
      const child = spawn(process.execPath, [cli, 'watch'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
      try {
        await new Promise<void>((resolve) =>
          child.stdout.on('data', (said: Buffer) => said.includes('Watching') && resolve()),
        );
        // A tick is a hundredth of a second: two seconds of looking around would be many, each time. On a busy machine
        // the first seconds may still be spent on what was begun before.
        const inTwoSeconds = async () => {
          const before = ticksOf(child.pid!);
          await new Promise((resolve) => setTimeout(resolve, 2000));
          return ticksOf(child.pid!) - before;
        };
        await expect.poll(inTwoSeconds).toBeLessThanOrEqual(1);
      } finally {
        child.kill('SIGINT');
        await new Promise((resolve) => child.on('close', resolve));
      }
    },
  );
});
