import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../../src/agents/claude-code/source.ts';
import { resumptionOf } from '../../../src/search/transcripts/resume.ts';
import { SHARED, shared } from '../../oracle/product.ts';
import { ClaudeHome } from '../../support/claude-home.ts';
import { CWD, Script, SESSION, uuid } from '../../support/claude-records.ts';
import { writeAt } from '../../support/folders.ts';
import { linesIn, Portolan, sessionOf, sessionsOf, turnsIn } from '../../support/portolan.ts';

const KEY = `claude-code:${SESSION}`;
const LONG = 'a2f02bb53ea843eba';

async function index(home: ClaudeHome) {
  const portolan = new Portolan(home.env());
  await portolan.index();
  return portolan.read();
}
/** A parent whose second turn starts an agent. */
function parent(toolUseResult?: unknown) {
  const script = new Script();
  return [
    script.user('First.'),
    script.user('Ask someone.'),
    script.call('toolu_1', 'Agent', { prompt: 'How deep is it?' }),
    script.result('toolu_1', 'Four fathoms.', toolUseResult),
  ];
}
const agent = (name = 'agent') => {
  const script = new Script({ isSidechain: true }, name);
  return [script.user('How deep is it?'), script.answer('Four fathoms.')];
};

describe('a sub-agent with a file of its own', () => {
  it.each([
    ['a flat file beside the session', 'agent-a179fc6.jsonl', 'a179fc6', `${SESSION}/agent-a179fc6`],
    ['the folder of the session', join(SESSION, 'subagents', `agent-${LONG}.jsonl`), LONG, `agent-${LONG}`],
    ['a workflow', join(SESSION, 'subagents', 'workflows', 'wf_1', `agent-${LONG}.jsonl`), LONG, `agent-${LONG}`],
  ])('in %s is linked both ways by the result of its call', async (_, name, agentId, nativeId) => {
    const home = new ClaudeHome();
    home.write(parent({ agentId, status: 'completed' }));
    home.write(agent(), name);
    const stores = await index(home);
    expect(sessionOf(stores, nativeId).parent).toEqual({ key: KEY, relation: 'subagent', turn: 2 });
    expect(stores.catalog.childrenOf(KEY)).toEqual([`claude-code:${nativeId}`]);
    const call = turnsIn(stores, SESSION)[1]!.parts.find((part) => part.type === 'tool_call');
    expect(call).toMatchObject({ callId: 'toolu_1', child: `claude-code:${nativeId}`, output: 'Four fathoms.' });
    // Its task is its prompt.
    expect(turnsIn(stores, nativeId).map((turn) => turn.prompt)).toEqual(['How deep is it?']);
  });

  it('is linked by the call that its sidecar names, where the result does not name it', async () => {
    const home = new ClaudeHome();
    home.write(parent());
    const path = home.write(agent(), join(SESSION, 'subagents', `agent-${LONG}.jsonl`));
    writeAt(
      path.replace(/\.jsonl$/, '.meta.json'),
      JSON.stringify({ description: 'Sound the depth', toolUseId: 'toolu_1' }),
    );
    const stores = await index(home);
    expect(sessionOf(stores, `agent-${LONG}`)).toMatchObject({
      title: 'Sound the depth',
      titleFrom: 'agent',
      parent: { key: KEY },
    });
    const call = turnsIn(stores, SESSION)[1]!.parts.find((part) => part.type === 'tool_call');
    expect(call).toMatchObject({ child: `claude-code:agent-${LONG}` });
  });

  it('says the turn that started it, though only its sidecar names the call', async () => {
    const home = new ClaudeHome();
    home.write(parent());
    const path = home.write(agent(), join(SESSION, 'subagents', `agent-${LONG}.jsonl`));
    writeAt(path.replace(/\.jsonl$/, '.meta.json'), JSON.stringify({ toolUseId: 'toolu_1' }));
    expect(sessionOf(await index(home), `agent-${LONG}`).parent).toMatchObject({ turn: 2 });
  });

  it('belongs to the session whose folder it lies in, where nothing names it', async () => {
    const home = new ClaudeHome();
    home.write(agent(), join(SESSION, 'subagents', `agent-${LONG}.jsonl`));
    expect(sessionOf(await index(home), `agent-${LONG}`).parent).toEqual({ key: KEY, relation: 'subagent' });
  });

  it('is linked whichever of the two was read first', async () => {
    const home = new ClaudeHome();
    const portolan = new Portolan(home.env());
    home.write(agent(), join(SESSION, 'subagents', `agent-${LONG}.jsonl`));
    await portolan.index();
    home.write(parent({ agentId: LONG }));
    await portolan.index();
    const once = await index(home);
    expect(sessionOf(once, `agent-${LONG}`).parent).toEqual({ key: KEY, relation: 'subagent', turn: 2 });
    expect(sessionOf(portolan.read(), `agent-${LONG}`).parent).toEqual(sessionOf(once, `agent-${LONG}`).parent);
  });

  it('started by a sub-agent has that one for its parent', async () => {
    const home = new ClaudeHome();
    const script = new Script({ isSidechain: true }, 'middle');
    home.write(parent({ agentId: LONG }));
    home.write(
      [
        script.user('How deep?'),
        script.call('toolu_2', 'Agent', {}),
        script.result('toolu_2', 'Four.', { agentId: 'b2f02bb53ea843eba' }),
      ],
      join(SESSION, 'subagents', `agent-${LONG}.jsonl`),
    );
    home.write(agent('deep'), join(SESSION, 'subagents', 'agent-b2f02bb53ea843eba.jsonl'));
    const stores = await index(home);
    expect(sessionOf(stores, 'agent-b2f02bb53ea843eba').parent).toMatchObject({ key: `claude-code:agent-${LONG}` });
    expect(resumptionOf(stores, sessionOf(stores, 'agent-b2f02bb53ea843eba'))).toEqual({
      can: true,
      command: { argv: ['claude', '--resume', SESSION], cwd: CWD },
    });
  });

  it('with the short id of another session’s is told from that one', async () => {
    const home = new ClaudeHome();
    home.write(agent('one'), join(SESSION, 'subagents', 'agent-a179fc6.jsonl'));
    home.write(agent('two'), join(uuid('other'), 'subagents', 'agent-a179fc6.jsonl'));
    expect(sessionsOf(await index(home)).map((session) => session.nativeId)).toEqual(
      [`${SESSION}/agent-a179fc6`, `${uuid('other')}/agent-a179fc6`].sort(),
    );
  });
});

