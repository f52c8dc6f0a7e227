import { createHash } from 'node:crypto';
import { closeSync, cpSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isIndexChanged } from '../../src/holdings/opening.ts';
import { currentGeneration } from '../../src/store/generations.ts';
import { Chance, times } from '../support/chance.ts';
import { temporaryFolder } from '../support/folders.ts';
import { Portolan } from '../support/portolan.ts';

const SAMPLE = join(import.meta.dirname, '..', '..', 'sample');
const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** Overwrites some bytes somewhere in a file. */
function damage(path: string, chance: Chance): void {
  const file = openSync(path, 'r+');
  const length = 1 + chance.below(200);
  const bytes = Buffer.from(Array.from({ length }, () => chance.below(256)));
  writeSync(file, bytes, 0, length, chance.below(statSync(path).size));
  closeSync(file);
}

describe('a damaged index', () => {
  it('is noticed and made anew; the archive is not touched', { timeout: 600_000 }, async () => {
    const chance = new Chance(3);
    const home = temporaryFolder();
    cpSync(SAMPLE, home, { recursive: true });
    const portolan = new Portolan({ home, platform: 'linux', variables: {}, projects: [] });
    await portolan.index();
    const expected = portolan.content();
    const archive = hashOf(portolan.home.archive);
    for (let round = 1; round <= times(5, 50); round++) {
      damage(currentGeneration(portolan.home.index)!, chance);
      expect(isIndexChanged(portolan.home), `round ${round}`).toBe(true);
      await portolan.write(() => undefined);
      expect(isIndexChanged(portolan.home), `round ${round}`).toBe(false);
      expect(portolan.content(), `round ${round}`).toEqual(expected);
      expect(hashOf(portolan.home.archive), `round ${round}`).toBe(archive);
    }
  });
});
