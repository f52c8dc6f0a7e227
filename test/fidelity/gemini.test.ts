import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redactText } from '../../src/redact/redact.ts';
import { type HeldHome, holdHome } from '../oracle/evidence.ts';
import { censusTokens, faultsOf, recordedSessions, shownTokens, unfound } from '../oracle/expected.ts';
import { type ChatFile, chatsIn, resultsIn, saidIn } from '../oracle/gemini.ts';
import { SHARED } from '../oracle/product.ts';

const LIVE = ['corpus', 'live', 'gemini', 'home'];
const HOMES = ['corpus', 'homes', 'gemini'];

describe.skipIf(SHARED === undefined)('the recorded sessions of Gemini CLI', () => {
  let held: HeldHome;
  beforeAll(async () => {
    held = await holdHome('gemini', LIVE);
  });
  afterAll(() => held?.remove());

  it('are read whole, and nothing in the agent’s folders changed', () => {
    expect(held.report).toMatchObject({ failed: [], unknown_records: {} });
    expect(held.changed).toEqual([]);
  });

  it('are found by what was said in them, at its turn, and taken up by the program’s own command', async () => {
    const recorded = recordedSessions('gemini');
    expect(await unfound(held, recorded)).toEqual([]);
    for (const { id, cwd } of recorded)
      expect(await held.product.resume(`gemini:${id}`)).toMatchObject({ argv: ['gemini', '--resume', id], cwd });
  });

  it('show every prompt, call and planted phrase', () => {
    // A file that was given besides stands before the prompt; a question mark that was typed opened the help.
    const promptOf = (prompt: string) => prompt.replace(/^@\S+ /, '').replaceAll('?', '');
    expect(faultsOf(held, recordedSessions('gemini'), { promptOf })).toEqual([]);
  });
});

describe.skipIf(SHARED === undefined)('the chats of homes/gemini', () => {
  let held: HeldHome;
  let chats: ChatFile[];
  beforeAll(async () => {
    held = await holdHome('gemini', HOMES);
    chats = chatsIn(held.home);
  });
  afterAll(() => held?.remove());

  it('are read whole, and nothing in the agent’s folders changed', () => {
    expect(held.report).toMatchObject({ failed: [], unknown_records: {} });
    expect(held.changed).toEqual([]);
  });

  it('are the sessions, prompts and calls of the census', () => {
    expect(chats.length).toBe(115);
    const messages = chats.flatMap((chat) => chat.messages);
    expect(messages.filter(({ type }) => type === 'user').length).toBe(472);
    expect(messages.flatMap(({ toolCalls }) => toolCalls ?? []).length).toBe(361);
    for (const { id } of chats) expect(held.shown.has(id), id).toBe(true);
  });

  it('cost what the census says', () => {
    expect(shownTokens(held)).toEqual(censusTokens('homes/gemini'));
  });

  it('have every text and argument, in the order of each file', () => {
    for (const chat of chats) {
      const { turns } = held.shown.get(chat.id)!;
      const shown = turns.flatMap(({ parts }) =>
        parts.map((part) => {
          if (part.type === 'tool_call') return `${part.name} ${JSON.stringify(part.input)}`;
          return `${part.type === 'text' ? part.role : part.type}: ${part.text}`;
        }),
      );
      const left = saidIn(chat)
        .filter((said) => !isShown(redactText(said).text, shown))
        .map((said) => said.slice(0, 200));
      expect({ path: chat.path, left }).toEqual({ path: chat.path, left: [] });
    }
  });

  it('have the result of every call, or the whole of which it was the beginning', () => {
    for (const chat of chats) {
      const calls = held.shown.get(chat.id)!.turns.flatMap(({ parts }) => parts);
      for (const [id, given] of resultsIn(chat)) {
        const { output } = calls.find((call) => call.call_id === id)!;
        const isWhole = output === redactText(given).text || given.includes('tool-outputs');
        expect({ id, isWhole }).toEqual({ id, isWhole: true });
      }
    }
  });
});

/** Texts that the program put into a prompt are counted, not shown. */
function isShown(said: string, shown: string[]): boolean {
  const at = shown.indexOf(said);
  if (at >= 0) shown.splice(at, 1);
  return (
    at >= 0 ||
    /^user: [\s\S]*(?:--- Content from referenced files ---|<system_note>)/.test(said) ||
    /^user: (?:System: |\[Function Response)/.test(said)
  );
}
