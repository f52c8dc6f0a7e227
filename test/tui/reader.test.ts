import { describe, expect, it } from 'vitest';
import { Matcher } from '../../src/search/matching/matcher.ts';
import { parseQuery } from '../../src/search/query/parse.ts';
import type { Page, Pages } from '../../src/search/transcripts/pages.ts';
import type { Part } from '../../src/transcript/index.ts';
import { textOf } from '../../src/tui/highlight.ts';
import { KeyReader } from '../../src/tui/keys.ts';
import { Document } from '../../src/tui/reader/document.ts';
import type { Target } from '../../src/tui/reader/find.ts';
import { grown, isLooking, openReader, type Reader, readKey, scanned } from '../../src/tui/reader/reader.ts';

const HEIGHT = 10;
const where = (line: number) => ({ offset: 0, line });
const prompt = (text: string, line = 1): Part => ({ type: 'text', role: 'user', text, where: where(line) });
const answer = (text: string, line = 2): Part => ({ type: 'text', role: 'assistant', text, where: where(line) });
const call = (output: string, more: { line?: number; isError?: boolean } = {}): Part => ({
  type: 'tool_call',
  name: 'Bash',
  kind: 'shell',
  input: { command: 'make' },
  command: 'make',
  paths: [],
  output,
  isError: more.isError ?? false,
  where: where(more.line ?? 3),
});
const lines = (n: number, word = 'line') => Array.from({ length: n }, (_, i) => `${word} ${i + 1}`).join('\n');

/** Pages of turns that are made when they are read, and which of them were. */
class Turns implements Pages {
  readonly list: readonly Page[];
  readonly read_: number[] = [];
  private readonly partsOf: (turn: number) => readonly Part[];

  constructor(count: number, partsOf: (turn: number) => readonly Part[], errors: readonly number[] = []) {
    this.partsOf = partsOf;
    this.list = Array.from({ length: count }, (_, i) => ({
      turn: i + 1,
      chunk: 0,
      isFirst: true,
      errors: errors.includes(i + 1) ? 1 : 0,
    }));
  }

  read({ turn }: Page) {
    this.read_.push(turn);
    const facts = { id: `s:1#${turn}`, session: 's:1', index: turn, anchor: `a${turn}`, rewound: false };
    return { turn: facts, parts: this.partsOf(turn) };
  }
}

const style = { color: false, width: 79, unicode: true };
const item = { id: 's:1#1', session: 's:1', turn: 1, label: 'S', isStarred: false };

class Reading {
  reader: Reader;
  constructor(pages: Pages, options: { target?: Target; words?: string; height?: number } = {}) {
    const { target, words, height = HEIGHT } = options;
    this.reader = openReader({
      item,
      scope: 'session',
      document: new Document(pages, { style, now: 0 }),
      height,
      ...(target && { target }),
      ...(words !== undefined && { matcher: new Matcher(parseQuery(words, 0)) }),
    });
  }

  type(sent: string): this {
    const keys = new KeyReader();
    for (const key of [...keys.read(sent), ...keys.settle()]) this.reader = readKey(this.reader, key) ?? this.reader;
    while (isLooking(this.reader)) this.reader = scanned(this.reader);
    return this;
  }

  get rows(): string[] {
    const { document, top, height, folds } = this.reader;
    return document.window(top, height, folds).map(({ line }) => textOf(line).trimEnd());
  }

  get here(): string {
    const { document, cursor, folds } = this.reader;
    return textOf(document.window(cursor, 1, folds)[0]!.line).trim();
  }
}

const conversation = (count: number) => new Turns(count, (turn) => [prompt(`Ask ${turn}`), answer(`Say ${turn}`)]);

describe('a session that grows while it is read', () => {
  const grow = (reading: Reading, count: number) => {
    const { document } = reading.reader;
    reading.reader = grown(reading.reader, new Document(conversation(count), document.options));
  };

  it('stays where it is, and tells how many turns came, until the last is on the screen', () => {
    const reading = new Reading(conversation(20), { target: { turn: 7, line: 2 } });
    const before = [reading.here, reading.rows];
    grow(reading, 21);
    grow(reading, 23);
    expect([reading.here, reading.rows]).toEqual(before);
    expect(reading.reader.fresh).toBe(3);
    reading.type('j');
    expect(reading.reader.fresh).toBe(3);
    reading.type('G');
    expect(reading.rows.at(-1)).toContain('Say 23');
    expect(reading.reader.fresh).toBeUndefined();
  });

  it('shows at once what there is room for', () => {
    const reading = new Reading(conversation(1), { height: 20 });
    grow(reading, 2);
    expect(reading.rows).toContain('  Say 2');
    expect(reading.reader.fresh).toBeUndefined();
  });
});

