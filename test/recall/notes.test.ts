import { appendFileSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Home, homeOf } from '../../src/home/paths.ts';
import { forgetNotesOf, star, starsIn, unstar } from '../../src/recall/notes.ts';
import { temporaryFolder } from '../support/folders.ts';

const AT = Date.parse('2026-11-30T08:00:00Z');
const turn = { session: 'claude-code:one', anchor: 'a1' };
const other = { session: 'claude-code:two', anchor: 'a1' };
let home: Home;

beforeEach(() => {
  home = homeOf({ PORTOLAN_HOME: join(temporaryFolder(), 'kept') });
});

describe('stars', () => {
  it('are what was starred last and not unstarred, the newest first', () => {
    star(home, turn, 'The beacon', AT);
    star(home, other, undefined, AT + 1);
    star(home, { session: 'claude-code:one' }, 'whole', AT + 2);
    unstar(home, other, AT + 3);
    expect(starsIn(home)).toEqual([
      { session: 'claude-code:one', at: AT + 2, text: 'whole' },
      { ...turn, at: AT, text: 'The beacon' },
    ]);
  });

  it('come back when they are set again', () => {
    star(home, turn, 'one', AT);
    unstar(home, turn, AT + 1);
    star(home, turn, 'two', AT + 2);
    expect(starsIn(home)).toEqual([{ ...turn, at: AT + 2, text: 'two' }]);
  });

  it('are none where there is no file', () => {
    expect(starsIn(home)).toEqual([]);
  });

  it('hold no secret', () => {
    star(home, turn, 'the token is ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6', AT);
    expect(readFileSync(home.notes, 'utf8')).not.toContain('ghp_');
    expect(starsIn(home)[0]!.text).toBe('the token is [GH_TOKEN]');
  });

  it('lie in a file for its owner alone', () => {
    star(home, turn, undefined, AT);
    expect(statSync(home.notes).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['a line torn by a crash', (text: string) => text.slice(0, -20)],
    ['a line without its end', (text: string) => text.slice(0, -1)],
  ])('outlive %s, and the next one is not joined to it', (_, torn) => {
    star(home, turn, undefined, AT);
    star(home, other, undefined, AT + 1);
    truncateSync(home.notes, torn(readFileSync(home.notes, 'utf8')).length);
    star(home, { session: 'claude-code:three' }, undefined, AT + 2);
    const sessions = starsIn(home).map(({ session }) => session);
    expect(sessions).toContain('claude-code:one');
    expect(sessions[0]).toBe('claude-code:three');
  });

  it('pass over lines that are something else', () => {
    star(home, turn, undefined, AT);
    appendFileSync(
      home.notes,
      '[1]\nnull\n{"type":"star"}\n{"type":"star","at":"never","session":"x"}\n\0\0\0\n{"type":"tag","session":"x"}\n',
    );
    expect(starsIn(home)).toEqual([{ ...turn, at: AT }]);
  });
});

describe('forgetting sessions', () => {
  it('leaves no byte about them, nor of lines that may be about them', () => {
    star(home, turn, 'The beacon', AT);
    unstar(home, turn, AT + 1);
    star(home, other, 'kept', AT + 2);
    appendFileSync(home.notes, '{"type":"star","session":"claude-code:on');
    forgetNotesOf(home, new Set(['claude-code:one']));
    const text = readFileSync(home.notes, 'utf8');
    expect(text).not.toMatch(/claude-code:on|beacon/);
    expect(starsIn(home)).toEqual([{ ...other, at: AT + 2, text: 'kept' }]);
    expect(statSync(home.notes).mode & 0o777).toBe(0o600);
  });

  it('does not write where there is nothing about them', () => {
    star(home, other, 'kept', AT);
    const before = statSync(home.notes).ino;
    forgetNotesOf(home, new Set(['claude-code:one']));
    expect(statSync(home.notes).ino).toBe(before);
  });

  it('is nothing to do where there is no file', () => {
    forgetNotesOf(home, new Set(['claude-code:one']));
    expect(starsIn(home)).toEqual([]);
  });
});
