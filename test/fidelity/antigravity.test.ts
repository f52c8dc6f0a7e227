import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redactText } from '../../src/redact/redact.ts';
import { homes } from '../agents/antigravity/evidence.ts';
import { type Conversation, conversationsIn, tokensBeside, tokensIn } from '../oracle/antigravity.ts';
import { type HeldHome, holdHome } from '../oracle/evidence.ts';
import { SHARED, type ShownPart } from '../oracle/product.ts';

describe.skipIf(SHARED === undefined)('the conversations of homes/antigravity', () => {
  let held: HeldHome;
  let known: Conversation[];
  beforeAll(async () => {
    held = await holdHome('antigravity', homes[0]);
    known = conversationsIn(held.home);
  });
  afterAll(() => held?.remove());

  const partsOf = ({ id }: Conversation) => held.shown.get(id)?.turns.flatMap(({ parts }) => parts) ?? [];

  it('are read whole, and nothing in the agent’s folders changed', () => {
    expect(held.report).toMatchObject({ failed: [], unknown_records: {} });
    expect(held.changed).toEqual([]);
    expect([...held.shown.keys()].sort()).toEqual(known.map(({ id }) => id).sort());
  });

  it('have every prompt, answer, thought, notice and document, in order, once', () => {
    for (const one of known) {
      const parts = partsOf(one);
      const said = (is: (part: ShownPart) => boolean) => parts.filter(is).map(({ text }) => text);
      expect({
        id: one.id,
        prompts: said(({ type, role }) => type === 'text' && role === 'user'),
        answers: said(({ type, role }) => type === 'text' && role === 'assistant').sort(),
        thoughts: said(({ type }) => type === 'thinking'),
      }).toEqual({
        id: one.id,
        prompts: hidden(one.prompts),
        answers: hidden([...one.answers, ...one.documents]).sort(),
        thoughts: hidden(one.thoughts),
      });
      const notices = said(({ type }) => type === 'notice').join('\n');
      expect(hidden(one.notices).filter((notice) => !notices.includes(notice))).toEqual([]);
    }
  });

  it('have every call with its arguments, and all that it gave', () => {
    for (const one of known) {
      const calls = partsOf(one).filter(({ type }) => type === 'tool_call');
      expect(calls.map(({ name, input }) => [name, input])).toEqual(
        one.calls.map(({ name, args }) => [name, JSON.parse(redactText(JSON.stringify(args)).text)]),
      );
      for (const [i, { name, gave }] of one.calls.entries()) {
        const { output = '', cut } = calls[i]!;
        const left = hidden(gave).flatMap((text) => (cut ? [] : unsaid(text, output)));
        expect({ id: one.id, i, name, left }).toEqual({ id: one.id, i, name, left: [] });
      }
    }
  });

  it('are the prompts and calls of the census', () => {
    const databases = known.filter(({ calls }) => calls.some(({ id }) => id !== undefined));
    const count = (some: readonly Conversation[]) => some.reduce((sum, { calls }) => sum + calls.length, 0);
    expect(databases.length).toBe(5);
    expect(count(databases)).toBe(141);
    // The census counts calls that a model made: one more is a file that a person gave.
    expect(count(known)).toBe(552 + 1);
    expect(known.reduce((sum, { prompts }) => sum + prompts.length, 0)).toBe(80);
  });

  it('cost what the census says, and what steps alone tell', () => {
    expect(tokensIn(held.home)).toEqual({
      responses: 174,
      input: 841_952,
      output: 57_176,
      cached: 6_001_129,
      thought: 38_748,
    });
    const shown = [...held.shown.values()].flatMap(({ session }) => Object.entries(session.tokens_by_model));
    expect(new Set(shown.map(([model]) => model))).toEqual(new Set(['gemini-3-flash-a']));
    const sum = (of: (tokens: (typeof shown)[number][1]) => number) =>
      shown.reduce((all, [, tokens]) => all + of(tokens), 0);
    // The titles of the five conversations, and two answers whose request has no row of its own.
    const beside = tokensBeside(held.home);
    expect(beside).toEqual({ responses: 7, input: 72_457, output: 2755, cached: 113_689, thought: 2390 });
    expect({
      input: sum(({ input }) => input),
      output: sum(({ output }) => output),
      cached: sum(({ cache_read }) => cache_read),
      thought: sum(({ reasoning }) => reasoning),
    }).toEqual({
      input: 841_952 + beside.input,
      output: 57_176 + beside.output,
      cached: 6_001_129 + beside.cached,
      thought: 38_748 + beside.thought,
    });
  });
});

/** Lines that an output has not. A step says how many it leaves out, and the log of its task has them. */
function unsaid(gave: string, output: string): string[] {
  const lines = output.split('\n').map((line) => line.trim());
  const all = new Set(lines);
  return gave.split('\n').filter((line) => {
    const said = line.trim();
    return (
      !all.has(said) &&
      !/^<truncated \d+ lines>$/.test(said) &&
      !lines.some((one) => one.startsWith(`${said} (`) || one.startsWith(`${said}/`))
    );
  });
}

const hidden = (texts: readonly string[]) => texts.map((text) => redactText(text).text);
