import { readFileSync, utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SHARED, shared } from '../oracle/product.ts';
import { ClaudeHome } from '../support/claude-home.ts';
import { jsonl, type Record_, Script, uuid } from '../support/claude-records.ts';
import { Portolan, sessionOf, sessionsOf, turnsIn } from '../support/portolan.ts';

const QUIET = uuid('a session whose clocks are right');
const WRONG = uuid('a session with a wrong clock');
/** Of a clock that was never set, one that is far ahead, and what is no time at all. */
const IMPLAUSIBLE = ['9999-12-31T23:59:59Z', '1970-01-01T00:00:00Z', 253_402_300_799_000, 12, '', null, {}];

/** Three turns of two records each; those that `isWrong` names say another time. */
function threeTurns(name: string, isWrong: (record: number) => boolean, timestamp: unknown): Record_[] {
  const script = new Script({ sessionId: name }, name);
  const records = ['alder', 'birch', 'cedar'].flatMap((word) => [
    script.user(`Where is the ${word}?`),
    script.answer(`By the ${word} lamp.`),
  ]);
  return records.map((record, i) => (isWrong(i) ? { ...record, timestamp } : record));
}

async function indexed(home: ClaudeHome) {
  const portolan = new Portolan(home.env());
  await portolan.index();
  return portolan.read();
}

describe('a time that no agent can have written', () => {
  it.each(IMPLAUSIBLE)('leaves a session where it was: %j', async (timestamp) => {
    const home = new ClaudeHome();
    home.write(jsonl(threeTurns(QUIET, () => false, undefined)), QUIET);
    home.write(jsonl(threeTurns(WRONG, (i) => i === 2, timestamp)), WRONG);
    const stores = await indexed(home);
    const [quiet, wrong] = [sessionOf(stores, QUIET), sessionOf(stores, WRONG)];
    for (const name of ['started', 'ended', 'active', 'turns'] as const) expect(wrong[name], name).toBe(quiet[name]);
    const [, second] = turnsIn(stores, WRONG);
    expect(second?.prompt).toBe('Where is the birch?');
    // It has the time of the answer, which stands beside it.
    expect(second?.startedAt).toBe(turnsIn(stores, QUIET)[1]?.endedAt);
  });

  it('is not the beginning nor the end of a session', async () => {
    const home = new ClaudeHome();
    home.write(jsonl(threeTurns(QUIET, () => false, undefined)), QUIET);
    home.write(jsonl(threeTurns(WRONG, (i) => i === 0 || i === 5, '9999-12-31T23:59:59Z')), WRONG);
    const stores = await indexed(home);
    const [quiet, wrong] = [sessionOf(stores, QUIET), sessionOf(stores, WRONG)];
    expect(wrong.started).toBe((quiet.started ?? 0) + 1000);
    expect(wrong.active).toBe((quiet.active ?? 0) - 1000);
    expect(stores.catalog.sessions('1', [], 'active DESC', 2).map(({ nativeId }) => nativeId)).toEqual([QUIET, WRONG]);
  });

  it('may be the file’s own: nothing is known then', async () => {
    const home = new ClaudeHome();
    const path = home.write(jsonl(threeTurns(WRONG, () => true, null)), WRONG);
    const far = new Date('2099-01-01T00:00:00Z');
    utimesSync(path, far, far);
    expect(sessionOf(await indexed(home), WRONG).active).toBeUndefined();
  });
});

describe.skipIf(SHARED === undefined)('recorded sessions with implausible times', () => {
  it('have the times of their neighbours', async () => {
    const home = new ClaudeHome();
    for (const name of ['case-14', 'case-14b']) home.write(readFileSync(shared('cases', `${name}.jsonl`)), uuid(name));
    const stores = await indexed(home);
    expect(sessionsOf(stores).map(({ turns, active }) => [turns, active && new Date(active).toISOString()])).toEqual([
      [2, '2026-11-21T10:01:00.000Z'],
      [2, '2026-11-20T10:00:03.000Z'],
    ]);
  });
});
