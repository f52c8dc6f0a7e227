import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { displayWidth } from '../../src/render/width.ts';
import type { User } from '../search/program.ts';
import { Driven, sampleUser } from './driven.ts';

const SIZES = {
  '80x24': { columns: 80, rows: 24 },
  '200x50': { columns: 200, rows: 50 },
} as const;
const DOWN = '\x1b[B';
const FACETS = '\x06';

/** What is typed, and the screen's name. */
const SCREENS = {
  open: '',
  letter: 't',
  found: 'bucket',
  chosen: `bucket${DOWN}${DOWN}`,
  nothing: 'xyzzyplugh',
  corrected: 'migrtion ',
  completed: 'buck\t',
  facets: `bucket${FACETS}l`,
  narrowed: `bucket${FACETS}l\r`,
  help: '?',
  reader: 'bucket\r',
  'reader-brief': 'bucket\rzz',
  'reader-find': 'bucket\r/sweep\r',
  'reader-help': 'bucket\r?',
} as const;

let user: User;
beforeAll(async () => {
  process.env.TZ = 'UTC';
  user = await sampleUser();
});
afterAll(() => user.remove());

describe.each(Object.entries(SIZES))('at %s', (name, size) => {
  it.each(Object.entries(SCREENS))('the screen “%s”', async (screen, typed) => {
    const driven = new Driven(user, size);
    driven.type(typed);
    const shown = driven.screen;
    driven.close();
    for (const row of shown.split('\n')) expect(displayWidth(row)).toBeLessThanOrEqual(size.columns);
    await expect(`${shown}\n`).toMatchFileSnapshot(`screens/${screen}-${name}.txt`);
  });
});

describe('any size', () => {
  it.each([
    [1, 1],
    [10, 3],
    [24, 8],
    [40, 12],
    [79, 15],
    [119, 30],
    [300, 100],
  ])('of %i by %i is filled and not left', (columns, rows) => {
    for (const typed of Object.values(SCREENS)) {
      const driven = new Driven(user, { columns, rows });
      driven.type(typed);
      const lines = driven.screen.split('\n');
      driven.close();
      expect(lines).toHaveLength(rows);
      if (columns >= 40) for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
    }
  });

  it('changes while it is open, the chosen item and what is read with it', () => {
    const driven = new Driven(user, SIZES['80x24']);
    driven.type(`bucket${DOWN}${DOWN}`);
    const chosen = driven.picker.selected;
    driven.happened({ type: 'resized', size: SIZES['200x50'] });
    expect(driven.picker.selected).toBe(chosen);
    expect(driven.picker.preview).toBeDefined();
    driven.type('\r');
    driven.happened({ type: 'resized', size: SIZES['80x24'] });
    expect(driven.screen).toMatch(/turn \d+ of \d+/);
    driven.close();
  });
});
