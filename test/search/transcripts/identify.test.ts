import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identify } from '../../../src/search/transcripts/identify.ts';
import { Transcript, uuidOf } from '../history.ts';
import { type Library, openLibrary } from '../library.ts';

const first = new Transcript('first');
const agent = new Transcript('agent', { subagentOf: first });
const others = Array.from({ length: 40 }, (_, i) => new Transcript(`other ${i}`));
let library: Library;

beforeAll(async () => {
  for (const transcript of [first, agent, ...others]) transcript.prompt('Hello.');
  library = await openLibrary([first, agent, ...others]);
});
afterAll(() => library.close());

const named = (text: string) => {
  const found = identify(library.stores, text);
  if (found.found === 'session') return [found.session.key, found.turn];
  return found.found === 'several' ? found.candidates.map((one) => one.key) : [];
};

describe('an id', () => {
  it.each<[text: string, turn?: number]>([
    [first.key],
    [first.id],
    [first.id.slice(0, 13)],
    [first.key.slice(0, 25)],
    [first.id.toUpperCase().slice(0, 13)],
    [`${first.key}#1`, 1],
    [`${first.id}#12`, 12],
    [`${first.id.slice(0, 13)}#0`, 0],
    [`turn-${first.id}-3`, 3],
    [`turn-${first.id.slice(0, 13)}-3`, 3],
  ])('%s names the session', (text, turn) => {
    expect(named(text)).toEqual([first.key, turn]);
  });

  it('of a sub-agent names it', () => {
    for (const text of [agent.key, agent.nativeId, agent.nativeId.slice(0, 14)])
      expect(named(text)).toEqual([agent.key, undefined]);
    expect(named(`turn-${agent.nativeId}-1`)).toEqual([agent.key, 1]);
  });

  it('shortened still names a session whose sub-agents’ ids begin with its own', async () => {
    // Side chains inside a session's file, as Claude Code wrote them before 2.1.
    const session = new Transcript('side chains');
    session.prompt('Hello.');
    const [line] = session.text().split('\n');
    session.plain({ ...JSON.parse(line!), isSidechain: true, parentUuid: null, uuid: uuidOf('side chain') });
    const alone = await openLibrary([session]);
    try {
      expect(alone.stores.catalog.count('sessions')).toBe(2);
      const found = identify(alone.stores, session.id.slice(0, 8));
      expect(found).toMatchObject({ found: 'session', session: { key: session.key } });
    } finally {
      alone.close();
    }
  });

  it('shortened to what begins several names them all, at most ten', () => {
    const digit = [...'0123456789abcdef'].find(
      (one) => [first, ...others].filter((other) => other.id.startsWith(one)).length > 1,
    )!;
    const expected = [first, ...others].filter((other) => other.id.startsWith(digit)).map((other) => other.key);
    expect(named(digit).sort()).toEqual(expected.sort());
    expect(named('claude-code:')).toHaveLength(10);
  });

  it.each(['nowhere', 'codex:x', '%', '_', '\\', `${first.id}x`, '#1', 'turn-nowhere-1', `${first.id}#x`, "'", '"'])(
    '%s names nothing',
    (text) => {
      expect(identify(library.stores, text)).toEqual({ found: 'nothing' });
    },
  );

  it('that is empty names nothing', () => {
    expect(identify(library.stores, '').found).not.toBe('session');
  });
});
