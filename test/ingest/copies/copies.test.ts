import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openForReading } from '../../../src/holdings/opening.ts';
import { forget, withDependents } from '../../../src/ingest/clearing/forget.ts';
import { resumptionOf } from '../../../src/search/transcripts/resume.ts';
import { ClaudeHome } from '../../support/claude-home.ts';
import { type Record_, Script, SESSION } from '../../support/claude-records.ts';
import { linesIn, Portolan, sessionOf, sessionsOf, turnsIn } from '../../support/portolan.ts';

const COPY_NAMES = [`${SESSION} (1)`, `${SESSION} copy 2`, `${SESSION}.sync-conflict-20261120-101112-ABCDEFG`];

/** Turns of one conversation, each a prompt, an answer and what that cost. */
function turns(...words: readonly string[]): readonly (readonly Record_[])[] {
  const script = new Script();
  return words.map((word) => [
    script.user(`Paint the ${word}.`),
    script.answer(`The ${word} is painted.`, { usage: { output_tokens: 7 } }),
  ]);
}

/** The sessions that doors list. */
function listed(portolan: Portolan) {
  return sessionsOf(portolan.read()).filter((session) => !session.hidden);
}

const prompts = (portolan: Portolan) => turnsIn(portolan.read(), SESSION).map((turn) => turn.prompt);
const outputOf = (portolan: Portolan) => sessionOf(portolan.read(), SESSION).tokens['claude-opus-5-5']?.output;

describe('copies of one file', () => {
  it('are one session, whatever a program that copies files called them', async () => {
    const home = new ClaudeHome();
    const portolan = new Portolan(home.env());
    const [first, second] = turns('pier', 'quay');
    home.write([...first!, ...second!]);
    for (const name of COPY_NAMES) home.write([...first!, ...second!], name);
    home.write(new Uint8Array([0, 5, 22, 7]), `._${SESSION}`);
    expect(await portolan.index()).toMatchObject({ units: 4, read: 4, failed: [], sessions: 1 });
    expect(listed(portolan)).toMatchObject([{ key: `claude-code:${SESSION}`, path: home.at(), turns: 2, messages: 4 }]);
    expect(outputOf(portolan)).toBe(14);
    const stores = portolan.read();
    expect(resumptionOf(stores, sessionOf(stores, SESSION))).toMatchObject({
      command: { argv: ['claude', '--resume', SESSION] },
    });
    expect(stores.lexical.documentFrequency('quay')).toBe(1);
  });

  it('are one session in two homes, and the one that goes on is what is shown', async () => {
    const home = new ClaudeHome();
    const backup = join(home.path, 'backup');
    const portolan = new Portolan(home.env({ CLAUDE_CONFIG_DIR: `${home.claude},${backup}` }));
    const [first, second, third, fourth] = turns('pier', 'quay', 'mole', 'dock');
    home.write([...first!, ...second!]);
    cpSync(home.claude, backup, { recursive: true });
    await portolan.index();
    home.append(third!);
    await portolan.index();
    home.append(fourth!);
    expect(await portolan.index()).toMatchObject({ read: 1 });
    expect(prompts(portolan)).toEqual(['pier', 'quay', 'mole', 'dock'].map((word) => `Paint the ${word}.`));
    expect(listed(portolan)).toMatchObject([{ path: home.at(), turns: 4 }]);
    const fresh = new Portolan(portolan.env);
    await fresh.index();
    expect(listed(fresh).map(({ id: _, revision: __, ...rest }) => rest)).toEqual(
      listed(portolan).map(({ id: _, revision: __, ...rest }) => rest),
    );
  });

  it('that went on apart are one session of all that any of them says', async () => {
    const home = new ClaudeHome();
    const portolan = new Portolan(home.env());
    const [first, second, third] = turns('pier', 'quay', 'mole');
    home.write([...first!, ...second!]);
    home.write([...first!, ...third!], COPY_NAMES[0]);
    await portolan.index();
    expect(listed(portolan)).toHaveLength(1);
    expect(prompts(portolan).sort()).toEqual(['Paint the mole.', 'Paint the pier.', 'Paint the quay.']);
    expect(turnsIn(portolan.read(), SESSION).some((turn) => turn.superseded)).toBe(false);
    expect(outputOf(portolan)).toBe(21);
    home.append(third!);
    await portolan.index();
    expect(prompts(portolan)).toEqual(['Paint the pier.', 'Paint the quay.', 'Paint the mole.']);
  });

  it('leave what only a deleted one held, as what no file holds any more', async () => {
    const home = new ClaudeHome();
    const portolan = new Portolan(home.env());
    const [first, second] = turns('pier', 'quay');
    home.write([...first!, ...second!]);
    home.write(first!, COPY_NAMES[0]);
    await portolan.index();
    rmSync(home.at());
    await portolan.index();
    expect(listed(portolan)).toMatchObject([{ path: home.at(COPY_NAMES[0]), gone: false, turns: 2 }]);
    expect(turnsIn(portolan.read(), SESSION).map(({ prompt, superseded }) => [prompt, superseded])).toEqual([
      ['Paint the pier.', undefined],
      ['Paint the quay.', true],
    ]);
    rmSync(home.at(COPY_NAMES[0]));
    await portolan.index();
    expect(listed(portolan)).toMatchObject([{ path: home.at(), gone: true, turns: 2 }]);
  });

  it('are no forks, and forks stay forks', async () => {
    const home = new ClaudeHome();
    const portolan = new Portolan(home.env());
    const [first, second] = turns('pier', 'quay');
    const fork = '7d0c2f0e-7c1b-4c57-9d5e-0a4f6d1b2c3d';
    home.write(first!);
    home.write([...first!, ...second!], fork);
    home.write(first!, COPY_NAMES[0]);
    await portolan.index();
    expect(listed(portolan).map(({ nativeId, turns: n, parent }) => [nativeId, n, parent?.relation])).toEqual([
      [SESSION, 1, undefined],
      [fork, 1, 'fork'],
    ]);
    renameSync(home.at(), `${home.at()}.bak`);
    await portolan.index();
    expect(listed(portolan).map(({ nativeId, turns: n, parent }) => [nativeId, n, parent?.key])).toEqual([
      [SESSION, 1, undefined],
      [fork, 1, `claude-code:${SESSION}`],
    ]);
  });

  it('are forgotten together, and none is read again', async () => {
    const home = new ClaudeHome();
    const portolan = new Portolan(home.env());
    const [first, second] = turns('pier', 'quay');
    const copy = join(home.claude, 'projects', '-home-dev-copy', `${SESSION}.jsonl`);
    home.write([...first!, ...second!]);
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(home.at(), copy);
    await portolan.index();
    const stores = openForReading(portolan.home)!;
    const session = withDependents(stores, [sessionOf(stores, SESSION)], false);
    stores.close();
    forget(portolan.home, session, () => {});
    for (let n = 0; n < 3; n++) expect(await portolan.index()).toMatchObject({ sessions: 0 });
    expect(await portolan.index()).toMatchObject({ read: 0, excluded: 2 });
    expect(sessionsOf(portolan.read())).toEqual([]);
  });
});

