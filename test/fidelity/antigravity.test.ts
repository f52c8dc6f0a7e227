import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redactText } from '../../src/redact/redact.ts';
import { homes } from '../agents/antigravity/evidence.ts';
import { type Conversation, conversationsIn, textsIn, tokensBeside, tokensIn } from '../oracle/antigravity.ts';
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

  it('are found by what was said in them, at its turn; the command line’s are taken up by its own command', async () => {
    for (const { id, prompts } of known.filter((one) => one.prompts.length > 0)) {
      const longest = hidden(prompts).reduce((a, b) => (b.length > a.length ? b : a));
      const words = longest
        .replace(/[^\p{L}\p{N} ]/gu, ' ')
        .split(/ +/)
        .filter((word) => word.length > 3);
      const hits = await held.product.search(words.slice(0, 12).join(' '));
      const { session, turns } = held.shown.get(id)!;
      const found = hits
        .filter((hit) => hit.session === session.id)
        .map(({ turn }) => turns.find((one) => one.index === turn));
      expect(
        found.map((turn) => turn?.prompt),
        id,
      ).toContain(longest);
    }
    const ofTerminal = known.find(({ id }) => held.shown.get(id)!.session.path.includes('antigravity-cli'));
    expect(await held.product.resume(`antigravity:${ofTerminal!.id}`)).toMatchObject({
      argv: ['agy', '--conversation', ofTerminal!.id],
    });
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

  it('have no text in a database that is neither shown nor counted', () => {
    const shown = new Map(known.map((one) => [one.id, stringsIn(partsOf(one)).join('\n')]));
    const silent = textsIn(held.home).filter(({ id, at, text }) => {
      const kind = COUNTED.find(([path]) => at.startsWith(path))?.[1];
      const all = shown.get(id) ?? '';
      const said = redactText(text).text;
      return !(kind !== undefined && (held.notShown[kind] ?? 0) > 0) && !isIn(all, said);
    });
    expect(silent.map(({ id, step, at, text }) => `${id} ${step} ${at} ${text.slice(0, 100)}`)).toEqual([]);
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

/** Fields whose texts are counted, by the name that they are counted under. */
const COUNTED = [
  ['10.13.', 'code action chunks'],
  ['10.2.', 'code action difference'],
  ['114.2.', 'message title'],
  ['114.4.', 'message envelope'],
  ['13.10.', 'grep_search command'],
  ['14.18.', 'view_file skill'],
  ['140.2.2.', 'generic details'],
  ['140.2.3.', 'generic rendering'],
  ['148.', 'task reference'],
  ['19.12.', 'prompt settings'],
  ['19.13.', 'prompt settings'],
  ['24.3.3.', 'error stack'],
  ['24.3.5.', 'error call'],
  ['24.3.9.', 'injected/error guidance'],
  ['28.26.', 'run_command earlier output'],
  ['30.14.', 'checkpoint documents'],
  ['30.19.', 'checkpoint prompts'],
  ['31.3.', 'error stack'],
] as const;

/** Whether a text is shown: itself, the arguments that it is, line by line, or the path that it is as a URL. */
function isIn(all: string, said: string): boolean {
  if (all.includes(said)) return true;
  // A path is spelled as the model spelled it.
  const path = slashed(said).replace(/^file:\/+(?=[a-z]:)/, '');
  if (/^[a-z]:|^[\w./-]+$/.test(path)) return slashed(all).includes(path);
  try {
    return stringsIn(JSON.parse(said)).every((one) => all.includes(redactText(one).text));
  } catch {
    return unsaid(said, all).length === 0;
  }
}

const slashed = (said: string) => said.replaceAll('%20', ' ').replaceAll('\\', '/').toLowerCase();

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

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
