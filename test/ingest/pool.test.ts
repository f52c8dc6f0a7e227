import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Task } from '../../src/ingest/reading/deltas.ts';
import { readAll } from '../../src/ingest/reading/pool.ts';
import { jsonl, Script } from '../support/claude-records.ts';
import { temporaryFolder, writeAt } from '../support/folders.ts';
import { unitAt } from '../support/reading.ts';

function task(id: number, folder: string, content: string): Task {
  const path = writeAt(join(folder, `${id}.jsonl`), content);
  return { id, unit: unitAt(path), tails: [] };
}

describe('a worker that dies', () => {
  it('names what it read, and the others are read by another one', async () => {
    const folder = temporaryFolder();
    const small = jsonl([new Script().user('Paint the pier.')]);
    // Small as a text, many objects when it is parsed.
    const large = `{"type":"user","sessionId":"s","message":{"content":[${'{},'.repeat(400_000)}{}]}}\n`;
    const tasks = [0, 1, 2, 3, 4].map((id) => task(id, folder, id === 2 ? large : small));
    const done: number[] = [];
    const died: [number, string][] = [];
    const handlers = {
      delta: ({ id }: Task) => void done.push(id),
      failed: ({ id }: Task) => void done.push(-id),
      died: ({ id }: Task, reason: string) => void died.push([id, reason]),
    };
    await readAll(tasks, handlers, 1, 20);
    expect(done).toEqual([0, 1, 3, 4]);
    expect(died).toEqual([[2, expect.stringMatching(/died: .*memory/)]]);
  });
});
