import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listSessions } from '../../../src/search/answers/sessions.ts';
import { parseQuery } from '../../../src/search/query/parse.ts';
import { Transcript } from '../history.ts';
import { type Library, NOW, openLibrary } from '../library.ts';

const lantern = new Transcript('nothing lantern', { branch: 'main' });
const harbor = new Transcript('nothing harbor', { cwd: '/home/dev/work/Harbor', branch: 'feature/pier' });
let library: Library;

beforeAll(async () => {
  lantern.prompt('The beacon is dark, is it not? 🚢');
  lantern.answer('It works: the red buoy answers.');
  harbor.prompt('Where is the wick?');
  harbor.tool('Edit', { file_path: '/home/dev/work/Harbor/pier.md', old_string: 'a', new_string: 'b' }, 'ok');
  library = await openLibrary([lantern, harbor]);
});
afterAll(() => library.close());

const asked = (text: string) => library.search(text);

describe('an answer of nothing', () => {
  it.each<[query: string, words: string[], filters: [filter: string, meant: string | null][]]>([
    ['zephyrquark', ['zephyrquark'], []],
    ['zephyrquark umbrastone', ['zephyrquark', 'umbrastone'], []],
    ['"buoy red"', ['"buoy red"'], []],
    ['zephyr*', ['zephyr*'], []],
    ['src/zephyr.ts', ['src/zephyr.ts'], []],
    ['beacon project:harbour', [], [['project:harbour', 'Harbor']]],
    ['beacon project:nosuchthing', [], [['project:nosuchthing', null]]],
    [
      'project:lantrn,harbr wick',
      [],
      [
        ['project:lantrn', 'lantern'],
        ['project:harbr', 'Harbor'],
      ],
    ],
    ['branch:mian beacon', [], [['branch:mian', 'main']]],
    ['tool:edti wick', [], [['tool:edti', 'Edit']]],
    ['model:opsu beacon', [], [['model:opsu', null]]],
    ['session:nosuch beacon', [], [['session:nosuch', null]]],
    ['path:nosuch.ts wick', [], [['path:nosuch.ts', null]]],
    ['source:claud beacon', [], [['source:claud', 'claude-code']]],
    ['is:error beacon', [], [['is:error', null]]],
    ['is:starred beacon', [], [['is:starred', null]]],
    ['beacon since:2026-11-20T23:00Z', [], [['since:2026-11-20T23:00:00.000Z', null]]],
    ['beacon project:harbor', [], []],
    ['zephyrquark project:nosuchthing', ['zephyrquark'], [['project:nosuchthing', null]]],
  ])('to %s says which words are known nowhere and which filters nothing passes', (query, words, filters) => {
    const { hits, nothing, total } = asked(query);
    expect([hits, total.turns]).toEqual([[], 0]);
    expect(nothing).toEqual({
      unknownWords: words,
      emptyFilters: filters.map(([filter, didYouMean]) => ({ filter, didYouMean })),
      leftOut: [],
    });
  });

  it.each<[query: string, lines: string[]]>([
    ['zephyrquark', ['“zephyrquark” occurs nowhere in what is indexed']],
    ['zephyrquark beacon project:harbor', ['“zephyrquark” occurs nowhere in what is indexed']],
    ['zephyrquark umbrastone', ['none of these words occurs anywhere in the index']],
    ['beacon project:harbr', ['nothing matches project:harbr; did you mean project:Harbor?']],
    ['source:nobody', [expect.stringMatching(/^there is no source “nobody”; known: claude-code, codex, /)]],
    ['beacon project:harbor', ['each word and filter matches something, but no turn matches them all']],
    ['=>', ['“=>” cannot be searched for: only words, numbers and emoji are indexed']],
    ['"=>" ??', ['"=>", “??” cannot be searched for: only words, numbers and emoji are indexed']],
    [
      'is:error &&',
      ['“&&” cannot be searched for: only words, numbers and emoji are indexed', 'nothing matches is:error'],
    ],
    ['""', ['the query holds nothing to look for']],
    ['()', ['the query holds nothing to look for']],
    ['-"=>"', ['"=>" cannot be searched for: only words, numbers and emoji are indexed']],
    ['is:errr', ['is: takes error, subagent or starred, not “errr”, so it matches nothing; did you mean is:error?']],
    [
      'role:usr beacon',
      ['role: takes user, assistant or tool, not “usr”, so it matches nothing; did you mean role:user?'],
    ],
    ['type:xyz', ['type: takes session, subagent or prompt, not “xyz”, so it matches nothing']],
    [
      'since:yesteday beacon',
      [
        'since: takes a time such as 3d, tuesday or 2026-11-30, not “yesteday”, so it matches nothing; did you mean since:yesterday?',
      ],
    ],
    ['🦀', ['“🦀” occurs nowhere in what is indexed']],
  ])('to %s is told in lines', (query, lines) => {
    const { hits, warnings } = asked(query);
    expect(hits).toEqual([]);
    expect(warnings).toEqual(lines);
  });

  it('names the session that was left out', () => {
    const { nothing, warnings } = library.search('beacon', { excludeSession: lantern.key });
    expect(nothing?.leftOut).toEqual([`session: ${lantern.key}`]);
    expect(warnings).toEqual([`not searched: session: ${lantern.key}`]);
  });

  it('is none where something was found, or where the last page was passed', () => {
    expect(asked('beacon').nothing).toBeUndefined();
    expect(library.search('beacon', { offset: 10 }).nothing).toBeUndefined();
  });
});