describe('a sub-agent inside the file of its session', () => {
  it('is a session of its own for each side chain', async () => {
    const home = new ClaudeHome();
    const main = new Script();
    const [one, two] = ['one', 'two'].map((name) => new Script({ isSidechain: true }, name)) as [Script, Script];
    home.write([
      main.user('Ask two.'),
      one.user('How deep?'),
      two.user('How wide?'),
      one.answer('Four.'),
      two.answer('Nine.'),
      main.answer('Four and nine.'),
    ]);
    const stores = await index(home);
    const chain = (name: string) => `${SESSION}/sidechain-${uuid(`${name} 1`).slice(0, 8)}`;
    expect(linesIn(stores, SESSION)).toEqual(['user: Ask two.', 'assistant: Four and nine.']);
    expect(linesIn(stores, chain('one'))).toEqual(['user: How deep?', 'assistant: Four.']);
    expect(linesIn(stores, chain('two'))).toEqual(['user: How wide?', 'assistant: Nine.']);
    expect(sessionOf(stores, chain('two')).parent).toMatchObject({ key: KEY, relation: 'subagent' });
  });

  it('that only progress records tell is shown, and gives way to a file of its own', async () => {
    const echoed = (script: Script, record: object) =>
      script.record('progress', {
        parentToolUseID: 'toolu_1',
        data: { type: 'agent_progress', agentId: LONG, message: record },
      });
    const home = new ClaudeHome();
    const script = new Script();
    const records = agent();
    home.write([...parent(), ...records.map((record) => echoed(script, record))]);
    const portolan = new Portolan(home.env());
    await portolan.index();
    const echo = `${SESSION}/progress-${LONG}`;
    expect(linesIn(portolan.read(), echo)).toEqual(['user: How deep is it?', 'assistant: Four fathoms.']);
    expect(sessionOf(portolan.read(), echo).hidden).toBe(false);
    home.write(records, join(SESSION, 'subagents', `agent-${LONG}.jsonl`));
    await portolan.index();
    expect(sessionOf(portolan.read(), echo).hidden).toBe(true);
    expect(linesIn(portolan.read(), `agent-${LONG}`)).toEqual(['user: How deep is it?', 'assistant: Four fathoms.']);
  });
});

describe('a session is taken up again', () => {
  it('by its id, in its folder, with a prompt where one is given', () => {
    const session = { nativeId: SESSION, cwd: CWD };
    expect(claudeCode.resume!(session, {})).toEqual({ argv: ['claude', '--resume', SESSION], cwd: CWD });
    expect(claudeCode.resume!(session, { prompt: 'Go on; rm -rf "$HOME"' })).toEqual({
      argv: ['claude', '--resume', SESSION, 'Go on; rm -rf "$HOME"'],
      cwd: CWD,
    });
    expect(claudeCode.resume!({ nativeId: SESSION }, {})).toEqual({ argv: ['claude', '--resume', SESSION] });
  });

  it('by its root, where it is a sub-agent', () => {
    const root = { nativeId: SESSION, cwd: CWD };
    expect(claudeCode.resume!({ nativeId: `agent-${LONG}`, cwd: '/else', root }, {})).toEqual({
      argv: ['claude', '--resume', SESSION],
      cwd: CWD,
    });
  });
});

describe.skipIf(SHARED === undefined)('the recorded sub-agent', () => {
  it('is linked both ways', async () => {
    const home = new ClaudeHome();
    cpSync(shared('corpus', 'live', 'claude', 'home', '.claude'), home.claude, { recursive: true });
    const stores = await index(home);
    const child = sessionOf(stores, 'agent-a2f02bb53ea843eba');
    expect(child.parent).toMatchObject({
      key: 'claude-code:4d7eda72-f944-40c0-bdbb-2c405b02bce3',
      relation: 'subagent',
    });
    const calls = turnsIn(stores, '4d7eda72-f944-40c0-bdbb-2c405b02bce3').flatMap((turn) =>
      turn.parts.filter((part) => part.type === 'tool_call'),
    );
    expect(calls.filter((call) => call.child === child.key)).toHaveLength(1);
  });
});