describe('a file that is written anew', () => {
  const indexed = async (records: readonly unknown[]) => {
    const home = new ClaudeHome();
    const portolan = new Portolan(home.env());
    home.write(records);
    await portolan.index();
    return { home, portolan };
  };
  const marks = (portolan: Portolan) =>
    turnsIn(portolan.read(), SESSION).map(
      ({ prompt, superseded = false }) => `${prompt}${superseded ? ' (lost)' : ''}`,
    );

  it('with other content keeps what it held, marked, behind what it holds', async () => {
    const [first, second, third, fourth] = turns('pier', 'quay', 'mole', 'dock');
    const { home, portolan } = await indexed([...first!, ...second!]);
    home.write(third!);
    await portolan.index();
    const kept = ['Paint the pier. (lost)', 'Paint the quay. (lost)'];
    expect(marks(portolan)).toEqual(['Paint the mole.', ...kept]);
    expect(portolan.read().lexical.documentFrequency('quay')).toBe(1);
    expect(outputOf(portolan)).toBe(21);
    expect(sessionOf(portolan.read(), SESSION)).toMatchObject({ gone: false, title: 'Paint the mole.', turns: 3 });
    home.append(fourth!);
    await portolan.index();
    expect(marks(portolan)).toEqual(['Paint the mole.', 'Paint the dock.', ...kept]);
    expect(turnsIn(portolan.read(), SESSION).some((turn) => turn.rewound)).toBe(false);
    home.write([...first!, ...second!, ...third!]);
    await portolan.index();
    expect(marks(portolan)).toEqual(
      ['pier', 'quay', 'mole', 'dock'].map((w, i) => `Paint the ${w}.${i === 3 ? ' (lost)' : ''}`),
    );
  });

  it('with less keeps the rest, and takes the marks off where that comes back', async () => {
    const [first, second] = turns('pier', 'quay');
    const { home, portolan } = await indexed([...first!, ...second!]);
    home.write(first!);
    await portolan.index();
    expect(marks(portolan)).toEqual(['Paint the pier.', 'Paint the quay. (lost)']);
    home.append(second!);
    await portolan.index();
    expect(marks(portolan)).toEqual(['Paint the pier.', 'Paint the quay.']);
    expect(outputOf(portolan)).toBe(14);
  });

  it('with another word in one record keeps that word alone', async () => {
    const [first, second] = turns('pier', 'quay');
    const { home, portolan } = await indexed([...first!, ...second!]);
    const [prompt, answer] = first!;
    home.write([prompt, { ...answer, message: { ...(answer!.message as object), content: 'No.' } }, ...second!]);
    await portolan.index();
    expect(linesIn(portolan.read(), SESSION)).toEqual([
      'user: Paint the pier.',
      'assistant: No.',
      'user: Paint the quay.',
      'assistant: The quay is painted.',
      'assistant: The pier is painted.',
    ]);
  });

  it('leaves nothing behind where only its reader is another, but what was superseded before', async () => {
    const [first, second, third] = turns('pier', 'quay', 'mole');
    const { home, portolan } = await indexed([...first!, ...second!]);
    home.write(third!);
    await portolan.index();
    const before = marks(portolan);
    for (let n = 0; n < 2; n++) {
      await portolan.write((stores) => stores.archive.db.run('UPDATE units SET reader = reader - 1'));
      expect(await portolan.index()).toMatchObject({ read: 1 });
      expect(marks(portolan)).toEqual(before);
    }
    expect(before).toHaveLength(3);
  });

  it('keeps the sub-agents inside it that are no more in it', async () => {
    const [main, side] = [new Script(), new Script({ isSidechain: true }, 'side')];
    const { home, portolan } = await indexed([main.user('Ask someone.'), side.user('How deep?'), side.answer('Four.')]);
    const agent = listed(portolan).find(({ nativeId }) => nativeId !== SESSION)!;
    home.write(turns('pier')[0]!);
    await portolan.index();
    expect(listed(portolan)).toHaveLength(2);
    expect(sessionOf(portolan.read(), agent.nativeId)).toMatchObject({ gone: true, turns: 1 });
    expect(linesIn(portolan.read(), agent.nativeId)).toEqual(['user: How deep?', 'assistant: Four.']);
  });
});
