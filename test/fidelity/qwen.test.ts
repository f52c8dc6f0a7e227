import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redactText } from '../../src/redact/redact.ts';
import { type HeldHome, holdHome } from '../oracle/evidence.ts';
import { censusTokens, faultsOf, recordedSessions, shownTokens, unfound } from '../oracle/expected.ts';
import { chatsIn, saidIn, typed } from '../oracle/gemini.ts';
import { SHARED } from '../oracle/product.ts';

describe.skipIf(SHARED === undefined)('the recorded sessions of Qwen Code', () => {
  let held: HeldHome;
  beforeAll(async () => {
    held = await holdHome('qwen', ['corpus', 'live', 'qwen', 'home']);
  });
  afterAll(() => held?.remove());

  it('are read whole, and nothing in the agent’s folders changed', () => {
    expect(held.report).toMatchObject({ units: 11, failed: [], unknown_records: {} });
    expect(held.changed).toEqual([]);
  });

  it('are found by what was said in them, at its turn, and taken up by the program’s own command', async () => {
    const recorded = recordedSessions('qwen');
    expect(await unfound(held, recorded)).toEqual([]);
    for (const { id, cwd } of recorded)
      expect(await held.product.resume(`qwen:${id}`)).toMatchObject({ argv: ['qwen', '--resume', id], cwd });
  });

  it('show every prompt, call and planted phrase', () => {
    const promptOf = (prompt: string) => prompt.replace(/^@\S+ /, '');
    // A tool that is called through another one is told as itself.
    const inputOf = (input: unknown, name: string) =>
      name === 'tool_call' ? (input as { arguments: unknown }).arguments : input;
    expect(faultsOf(held, recordedSessions('qwen'), { promptOf, inputOf })).toEqual([]);
  });

  it('have the tokens that the model’s server counted', () => {
    const others: unknown[] = [];
    for (const { id, tokens } of recordedSessions('qwen')) {
      const { sum, ...rest } = tokens as Record<string, Record<string, number>>;
      const { session } = held.shown.get(id)!;
      const children = session.children.map((child) => held.shown.get(child.slice('qwen:'.length))!.session.tokens);
      const all = [session.tokens, ...children];
      const input = all.reduce((total, one) => total + one.input + one.cache_read, 0);
      const asked = sum!.prompt_tokens! + (rest.subAgent?.prompt_tokens ?? 0);
      if (input !== asked) others.push([id, asked, input]);
    }
    // The requests for a summary, and for what a picture shows, stand in no record.
    expect(others).toEqual([
      ['88a8c0c0-1fdf-4f7a-804c-91d3c774cc8f', 77_982, 60_884],
      ['87be5ddb-8d50-4292-bae0-8b980826297d', 5354, 1918],
    ]);
  });
});

describe.skipIf(SHARED === undefined)('the chats of homes/qwen', () => {
  let held: HeldHome;
  beforeAll(async () => {
    held = await holdHome('qwen', ['corpus', 'homes', 'qwen']);
  });
  afterAll(() => held?.remove());

  it('are the files and prompts of the census; restarts of a session are one session', () => {
    expect(held.report).toMatchObject({ failed: [], unknown_records: {} });
    expect(held.changed).toEqual([]);
    const chats = chatsIn(held.home, '.qwen');
    expect(chats.length).toBe(43);
    expect(new Set(chats.map(({ id }) => id)).size).toBe(32);
    expect(chats.flatMap(({ messages }) => messages).filter(({ type }) => type === 'user').length).toBe(254);
  });

  it('have every text', () => {
    for (const chat of chatsIn(held.home, '.qwen')) {
      const { turns } = held.shown.get(chat.id)!;
      const shown = new Set(
        turns.flatMap(({ parts }) =>
          parts.map((part) => `${part.type === 'text' ? part.role : part.type}: ${part.text}`),
        ),
      );
      // What the program says in the user's place is a notice.
      const isToldOtherwise = (one: string) => one.startsWith('user: [Function Response');
      const said = saidIn(chat).map((one) => (one.startsWith('user: ') ? `user: ${typed(one.slice(6)).said}` : one));
      const left = said.filter((one) => !shown.has(redactText(one).text) && !isToldOtherwise(one));
      expect({ path: chat.path, left: left.map((one) => one.slice(0, 100)) }).toEqual({ path: chat.path, left: [] });
    }
  });

  it('have the reminders and files counted that were written around prompts', () => {
    const prompts = chatsIn(held.home, '.qwen').flatMap(({ messages }) =>
      messages.flatMap(({ type, content }) => (type === 'user' ? [typed(content)] : [])),
    );
    const reminders = prompts.reduce((sum, one) => sum + one.reminders, 0);
    const files = prompts.reduce((sum, one) => sum + one.files, 0);
    expect([reminders, files]).toEqual([225, 30]);
    expect(held.notShown).toMatchObject({ 'injected/system-reminder': reminders, 'injected/referenced file': files });
  });

  it('cost what the census says', () => {
    expect(shownTokens(held)).toEqual(censusTokens('homes/qwen'));
  });
});
