import { describe, expect, it } from 'vitest';
import { ClaudeHome } from '../../support/claude-home.ts';
import { Script, SESSION } from '../../support/claude-records.ts';
import { Portolan, turnsIn } from '../../support/portolan.ts';

async function prompts(home: ClaudeHome) {
  const portolan = new Portolan(home.env());
  await portolan.index();
  return turnsIn(portolan.read(), SESSION).map(({ prompt }) => prompt);
}

describe('a record', () => {
  it('is shown although another one has its name', async () => {
    const home = new ClaudeHome();
    const script = new Script();
    const one = script.user('one');
    const answer = script.answer('1');
    const two = { ...script.user('two'), uuid: one.uuid };
    home.write([one, answer, two, script.answer('2'), { ...script.user('three'), uuid: one.uuid }, script.answer('3')]);
    expect(await prompts(home)).toEqual(['one', 'two', 'three']);
  });

  it('is shown once although the file repeats it', async () => {
    const home = new ClaudeHome();
    const script = new Script();
    const records = [script.user('one'), script.answer('1')];
    home.write([...records, ...records, script.user('two')]);
    expect(await prompts(home)).toEqual(['one', 'two']);
  });
});
