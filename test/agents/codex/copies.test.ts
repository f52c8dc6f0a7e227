import { describe, expect, it } from 'vitest';
import { ID, OTHER, read, Script, turnId } from './script.ts';

/** The names of all records that were told, in order. */
const names = async (script: Script, id = ID) =>
  (await read(script, id)).events.flatMap((event) => ('record' in event ? (event.record ?? []) : []));

const story = (turn: (n: number) => string | undefined) =>
  new Script()
    .meta()
    .heard('<environment_context>\n</environment_context>')
    .task(turn(1))
    .asked('Paint the pier.')
    .call('call_1', 'paint')
    .output('call_1', 'wet')
    .answered('Done.')
    .task(turn(2))
    .asked('y')
    .answered('Done.');

const copyOf = (script: Script, keep = (_line: Record<string, unknown>) => true) => {
  const copy = new Script().meta(OTHER, { forked_from_id: ID });
  copy.lines.push(...script.lines.filter(keep).map((line) => ({ ...line, timestamp: '2026-11-22T00:00:00Z' })));
  return copy;
};

describe('a copy of another session’s records', () => {
  it.each([
    ['with ids of turns', turnId],
    ['without', () => undefined],
    ['with numbers for ids', (n: number) => String(n)],
  ])('gives them the same names, %s', async (_, turn) => {
    const original = await names(story(turn));
    expect(new Set(original).size).toBe(original.length - (turn === turnId ? 2 : 2));
    expect(await names(copyOf(story(turn)), OTHER)).toEqual(original);
  });

  it.each([
    ['with ids of turns', turnId],
    ['without', () => undefined],
  ])('ends where it goes its own way, %s', async (_, turn) => {
    const original = story(turn).task(turn(3)).asked('y').answered('Done.');
    const copy = copyOf(story(turn)).task(turn(4)).asked('n').answered('Done.');
    const [a, b] = [await names(original), await names(copy, OTHER)];
    const shared = (await names(story(turn))).length;
    expect(b.slice(0, shared)).toEqual(a.slice(0, shared));
    const after = new Set(a.slice(shared));
    expect(b.slice(shared).filter((name) => after.has(name))).toEqual([]);
  });

  it('knows records again where the copy left some out', async () => {
    const isKept = ({ payload }: Record<string, unknown>) =>
      !/function_call|reasoning/.test(String((payload as { type?: string }).type));
    const original = new Set(await names(story(turnId)));
    expect((await names(copyOf(story(turnId), isKept), OTHER)).filter((name) => !original.has(name))).toEqual([]);
  });

  it('does not make the same words of unrelated sessions one', async () => {
    const a = new Set(await names(new Script().meta().asked('y').answered('Done.')));
    const b = await names(new Script().meta(OTHER).asked('y').answered('Done.'), OTHER);
    expect(b.filter((name) => a.has(name))).toEqual([]);
  });

  it('ends a turn of its parent where its own work begins without a prompt', async () => {
    const found = await read(copyOf(story(turnId)).task(turnId(7)).said('Looking.'), OTHER);
    expect(found.of('turn')).toHaveLength(3);
    expect(found.facts(OTHER).parent).toEqual({ nativeId: ID, relation: 'fork' });
  });
});
