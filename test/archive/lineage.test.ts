import { describe, expect, it } from 'vitest';
import { kinshipOf } from '../../src/archive/lineage.ts';
import { generator } from '../redact/make.ts';

type Line = Parameters<typeof kinshipOf>[0][number];
type Name = 'A' | 'B' | 'C';

/** A session's records as letters, each with its time: a letter's place in the alphabet, unless one is given. */
const line = (
  records: string,
  { path = '', rank = 0, from }: { path?: string; rank?: number; from?: number } = {},
) => ({
  records: [...records],
  path,
  rank,
  from,
});
type Case = Partial<Record<Name, ReturnType<typeof line>>>;

const SESSIONS: Readonly<Record<Name, number>> = { A: 11, B: 22, C: 33 };
const hashOf = (record: string) => record.codePointAt(0)! * 1000;

function linesOf(sessions: Case): Line[] {
  return Object.entries(sessions).map(([name, { records, path, rank, from }]) => ({
    session: SESSIONS[name as Name],
    key: name,
    path: path || `/${name}`,
    rank,
    hashes: records.map(hashOf),
    times: records.map((record, i) => (from === undefined ? record.codePointAt(0)! : from + i)),
  }));
}

/** Of each shared record the session that shows it. */
function owners(lines: readonly Line[]): Record<string, string> {
  const names = Object.fromEntries(Object.entries(SESSIONS).map(([name, id]) => [id, name]));
  return Object.fromEntries(
    [...kinshipOf(lines).owners]
      .map(([hash, owner]) => [String.fromCodePoint(hash / 1000), names[owner]!] as const)
      .sort(),
  );
}

const CASES: readonly (readonly [string, Case, Record<string, string>])[] = [
  ['shares nothing', { A: line('abc'), B: line('def') }, {}],
  ['is alone', { A: line('abcabc') }, {}],
  ['ends where the other goes on', { A: line('abc'), B: line('abcde') }, { a: 'A', b: 'A', c: 'A' }],
  ['ends where two others go on', { A: line('abc'), B: line('abcd'), C: line('abce') }, { a: 'A', b: 'A', c: 'A' }],
  ['has the earlier record of its own', { A: line('abcx'), B: line('abcd') }, { a: 'B', b: 'B', c: 'B' }],
  [
    'is forked twice, one fork from the other',
    { A: line('ab'), B: line('abcd'), C: line('abcdef') },
    { a: 'A', b: 'A', c: 'B', d: 'B' },
  ],
  [
    'is a fork of a fork whose first one went on',
    { A: line('abd'), B: line('abcf'), C: line('abcg') },
    { a: 'B', b: 'B', c: 'B' },
  ],
  [
    'is a whole copy: the first by path',
    { A: line('abc', { path: '/z' }), B: line('abc', { path: '/y' }) },
    { a: 'B', b: 'B', c: 'B' },
  ],
  ['has a sub-agent that replays it', { A: line('abz'), B: line('abc', { rank: 1 }) }, { a: 'A', b: 'A' }],
  ['has a sub-agent that ends inside the replay', { A: line('abz'), B: line('ab', { rank: 1 }) }, { a: 'A', b: 'A' }],
  ['echoes a sub-agent', { A: line('abc', { rank: 2 }), B: line('abcd', { rank: 1 }) }, { a: 'B', b: 'B', c: 'B' }],
  ['has bookkeeping between shared records', { A: line('aXbYc'), B: line('aZbc') }, { a: 'B', b: 'B', c: 'B' }],
  ['has no times', { A: line('abx', { from: Number.NaN }), B: line('aby') }, { a: 'B', b: 'B' }],
  ['begins later than the part it shares', { A: line('cdx'), B: line('abcde') }, { c: 'B', d: 'B' }],
];

describe('of sessions that share records, the one that shows them, where a session', () => {
  it.each(CASES)('%s', (_, sessions, expected) => {
    expect(owners(linesOf(sessions))).toEqual(expected);
  });

  it.each(CASES)('%s, in whatever order they were read', (_, sessions, expected) => {
    const lines = linesOf(sessions);
    for (const order of permutations(lines)) expect(owners(order)).toEqual(expected);
  });
});

describe('the owner of a record', () => {
  it('is one of the sessions that hold it, the same in any order of many sessions, and stays when one grows that is settled', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const next = generator(seed);
      const lines: Line[] = [];
      for (let i = 0; i < 8; i++) {
        const from = lines[Math.floor(next() * lines.length)];
        const shared = from ? from.hashes.slice(0, Math.floor(next() * (from.hashes.length + 1))) : [];
        const own = Array.from({ length: Math.floor(next() * 5) }, (_, n) => 1_000_000 * (i + 1) + n);
        const hashes = [...shared, ...own];
        lines.push({
          session: i + 1,
          key: String(i + 1),
          path: `/${i}`,
          rank: next() < 0.2 ? 1 : 0,
          hashes,
          times: hashes.map((hash) =>
            shared.includes(hash) ? from!.times[from!.hashes.indexOf(hash)]! : Math.floor(next() * 1000),
          ),
        });
      }
      const expected = kinshipOf(lines).owners;
      for (const [hash, owner] of expected) expect(lines[owner - 1]!.hashes).toContain(hash);
      const { unsettled } = kinshipOf(lines);
      for (const line of lines.filter(({ session }) => !unsettled.has(session))) {
        const grown = { ...line, hashes: [...line.hashes, 9e8], times: [...line.times, next() * 1000] };
        expect(kinshipOf(lines.with(line.session - 1, grown)).owners).toEqual(expected);
      }
      for (let round = 0; round < 5; round++) {
        const shuffled = [...lines].sort(() => next() - 0.5);
        expect(new Map([...kinshipOf(shuffled).owners].sort())).toEqual(new Map([...expected].sort()));
      }
    }
  });

  it('is found in time that grows with the records alone', () => {
    const hashes = Array.from({ length: 20_000 }, (_, i) => i);
    const lines = Array.from({ length: 5 }, (_, i) => ({
      session: i,
      key: String(i),
      path: `/${i}`,
      rank: 0,
      hashes: [...hashes, 1e6 + i],
      times: [...hashes, 1e6 - i],
    }));
    expect(kinshipOf(lines).owners.get(7)).toBe(4);
  });

  it('shows what a fork shares with the session it names in that session, though the fork went on first', () => {
    const [a, b] = linesOf({ A: line('abcz'), B: line('abcd') });
    expect(owners([a!, b!])).toEqual({ a: 'B', b: 'B', c: 'B' });
    expect(owners([a!, { ...b!, parent: 'A' }])).toEqual({ a: 'A', b: 'A', c: 'A' });
    expect(owners([a!, { ...b!, parent: 'gone' }])).toEqual({ a: 'B', b: 'B', c: 'B' });
  });
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}
