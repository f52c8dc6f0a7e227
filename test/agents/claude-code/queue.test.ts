import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SHARED, shared } from '../../oracle/product.ts';
import { jsonl, Script, SESSION } from '../../support/claude-records.ts';
import { temporaryFolder, writeAt } from '../../support/folders.ts';
import { told } from '../../support/reading.ts';

const queue = (operation: string, content?: string) => ({
  type: 'queue-operation',
  operation,
  content,
  sessionId: SESSION,
});

async function linesOf(version: string, more: (script: Script) => readonly unknown[]) {
  const script = new Script({ version });
  const records = [script.user('Paint the pier.'), ...more(script)];
  const found = await told(writeAt(join(temporaryFolder(), '-p', `${SESSION}.jsonl`), jsonl(records)));
  return { lines: found.lines().slice(1), turns: found.of('turn').length };
}

describe('a prompt that was typed while the agent was busy', () => {
  it('stands, before 2.1.101, where the queue handed it over', async () => {
    expect(
      await linesOf('2.1.100', (script) => [
        queue('enqueue', 'Green, please.'),
        script.answer('Hm.'),
        queue('remove'),
        script.answer('Green.'),
      ]),
    ).toEqual({ lines: ['assistant: Hm.', 'user: Green, please.', 'assistant: Green.'], turns: 1 });
  });

  it('is told by its attachment from 2.1.101 on, once, and begins a turn', async () => {
    expect(
      await linesOf('2.1.101', (script) => [
        queue('enqueue', 'Green, please.'),
        queue('remove', 'Green, please.'),
        script.record('attachment', {
          attachment: { type: 'queued_command', prompt: 'Green, please.', commandMode: 'prompt' },
        }),
        script.answer('Green.'),
      ]),
    ).toEqual({ lines: ['user: Green, please.', 'assistant: Green.'], turns: 2 });
  });

  it('is an ordinary prompt where the queue gave it up as one', async () => {
    expect(
      await linesOf('2.0.76', (script) => [
        queue('enqueue', 'Green.'),
        queue('dequeue'),
        script.user('Green.'),
        queue('remove'),
      ]),
    ).toEqual({ lines: ['user: Green.'], turns: 2 });
  });

  it('is a notice where it was taken back: it may never have been sent', async () => {
    expect(
      await linesOf('2.0.76', (script) => [
        queue('enqueue', 'a'),
        queue('enqueue', 'b'),
        queue('popAll'),
        queue('remove'),
        script.answer('x'),
      ]),
    ).toEqual({
      lines: ['system: Taken back from the queue: a', 'system: Taken back from the queue: b', 'assistant: x'],
      turns: 1,
    });
  });

  it('is taken out of the middle where it is named', async () => {
    expect(
      await linesOf('2.0.76', () => [
        queue('enqueue', 'a'),
        queue('enqueue', 'b'),
        queue('remove', 'b'),
        queue('remove'),
      ]),
    ).toEqual({ lines: ['user: b', 'user: a'], turns: 1 });
  });

  it('is no prompt where it is a command or a notice of a task', async () => {
    expect(
      await linesOf('2.0.76', () => [
        queue('enqueue', '/compact'),
        queue('remove'),
        queue('enqueue', '<task-notification>done</task-notification>'),
        queue('remove'),
      ]),
    ).toEqual({ lines: [], turns: 1 });
  });

  it.each([
    ['a notice of a task', { commandMode: 'task-notification' }],
    ['a reminder', { isMeta: true }],
    ['another agent’s message', { origin: { kind: 'peer' } }],
  ])('is a notice where it is %s', async (_, attachment) => {
    expect(
      await linesOf('2.1.332', (script) => [
        script.record('attachment', { attachment: { type: 'queued_command', prompt: 'Dry.', ...attachment } }),
      ]),
    ).toEqual({ lines: ['system: Dry.'], turns: 1 });
  });

  it.skipIf(SHARED === undefined)('stands once in a recorded session', async () => {
    const projects = shared('corpus', 'live', 'claude', 'home', '.claude', 'projects');
    const found = await told(
      join(projects, '-home-dev-projects-harbor-api', '822f5a07-0397-4b5a-97c0-b17eaab26451.jsonl'),
    );
    expect(found.lines().filter((line) => line.startsWith('user: And count src/schedule.js'))).toHaveLength(1);
  });
});