describe('what does not narrow as it was meant to', () => {
  it.each<[query: string, lines: string[]]>([
    ['beacon project:lantern,nosuchthing', ['nothing matches project:nosuchthing']],
    ['beacon -project:nosuchthing', ['-project:nosuchthing leaves nothing out: nothing matches it']],
    ['beacon -project:harbr', ['-project:harbr leaves nothing out: nothing matches it; did you mean project:Harbor?']],
    [
      'beacon -is:errr',
      ['is: takes error, subagent or starred, not “errr”, so it matches nothing; did you mean is:error?'],
    ],
    ['beacon branch:', ['branch: has no value, so it was searched for as a word: write branch:VALUE']],
    [
      'beacon sorce:claude-code',
      ['there is no field sorce:, so “sorce:claude-code” was searched for as a word; did you mean source:claude-code?'],
    ],
    [
      'beacon agent:claude-code',
      ['there is no field agent:, so “agent:claude-code” was searched for as a word; did you mean source:claude-code?'],
    ],
    // Habits, other people's fields and what is pasted
    ['beacon -path:node_modules', []],
    ['beacon -source:codex', []],
    ['beacon status:open', []],
    ['beacon https://example.com', []],
    ['Error: beacon path: dark', []],
    ['Error: beacon is:errr', []],
    ['beacon => dark', []],
  ])('is told: %s', (query, lines) => {
    const { hits, warnings } = asked(query);
    expect(hits.map(({ id }) => id)).toEqual([`${lantern.key}#1`]);
    expect(warnings).toEqual(lines);
  });

  it('is told beside a list of sessions', () => {
    const list = (text: string) =>
      listSessions(library.stores, parseQuery(text, NOW), { all: false, gone: false, limit: 10, offset: 0 });
    expect(list('project:harbr')).toMatchObject({
      total: 0,
      warnings: ['nothing matches project:harbr; did you mean project:Harbor?'],
    });
    expect(list('is:errr').total).toBe(0);
    expect(list('project:harbor,nosuchthing')).toMatchObject({
      total: 1,
      warnings: ['nothing matches project:nosuchthing'],
    });
  });
});

describe('emoji', () => {
  it('are found like words', () => {
    expect(library.ids('🚢')).toEqual([`${lantern.key}#1`]);
    expect(library.ids('"not 🚢"')).toEqual([`${lantern.key}#1`]);
    expect(library.ids('beacon -🚢')).toEqual([]);
  });
});
