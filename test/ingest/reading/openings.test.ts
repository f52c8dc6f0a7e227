import { describe, expect, it } from 'vitest';
import { previewOf } from '../../../src/ingest/reading/limits.ts';
import { realWords } from '../../../src/ingest/reading/openings.ts';

describe('the first real words of a prompt', () => {
  it.each([
    ['Paint the pier.', 'Paint the pier.'],
    ['  \n Paint the pier.', 'Paint the pier.'],
    ['[Image #1] Which colour is this?', 'Which colour is this?'],
    ['[Pasted text #1 +400 lines][Pasted text #2]\nWhat is wrong here?', 'What is wrong here?'],
    ['Implement the following plan:\n\n# Fix: the lamp goes out\n\n## Problem', 'Fix: the lamp goes out\n\n## Problem'],
    [
      '\n## User Input\n\n```text\nThe tide table shows Monday twice.\n```\n',
      'The tide table shows Monday twice.\n```\n',
    ],
    [
      '## User Input\n\n```text\n\n```\n\nYou **MUST** consider the user input before proceeding (if not empty).\n\n## Goal\n\nFind gaps.',
      'Goal\n\nFind gaps.',
    ],
    ['**Paint** the pier.', 'Paint** the pier.'],
    ['```ts\nconst pier = 1;\n```\nWhy?', 'const pier = 1;\n```\nWhy?'],
  ])('of %j are %j', (prompt, words) => {
    expect(realWords(prompt)).toBe(words);
  });

  it.each([
    '[Image #1]',
    '# ',
    '#hashtag first',
    '[x] is done',
    'Please implement the following plan:\n\n# Fix',
    '** no emphasis',
  ])('of %j are all of them', (prompt) => {
    expect(realWords(prompt)).toBe(prompt);
  });

  it('are what a session without a name is called by', () => {
    expect(previewOf(`[Image #1] ${'paint '.repeat(100)}`)).toBe('paint '.repeat(100).slice(0, 160));
  });
});

it('the beginning of a prompt never ends inside a character', () => {
  for (const before of [159, 160, 1999]) {
    const preview = previewOf(`${'x'.repeat(before)}${'🚢'.repeat(80)}`);
    expect(preview.isWellFormed()).toBe(true);
    expect(preview.length).toBeGreaterThanOrEqual(159);
  }
});
