import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SHARED, shared } from '../../oracle/product.ts';
import { ClaudeHome } from '../../support/claude-home.ts';
import { Script, SESSION } from '../../support/claude-records.ts';
import { Portolan, turnsIn } from '../../support/portolan.ts';

async function rewoundPrompts(home: ClaudeHome, session = SESSION) {
  const portolan = new Portolan(home.env());
  await portolan.index();
  return turnsIn(portolan.read(), session)
    .filter((turn) => turn.rewound)
    .map((turn) => turn.prompt);
}

describe('a turn', () => {
  it('is rewound where a later prompt goes on from before it', async () => {
    const home = new ClaudeHome();
    const script = new Script();
    const records = [script.user('one'), script.answer('1')];
    const leaf = script.leaf;
    records.push(script.user('two'), script.answer('2'), script.user('three'), script.answer('3'));
    script.goBackTo(leaf);
    records.push(script.user('four'), script.answer('4'));
    home.write(records);
    expect(await rewoundPrompts(home)).toEqual(['two', 'three']);
  });

  it('is live again where a later prompt goes on from it after all', async () => {
    const home = new ClaudeHome();
    const script = new Script();
    const records = [script.user('one'), script.answer('1')];
    const first = script.leaf;
    records.push(script.user('two'), script.answer('2'));
    const second = script.leaf;
    script.goBackTo(first);
    records.push(script.user('three'), script.answer('3'));
    script.goBackTo(second);
    records.push(script.user('four'));
    home.write(records);
    expect(await rewoundPrompts(home)).toEqual(['three']);
  });

  it('is not rewound by parallel results, a compaction, or a resumed file', async () => {
    const home = new ClaudeHome();
    const script = new Script();
    const records = [script.user('one'), script.call('toolu_1', 'Bash', {}), script.call('toolu_2', 'Bash', {})];
    const call = script.leaf;
    records.push(script.result('toolu_2', 'b'));
    script.goBackTo(call);
    records.push(script.result('toolu_1', 'a'), script.answer('1'), script.user('two'));
    script.goBackTo(null);
    records.push(
      script.record('system', { subtype: 'compact_boundary', logicalParentUuid: call }),
      script.user('three'),
      script.answer('3'),
    );
    script.goBackTo('a record of another file');
    records.push(script.user('four'));
    home.write(records);
    expect(await rewoundPrompts(home)).toEqual([]);
  });

  it('keeps its place in the order of the file', async () => {
    const home = new ClaudeHome();
    const script = new Script();
    const records = [script.user('one')];
    const leaf = script.leaf;
    records.push(script.user('two'));
    script.goBackTo(leaf);
    records.push(script.user('three'));
    home.write(records);
    const portolan = new Portolan(home.env());
    await portolan.index();
    expect(turnsIn(portolan.read(), SESSION).map((turn) => [turn.index, turn.prompt, turn.rewound])).toEqual([
      [1, 'one', false],
      [2, 'two', true],
      [3, 'three', false],
    ]);
  });

  it.skipIf(SHARED === undefined)('that was rewound in a recorded session is the one that was', async () => {
    const id = '822f5a07-0397-4b5a-97c0-b17eaab26451';
    const home = new ClaudeHome();
    home.copy(
      join(
        shared('corpus', 'live', 'claude', 'home', '.claude', 'projects', '-home-dev-projects-harbor-api'),
        `${id}.jsonl`,
      ),
      id,
    );
    expect(await rewoundPrompts(home, id)).toEqual([expect.stringMatching(/^Ask me which port we use/)]);
  });
});
