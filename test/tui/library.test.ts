import { appendFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { homeOf } from '../../src/home/paths.ts';
import { Library } from '../../src/tui/library.ts';
import { START, Transcript } from '../search/history.ts';
import { newUser, type User } from '../search/program.ts';

const NOW = START + 86_400_000;
const pier = new Transcript('pier', { cwd: '/home/dev/projects/pier' });
const deep = new Transcript('deep', { cwd: '/home/dev/projects/harbor/deep', start: START + 3_600_000 });
const agent = new Transcript('agent', { subagentOf: pier });
let user: User;
let library: Library;

beforeAll(async () => {
  pier.prompt('Find the beacon.');
  pier.answer('It is on the pier.');
  pier.prompt('Send someone.');
  pier.answer('Done.');
  deep.prompt('How deep is it?');
  deep.answer('Two metres.');
  agent.prompt('Look.');
  agent.answer('Seen.');
  user = newUser([pier, deep, agent]);
  await user.json('index');
  library = Library.open(homeOf(user.env));
});
afterAll(() => {
  library.close();
  user.remove();
});

const first = () => library.sessions('beacon', 5, NOW).items;

describe('what is listed', () => {
  it('are sessions that people led, the newest first', () => {
    const { items, total } = library.sessions('', 10, NOW);
    expect(items.map(({ id }) => id)).toEqual([deep.key, pier.key]);
    expect(total).toBe(2);
  });

  it('is counted by agent, project and month', () => {
    expect(library.facets('', NOW)).toEqual({
      source: { 'claude-code': 2 },
      project: { deep: 1, pier: 1 },
      type: {},
      month: { '2026-11': 2 },
      exact: true,
    });
  });
});

describe('the project of a folder', () => {
  it.each([
    ['/home/dev/projects/pier', 'pier'],
    ['/home/dev/projects/pier/src/deeper', 'pier'],
    ['/home/dev/projects/harbor', 'deep'],
    ['/home/dev/projects/pie', undefined],
    ['/home/dev', 'deep'],
    ['/elsewhere', undefined],
  ])('%s is %s', (folder, project) => {
    expect(library.projectAt(folder, '/home/dev')).toBe(project);
  });
});

describe('stars', () => {
  it('are of turns and of sessions, and what they are about is listed', () => {
    const [session] = first();
    const turn = { ...session!, id: `${pier.key}#2`, turn: 2 };
    expect(library.toggleStar(turn, NOW)).toBe(true);
    expect(library.toggleStar(session!, NOW + 1)).toBe(true);
    const { items, facets } = library.starred(NOW);
    expect(items.map(({ id }) => id)).toEqual([pier.key, `${pier.key}#2`]);
    expect(items[1]).toMatchObject({ snippet: 'Send someone.', isStarred: true });
    expect(facets!.project).toEqual({ pier: 2 });
    expect(first()[0]!.isStarred).toBe(true);
    expect(library.toggleStar(session!, NOW + 2)).toBe(false);
    expect(library.toggleStar(turn, NOW + 3)).toBe(false);
    expect(library.starred(NOW).items).toEqual([]);
  });

  it('of what is no more are passed over', () => {
    const { notes } = homeOf(user.env);
    appendFileSync(notes, `{"type":"star","at":"2026-11-20T00:00:00Z","session":"claude-code:gone"}\n`);
    appendFileSync(notes, `{"type":"star","at":"2026-11-20T00:00:00Z","session":"${pier.key}","anchor":"none"}\n`);
    const again = Library.open(homeOf(user.env));
    expect(again.starred(NOW).items).toEqual([]);
    again.close();
    rmSync(notes);
  });
});

describe('an item', () => {
  it('is copied as its prompt and answers', () => {
    const [session] = first();
    expect(library.textOf({ ...session!, turn: 2 })).toBe('Send someone.\n\nDone.');
    expect(library.textOf(session!)).toBe('Find the beacon.\n\nIt is on the pier.');
  });

  it('is taken up again as its agent does', () => {
    expect(library.resumption(first()[0]!)).toEqual({
      can: true,
      command: { argv: ['claude', '--resume', pier.nativeId], cwd: pier.cwd },
      gone: {},
    });
  });

  it('is read page by page', () => {
    const pages = library.pages(first()[0]!, 'session');
    expect(pages.list.map(({ turn, isFirst }) => [turn, isFirst])).toEqual([
      [1, true],
      [2, true],
    ]);
    expect(pages.read(pages.list[1]!).parts).toMatchObject([{ text: 'Send someone.' }, { text: 'Done.' }]);
    expect(library.pages({ ...first()[0]!, turn: 2 }, 'turn').list).toMatchObject([{ turn: 2 }]);
  });
});
