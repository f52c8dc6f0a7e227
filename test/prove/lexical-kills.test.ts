import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FIELDS } from '../../src/lexical/fields.ts';
import { SegmentState } from '../../src/lexical/schema.ts';
import { Database } from '../../src/store/database.ts';
import { Chance, times } from '../support/chance.ts';
import { temporaryFolder } from '../support/folders.ts';
import { passagesAfter, type Words } from '../support/lexical-batches.ts';
import { eachPosting } from '../support/segments.ts';

const WRITER = join(import.meta.dirname, '..', 'support', 'lexical-writer.ts');
/** More than a hundred writers come to. */
const BATCHES = 1_000_000;

/** Runs the writer and kills it after a while; gives the last batch that it said was kept. */
function writeUntilKilled(path: string, ms: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [WRITER, path, String(BATCHES)], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    // From its first word on, so that the time is spent on writing.
    child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), ms));
    child.stdout.on('data', (data: Buffer) => {
      said += data.toString();
    });
    child.on('error', reject);
    child.on('close', () => resolve(Number(said.trim().split('\n').at(-1) ?? 0)));
  });
}

/** The words of all passages, put together again from the postings. */
function passagesIn(db: Database): Map<number, Words> {
  const passages = new Map<number, Partial<Record<string, string[]>>>();
  eachPosting(db, (term, postings, i) => {
    const doc = postings.docs[i]!;
    const words = passages.get(doc) ?? {};
    passages.set(doc, words);
    let position = postings.positionStarts[i]!;
    let tf = postings.tfStarts[i]!;
    for (const [bit, field] of FIELDS.entries()) {
      if ((postings.masks[i]! & (1 << bit)) === 0) continue;
      words[field] ??= [];
      for (let count = postings.tfs[tf++]!; count > 0; count--) words[field][postings.positions[position++]!] = term;
    }
  });
  return passages;
}

const sorted = (passages: ReadonlyMap<number, Words>) =>
  [...passages]
    .map(
      ([id, words]) => [id, Object.fromEntries(Object.entries(words).filter(([, list]) => list.length > 0))] as const,
    )
    .filter(([, words]) => Object.keys(words).length > 0)
    .sort((a, b) => a[0] - b[0]);

describe('an index whose writer is killed', () => {
  it('holds what was kept last, whole, or what was about to be kept', { timeout: 3_600_000 }, async () => {
    const chance = new Chance(5);
    const path = join(temporaryFolder(), 'index.db');
    let midst = 0;
    for (let kill = times(6, 100); kill > 0; kill--) {
      const said = await writeUntilKilled(path, chance.below(400));
      const db = Database.forWriting(path, '', 1);
      const kept = db.row<{ n: number }>("SELECT value AS n FROM state WHERE name = 'batch'")?.n ?? 0;
      expect([said, said + 1]).toContain(kept);
      expect(sorted(passagesIn(db))).toEqual(sorted(passagesAfter(kept)));
      midst += db.row('SELECT 1 FROM lexical_segments WHERE state = ?', SegmentState.making) === undefined ? 0 : 1;
      db.close();
    }
    // Some must have been killed with a merge half done, or nothing was proved of merges.
    expect(midst).toBeGreaterThan(0);
  });
});
