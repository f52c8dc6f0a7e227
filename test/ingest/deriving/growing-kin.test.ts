import { describe, expect, it } from 'vitest';
import { forgetGeneration } from '../../../src/store/generations.ts';
import { Chance, times } from '../../support/chance.ts';
import { ClaudeHome } from '../../support/claude-home.ts';
import { Script, uuid } from '../../support/claude-records.ts';
import { differences, Portolan } from '../../support/portolan.ts';

const usage = { input_tokens: 3, output_tokens: 4 };

/** What is added to a conversation: prompts, some of which go back, answers, calls, and results, some of them late. */
function grow(chance: Chance, name: string, leaf: string | null, length: number): unknown[] {
  const script = new Script({}, name);
  script.goBackTo(leaf);
  const leaves: string[] = [];
  const open: string[] = [];
  return Array.from({ length }, (_, n) => {
    const record = next(n);
    leaves.push(script.leaf);
    return record;
  });

  function next(n: number): unknown {
    switch (chance.below(5)) {
      case 0:
        if (leaves.length > 0 && chance.below(3) === 0) script.goBackTo(chance.of(leaves));
        return script.user(`${name} asks ${n}`);
      case 1: {
        const id = `toolu_${name}${n}`;
        open.push(id);
        return script.call(id, 'Read', { file_path: `/srv/pier/${name}${n}` }, { usage });
      }
      case 2: {
        const id = open.splice(chance.below(open.length), 1)[0];
        if (id !== undefined) return script.result(id, `result of ${id}`);
        return script.answer(`${name} says ${n}`, { usage });
      }
      default:
        return script.answer(`${name} says ${n}`, { usage });
    }
  }
}

interface Named {
  readonly name: string;
  readonly records: readonly unknown[];
}

/** Conversations that begin with a copy of what another one held when they left it. */
function kin(chance: Chance): Named[] {
  const all: Named[] = [];
  for (const name of ['A', 'B', 'C']) {
    const from = all.length > 0 ? chance.of(all).records : [];
    const shared = from.slice(0, chance.below(from.length + 1));
    const leaf = shared.at(-1) as { readonly uuid?: string } | undefined;
    all.push({ name, records: [...shared, ...grow(chance, name, leaf?.uuid ?? null, 5 + chance.below(12))] });
  }
  return all;
}

describe('sessions that begin with records of each other', () => {
  it('are known as if they had been read at once, however they grew beside each other, and so from the archive', {
    timeout: 120_000,
  }, async () => {
    for (let seed = 1; seed <= times(4, 300); seed++) {
      const chance = new Chance(seed);
      const sessions = kin(chance);
      const home = new ClaudeHome();
      const portolan = new Portolan(home.env());
      const written = new Map(sessions.map(({ name }) => [name, 0]));
      for (
        let left = sessions;
        left.length > 0;
        left = left.filter(({ name, records }) => written.get(name)! < records.length)
      ) {
        const { name, records } = chance.of(left);
        const from = written.get(name)!;
        const to = Math.min(records.length, from + 1 + chance.below(4));
        if (from === 0) home.write(records.slice(0, to), uuid(name));
        else home.append(records.slice(from, to), uuid(name));
        written.set(name, to);
        await portolan.index();
      }
      const once = new Portolan(home.env());
      await once.index();
      expect({ seed, differences: differences(portolan.content(), once.content()) }).toEqual({ seed, differences: [] });
      forgetGeneration(portolan.home.index);
      await portolan.index();
      expect({ seed, differences: differences(portolan.content(), once.content()) }).toEqual({ seed, differences: [] });
    }
  });
});
