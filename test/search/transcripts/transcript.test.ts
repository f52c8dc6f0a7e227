import { describe, expect, it } from 'vitest';
import { sessionOf, turnsOf } from '../../../src/search/transcripts/transcript.ts';
import { START, Transcript } from '../history.ts';
import { type Library, openLibrary } from '../library.ts';

const rowOf = (library: Library, transcript: Transcript) =>
  library.stores.catalog.sessions('key = ?', [transcript.key], 'id', 1)[0]!;

describe('a sub-agent', () => {
  it.each<[name: string, told: (agent: Transcript) => Record<string, unknown>]>([
    ['whose call’s result names it', (agent) => ({ agentId: agent.nativeId.slice('agent-'.length) })],
    ['that says itself by which call it was started', () => ({})],
  ])('%s knows the turn that started it', async (_, told) => {
    const session = new Transcript('spawning');
    const agent = new Transcript('spawned', { subagentOf: session });
    session.prompt('First.');
    session.prompt('Send someone.');
    const input = { description: 'Go', prompt: 'Look.' };
    const { id } = session.tool('Task', input, 'seen', { told: told(agent) });
    agent.meta({ description: 'Go', toolUseId: id });
    agent.prompt('Look.');
    const library = await openLibrary([session, agent]);
    try {
      const { parent } = sessionOf(library.stores, rowOf(library, agent), START);
      expect(parent).toEqual({ id: session.key, relation: 'subagent', at: `${session.key}#2` });
      const calls = turnsOf(library.stores, rowOf(library, session)).flatMap((turn) => turn.parts);
      expect(calls.flatMap((part) => (part.type === 'tool_call' ? [part.child] : []))).toEqual([agent.key]);
    } finally {
      library.close();
    }
  });
});

describe('a session’s status', () => {
  const answered = (session: Transcript) => session.answer('Done.');
  const calling = (session: Transcript) => session.call('Bash', { command: 'make' });
  const asked = () => {};

  it.each<[name: string, minutes: number, last: (session: Transcript) => unknown, status: string]>([
    ['works while a call runs', 1, calling, 'working'],
    ['works on a prompt', 1, asked, 'working'],
    ['waits when it answered', 1, answered, 'waiting'],
    ['was broken off when a call never ended', 60, calling, 'unclean'],
    ['was broken off when a prompt was never answered', 60, asked, 'unclean'],
    ['is idle for a day', 60, answered, 'idle'],
    ['is ended after a day', 60 * 25, answered, 'ended'],
  ])('%s', async (_, minutes, last, status) => {
    const session = new Transcript('status');
    session.prompt('Begin.');
    last(session);
    const library = await openLibrary([session]);
    try {
      expect(sessionOf(library.stores, rowOf(library, session), START + minutes * 60_000).status).toBe(status);
    } finally {
      library.close();
    }
  });
});