describe('opening', () => {
  it('reads only the pages that are on the screen, however long the session is', () => {
    const pages = conversation(10_000);
    const reading = new Reading(pages, { target: { turn: 7000, line: 2 } });
    expect(reading.here).toBe('Say 7000');
    expect(new Set(pages.read_).size).toBeLessThan(10);
    reading.type('G');
    expect(reading.rows.at(-1)).toContain('Say 10000');
    reading.type('g');
    expect(reading.rows[0]).toMatch(/^#1 /);
    expect(new Set(pages.read_).size).toBeLessThan(20);
  });

  it('goes to the part that was found, and unfolds it where the word is folded away', () => {
    const pages = new Turns(3, () => [prompt('Make'), call(lines(60, 'step'), { line: 9 })]);
    const reading = new Reading(pages, { target: { turn: 2, line: 9 }, words: '"step 40"' });
    expect(reading.here).toBe('│ step 40');
    const deep = new Turns(3, () => [prompt('Make'), call(`${lines(40)}\nthe dunlin\n${lines(40)}`, { line: 9 })]);
    expect(new Reading(deep, { target: { turn: 2, line: 9 }, words: 'dunlin' }).here).toBe('│ the dunlin');
  });

  it('shows the beginning of a turn that has no such part', () => {
    const reading = new Reading(conversation(5), { target: { turn: 4, line: 77 } });
    expect(reading.here).toMatch(/^#4 /);
  });

  it('shows nothing of a session without turns', () => {
    const reading = new Reading(new Turns(0, () => []));
    expect(reading.type(' G[]eEznjk').rows).toEqual([]);
  });

  it('says so where a page cannot be read', () => {
    const pages = conversation(3);
    pages.read = () => {
      throw new Error('it is gone');
    };
    expect(new Reading(pages).rows.join('\n')).toContain('This page cannot be read: it is gone');
  });
});

describe('moving', () => {
  it('takes the screen along, and ends at both ends', () => {
    const reading = new Reading(conversation(20));
    reading.type('k');
    expect(reading.here).toMatch(/^#1 /);
    reading.type('jjjjjjjjjjjj');
    expect(reading.rows).toHaveLength(HEIGHT);
    const before = reading.rows;
    reading.type('GGj');
    expect(reading.here).toBe('Say 20');
    expect(reading.rows).not.toEqual(before);
    reading.type('g').type('    ').type('bbbbbb');
    expect(reading.here).toMatch(/^#1 /);
  });

  it('goes from prompt to prompt', () => {
    const reading = new Reading(conversation(5));
    expect(reading.type(']').here).toMatch(/^#2 /);
    expect(reading.type(']]]').here).toMatch(/^#5 /);
    expect(reading.type(']').reader.message).toBe('This is the last prompt.');
    expect(reading.type('jjj[').here).toMatch(/^#5 /);
    expect(reading.type('[[').here).toMatch(/^#3 /);
  });

  it('goes from failed call to failed call, reading only pages that hold one', () => {
    const failing = [40, 900];
    const pages = new Turns(
      1000,
      (turn) => [
        prompt('Make'),
        call('ok'),
        ...(failing.includes(turn) ? [call(`broken ${turn}`, { isError: true })] : []),
      ],
      failing,
    );
    const reading = new Reading(pages);
    expect(reading.type('e').rows.join('\n')).toContain('broken 40');
    expect(reading.type('e').rows.join('\n')).toContain('broken 900');
    expect(reading.type('e').reader.message).toBe('No call failed below.');
    expect(reading.type('E').rows.join('\n')).toContain('broken 40');
    expect(new Set(pages.read_).size).toBeLessThan(20);
  });

  it('goes back to what it was opened for', () => {
    const reading = new Reading(conversation(50), { target: { turn: 25, line: 2 } });
    expect(reading.type('g').here).toMatch(/^#1 /);
    expect(reading.type('m').here).toBe('Say 25');
  });
});

describe('folding', () => {
  const pages = () => new Turns(2, () => [prompt('Make'), call(lines(30)), answer('Done')]);

  it('unfolds the call under the cursor, and folds it to a line', () => {
    const reading = new Reading(pages(), { height: 60 });
    reading.type('jjjj');
    expect(reading.here).toBe('● Bash  make');
    expect(reading.type('o').rows.filter((row) => /line \d+$/.test(row))).toHaveLength(30 + 8);
    expect(reading.here).toBe('● Bash  make');
    expect(reading.type('o').rows.filter((row) => /line \d+$/.test(row))).toHaveLength(8);
    expect(reading.here).toBe('● Bash  make … 9 more');
  });

  it('folds and unfolds all', () => {
    const reading = new Reading(pages(), { height: 100 });
    const shown = () => reading.rows.filter((row) => /line \d+$/.test(row)).length;
    expect(shown()).toBe(16);
    reading.type('z');
    expect([shown(), reading.reader.message]).toEqual([60, 'everything unfolded']);
    reading.type('z');
    expect(shown()).toBe(0);
    reading.type('z');
    expect(shown()).toBe(16);
  });

  it('leaves prompts and answers whole', () => {
    const reading = new Reading(pages());
    expect(reading.type('jjo').reader.message).toMatch(/^Nothing to fold here/);
  });
});

describe('the turns that a search found', () => {
  const hits = [{ turn: 3, line: 2 }, { turn: 7, line: 2 }, { turn: 9 }];
  const reading = () => {
    const one = new Reading(conversation(10), { target: hits[1]!, words: 'say' });
    one.reader = { ...one.reader, hits };
    return one;
  };

  it('are walked, round and round', () => {
    const one = reading();
    expect([one.type('n').here, one.reader.message]).toEqual([expect.stringMatching(/^#9 /), 'Turn 3 of 3 that match']);
    expect([one.type('n').here, one.reader.message]).toEqual(['Say 3', 'Turn 1 of 3 that match (wrapped around)']);
    expect(one.type('n').here).toBe('Say 7');
    expect(one.type('NN').here).toMatch(/^#9 /);
  });

  it('are left for a text that is looked for', () => {
    expect(reading().type('/say 1\r').here).toBe('Say 10');
  });

  it('are none where it was not opened from a search', () => {
    expect(new Reading(conversation(3)).type('n').reader.message).toBe('Press / to find a text.');
  });
});

describe('finding', () => {
  it('goes on from match to match, and back', () => {
    const reading = new Reading(conversation(300));
    expect(reading.type('/say 29\r').here).toBe('Say 29');
    expect(reading.type('n').here).toBe('Say 290');
    expect(reading.type('N').here).toBe('Say 29');
    expect(reading.reader.message).toBe('“say 29”: 1 of 11');
    expect(reading.type('N').reader.message).toBe('“say 29”: 11 of 11 (wrapped around)');
    expect(reading.here).toBe('Say 299');
    expect(reading.type('n').here).toBe('Say 29');
    expect(reading.type('/nowhere\r').reader.message).toBe('“nowhere” is not in this session.');
  });

  it('finds what is folded away, and unfolds it', () => {
    const pages = new Turns(60, (turn) => [prompt('Make'), call(`${lines(40)}\nmarker ${turn}\n${lines(40)}`)]);
    const reading = new Reading(pages);
    expect(reading.type('/marker 50\r').here).toBe('│ marker 50');
    expect(reading.reader.message).toBe('“marker 50”: 1 of 1');
    expect(reading.type('n').here).toBe('│ marker 50');
  });

  it('finds a text that is wrapped, in any case', () => {
    const words = Array.from({ length: 40 }, (_, i) => `word${i}`).join(' ');
    const reading = new Reading(new Turns(2, (turn) => [prompt('Ask'), answer(turn === 2 ? words : 'no')]));
    expect(reading.type('/WORD14 word15\r').here).toContain('word14');
  });

  it('looks through some pages at a time, and a key ends it', () => {
    const reading = new Reading(conversation(1000));
    const keys = new KeyReader();
    for (const key of keys.read('/nowhere\r')) reading.reader = readKey(reading.reader, key)!;
    expect(isLooking(reading.reader)).toBe(true);
    reading.reader = scanned(reading.reader);
    expect(reading.reader.scan?.next?.page).toBe(16);
    expect(reading.reader.message).toBe('Looking for “nowhere”…');
    reading.type('j');
    expect(isLooking(reading.reader)).toBe(false);
  });

  it('is left by Escape, and Enter alone finds the same again', () => {
    const reading = new Reading(conversation(30));
    reading.type('/say 1\r');
    reading.type('/xyz\x1b');
    expect(reading.reader.needle).toBe('say 1');
    expect(reading.type('/\r').here).toBe('Say 10');
  });
});
