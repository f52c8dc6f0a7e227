import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { star } from '../../../src/recall/notes.ts';
import { listSessions } from '../../../src/search/answers/sessions.ts';
import { parseQuery } from '../../../src/search/query/parse.ts';
import { Transcript } from '../history.ts';
import { highlighted, type Library, NOW, openLibrary } from '../library.ts';

const session = new Transcript('excerpt');
const other = new Transcript('excerpt other');
let library: Library;
const filler = 'grey water under a low sky '.repeat(120);

beforeAll(async () => {
  session.prompt('Why does the beacon go dark at the pier?');
  session.answer(`I look. ${filler}`);
  session.tool('Read', { file_path: '/home/dev/projects/lantern/src/wick.ts' }, filler);
  session.tool('Bash', { command: 'make all' }, `${filler}\nmake: *** No rule to make target: Error 2\n${filler}`, {
    isError: true,
  });
  session.tool(
    'Edit',
    {
      file_path: '/home/dev/projects/lantern/src/auth/login.ts',
      old_string: 'const a = 1;\nconst wick = 2;',
      new_string: 'const a = 1;\nconst wick = 3;',
    },
    'ok',
  );
  session.answer(`${filler} The beacon goes dark because the pier floods.`);
  other.prompt('Colours');
  other.tool('Bash', { command: 'npm test' }, '\x1b[31mopens\x1b[39m draw\x1b[1mbridge\x1b[0m, it does');
  library = await openLibrary([session, other]);
});
afterAll(() => library.close());

const first = (query: string) => library.hits(query)[0]!;

describe('what is shown of a hit', () => {
  it('is the error where errors were asked for', () => {
    expect(first('is:error')).toMatchObject({ id: `${session.key}#1`, field: 'output' });
    expect(first('is:error').snippet).toContain('No rule to make target: Error 2');
    expect(first('is:error tool:bash').snippet).toContain('No rule to make target');
  });

  it.each(['tool:edit path:src/auth', 'tool:edit', 'path:login.ts', 'path:*.ts tool:Ed*'])(
    'is the edit with its lines where it was asked for: %s',
    (query) => {
      expect(first(query)).toMatchObject({
        field: 'tools',
        snippet: 'src/auth/login.ts - const wick = 2; + const wick = 3;',
      });
    },
  );

  it('is the call where another was asked for, and where it stands', () => {
    expect(first('tool:read').snippet).toMatch(/^\/home\/dev\/projects\/lantern\/src\/wick\.ts Read/);
    expect(first('tool:read').where.line).toBe(3);
  });

  it('is the answer to a question, where it stands in another passage', () => {
    const hit = first('why does the beacon go dark');
    expect(hit).toMatchObject({ id: `${session.key}#1` });
    expect(first('beacon dark pier')).toMatchObject({ field: 'answer' });
    expect(highlighted(first('beacon dark pier'))).toEqual(['beacon', 'dark', 'pier']);
    expect(first('beacon dark pier role:user')).toMatchObject({ field: 'prompt' });
  });

  it('holds no colour codes, and marks the words', () => {
    const hit = first('drawbridge');
    expect(hit.snippet).toBe('opens drawbridge, it does');
    expect(highlighted(hit)).toEqual(['drawbridge']);
    expect(library.ids('"opens drawbridge"')).toEqual([`${other.key}#1`]);
    expect(library.ids('31mopens')).toEqual([]);
  });
});

describe('is:starred', () => {
  it('finds turns that were starred, and those of starred sessions, through every door', () => {
    const { catalog, home } = library.stores;
    const row = catalog.sessions('s.key = ?', [session.key], 's.id', 1)[0]!;
    expect(library.ids('is:starred')).toEqual([]);
    star(home, { session: session.key, anchor: catalog.turn(row.id, 1)!.anchor }, 'A beacon', NOW);
    expect(library.ids('is:starred')).toEqual([`${session.key}#1`]);
    expect(library.ids('is:starred drawbridge')).toEqual([]);
    expect(library.ids('-is:starred')).toEqual([`${other.key}#1`]);
    star(home, { session: other.key }, undefined, NOW);
    expect(library.ids('is:starred drawbridge')).toEqual([`${other.key}#1`]);
    const list = listSessions(library.stores, parseQuery('is:starred', NOW), {
      all: false,
      gone: false,
      limit: 9,
      offset: 0,
    });
    expect(list.total).toBe(2);
  });
});
