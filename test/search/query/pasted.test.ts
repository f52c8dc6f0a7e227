import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseQuery } from '../../../src/search/query/parse.ts';
import { kindOf } from '../../../src/search/query/pasted.ts';
import { wanted } from '../../../src/search/query/query.ts';
import { LIVE, type Library, NOW, openLibrary } from '../library.ts';

describe('what a text is', () => {
  it.each<[text: string, kind: ReturnType<typeof kindOf>]>([
    ['storage decision last week', 'query'],
    ['why does the beacon fail (or not) -rope', 'query'],
    ['getUserName() OR parse', 'query'],
    ['what is a TypeError', 'query'],
    ['the error of last week', 'query'],
    ['git rebase last week', 'query'],
    ['a: b', 'query'],
    ['lamp "a { b; c }"', 'query'],
    ['path:"a;b" lamp', 'query'],
    ['git log -n 5', 'command'],
    ['npm run build --watch', 'command'],
    ['rm -rf node_modules', 'command'],
    ['TypeError: x is undefined', 'paste'],
    ['java.lang.NullPointerException: at keel', 'paste'],
    ['fatal: not a git repository', 'paste'],
    ['warning: unused variable', 'paste'],
    ["error TS2304: Cannot find name 'lamp'.", 'paste'],
    ['listen EADDRINUSE 0.0.0.0:48213', 'paste'],
    ['const a = 1;', 'paste'],
    ['{"a": 1}', 'paste'],
    ['one\n  two', 'paste'],
    ['FOO=bar make', 'paste'],
    ['cat a | grep b', 'paste'],
    ['12:30:01 INFO started', 'paste'],
  ])('%j is a %s', (text, kind) => {
    expect(kindOf(text)).toBe(kind);
  });
});

describe.skipIf(LIVE === undefined)('lines of what Claude Code printed, pasted', () => {
  let library: Library;
  const lines: { readonly line: string; readonly turn: string }[] = [];

  beforeAll(async () => {
    library = await openLibrary(join(LIVE!, 'home'));
    const { catalog, archive } = library.stores;
    for (const row of catalog.db.rows<{ session: number; turn: number; chunk: number }>('SELECT * FROM chunks')) {
      const key = catalog.session(row.session)!.key;
      for (const part of archive.chunk(row.session, row.turn, row.chunk)?.body.parts ?? []) {
        // The beginning of an output is indexed, its middle need not be.
        const text = part.type === 'tool_call' ? (part.output ?? '').slice(0, 4000) : '';
        for (const line of text.split('\n').slice(0, -1))
          if (/\w{3}.*\w{3}/.test(line) && line.length < 160 && /[:(){}[\]"'/\\=-]/.test(line))
            lines.push({ line, turn: `${key}#${row.turn}` });
      }
    }
  });
  afterAll(() => library.close());

  it('are found where they stand', () => {
    const distinct = [...new Map(lines.map((one) => [one.line, one])).values()];
    expect(distinct.length).toBeGreaterThan(50);
    const missed = distinct.filter(({ line }) => {
      const turns = new Set(lines.filter((one) => one.line === line).map((one) => one.turn));
      return !library.hits(line, { limit: 1000 }).some((hit) => turns.has(hit.id) || hit.moreTurns > 0);
    });
    expect(missed).toEqual([]);
    // Nothing that they hold is taken for what must not be, or for a time.
    for (const { line } of distinct) {
      const { clauses } = parseQuery(line, NOW);
      expect(wanted(clauses).length, line).toBe(clauses.length);
    }
  });
});
