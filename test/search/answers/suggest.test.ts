import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { suggest } from '../../../src/search/answers/suggest.ts';
import { START, Transcript } from '../history.ts';
import { type Library, openLibrary } from '../library.ts';

describe('suggestions', () => {
  const lantern = new Transcript('suggest lantern');
  const later = new Transcript('suggest later', { start: START + 3_600_000, branch: 'fix/wick' });
  const harbor = new Transcript('suggest harbor', { cwd: '/home/dev/My Harbor', start: START + 1000 });
  let library: Library;

  beforeAll(async () => {
    lantern.prompt('The beacon and the beam.');
    lantern.answer('A beacon it is.');
    lantern.tool('Bash', { command: 'make' }, 'ok');
    lantern.tool('Read', { file_path: '/home/dev/projects/lantern/src/wick.ts' }, 'x');
    lantern.prompt('beacon '.repeat(2));
    later.prompt('A wick for the lantern.');
    later.tool('Bash', { command: 'make' }, 'ok');
    harbor.prompt('Paint it "red", please.');
    library = await openLibrary([lantern, later, harbor]);
  });
  afterAll(() => library.close());

  const texts = (typed: string, cursor?: number) =>
    suggest(library.stores, typed, cursor).suggestions.map((one) => one.text);
  /** What the query becomes with the first suggestion. */
  const taken = (typed: string) => {
    const { from, to, suggestions } = suggest(library.stores, typed);
    return typed.slice(0, from) + (suggestions[0]?.text ?? '') + typed.slice(to);
  };

  it('name fields', () => {
    expect(texts('pro')).toContain('project:');
    expect(texts('s')).toEqual(['source:', 'session:', 'since:']);
    expect(texts('lamp -so')[0]).toBe('source:');
    expect(texts('(br')[0]).toBe('branch:');
  });

  it('name values, the most frequent first', () => {
    expect(suggest(library.stores, 'project:').suggestions).toEqual([
      { kind: 'value', text: 'lantern', count: 2 },
      { kind: 'value', text: '"My Harbor"', count: 1 },
    ]);
    expect(suggest(library.stores, 'source:').suggestions).toEqual([
      { kind: 'value', text: 'claude-code', label: 'Claude Code', count: 3 },
    ]);
    expect(suggest(library.stores, 'source:code').suggestions).toEqual([
      { kind: 'value', text: 'codex', label: 'Codex', count: 0 },
    ]);
    expect(texts('tool:')[0]).toBe('Bash');
    expect(texts('tool:re')).toEqual(['Read']);
    expect(texts('branch:fi')).toEqual(['fix/wick']);
    expect(texts('model:')).toEqual(['claude-opus-5-5']);
    expect(texts('role:a')).toEqual(['assistant']);
    expect(texts('is:')).toEqual(['error', 'subagent', 'starred']);
    expect(texts('type:s')).toEqual(['session', 'subagent']);
    expect(texts('path:wick')).toEqual(['/home/dev/projects/lantern/src/wick.ts']);
    expect(texts('since:la')).toEqual(['"last week"', '"last month"']);
    expect(texts('until:tu')).toEqual(['tuesday']);
    expect(texts('intent:')).toEqual([]);
  });

  it('name sessions by their titles', () => {
    const [first] = suggest(library.stores, 'session:paint').suggestions;
    expect(first).toEqual({ kind: 'value', text: harbor.key, label: 'Paint it "red", please.' });
    expect(texts('session:')).toEqual([later.key, lantern.key, harbor.key]);
  });

  it('name words of the index by how many passages have them', () => {
    const words = suggest(library.stores, 'bea').suggestions.filter(({ kind }) => kind === 'word');
    expect(words).toEqual([
      { kind: 'word', text: 'beacon', count: 2 },
      { kind: 'word', text: 'beam', count: 1 },
    ]);
    expect(texts('be').filter((text) => text.startsWith('bea'))).toEqual([]);
    expect(texts('src/wic')).toContain('src/wick');
    expect(texts('BEAC')).toEqual(['beacon']);
  });

  it('name times and projects', () => {
    expect(texts('lamp yest')).toEqual(['yesterday']);
    expect(texts('tues')).toEqual(['tuesday']);
    expect(texts('lant')[0]).toBe('project:lantern');
  });

  it('take the place of the piece that is typed', () => {
    expect(taken('lamp -project:la')).toBe('lamp -project:lantern');
    expect(taken('project:lantern,my')).toBe('project:lantern,"My Harbor"');
    expect(taken('project:"my ha')).toBe('project:"My Harbor"');
    expect(taken('(lamp OR beac')).toBe('(lamp OR beacon');
    const { from, to } = suggest(library.stores, 'bea lamp', 3);
    expect([from, to]).toEqual([0, 3]);
  });

  it('are none where nothing is typed, inside a phrase, or where nothing is like it', () => {
    for (const typed of ['', 'lamp ', '"red bea', 'zzzz', 'x:y', 'project:%', '-', '('])
      expect(texts(typed), typed).toEqual([]);
    expect(suggest(library.stores, 'lamp', 99)).toMatchObject({ from: 0, to: 4 });
    expect(suggest(library.stores, 'lamp', -1)).toMatchObject({ from: 0, to: 0, suggestions: [] });
  });
});
