/**
 * What was said when an agent was recorded, and whether the product shows it: every session, its prompts in order, each tool
 * call with its arguments, and each planted phrase where it belongs. Knows nothing of any format.
 */
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { HeldHome } from './evidence.ts';
import { type Shown, type ShownPart, shared } from './product.ts';

export interface Recorded {
  readonly id: string;
  readonly cwd: string;
  readonly prompts: readonly string[];
  readonly planted?: readonly { readonly phrase: string; readonly in: string; readonly found: boolean }[];
  readonly tools?: readonly { readonly name: string; readonly input: unknown; readonly agent?: string }[];
  readonly tokens?: unknown;
}

/** The sessions that were recorded with an agent. */
export function recordedSessions(agent: string): Recorded[] {
  return JSON.parse(readFileSync(shared('corpus', 'live', agent, 'expected.json'), 'utf8')).sessions;
}

/** Which phrases of prompts and answers search does not find in the turn that has them, among those planted by themselves. */
export async function unfound(held: HeldHome, recorded: readonly Recorded[]): Promise<string[]> {
  const unfound: string[] = [];
  for (const { id, planted = [] } of recorded)
    for (const { phrase, in: where, found } of planted) {
      if (!found || !/^(?:prompt|answer)/.test(where)) continue;
      const shown = [...held.shown.values()].find(({ session }) => session.native_id === id);
      const [hit] = await held.product.search(`"${phrase}"`);
      const turn = shown?.turns.find(({ index }) => index === hit?.turn);
      const isThere = hit?.session === shown?.session.id && JSON.stringify(turn ?? '').includes(phrase);
      if (!isThere) unfound.push(`${id}: “${phrase}” in ${where}`);
    }
  return unfound;
}

/** What a model was given and gave, as one sum each. */
type Cost = Readonly<Record<'input' | 'cached' | 'output', number>>;

/** What the sessions of a home cost by model, as the census counted it where thoughts stand beside the output. */
export function censusTokens(home: string): Record<string, Cost> {
  const { tokens } = JSON.parse(readFileSync(shared('corpus', 'census.json'), 'utf8'))[home];
  return Object.fromEntries(
    Object.entries<Record<string, number>>(tokens).map(
      ([model, { input = 0, cached = 0, output = 0, thoughts = 0 }]) => [
        model,
        { input, cached, output: output + thoughts },
      ],
    ),
  );
}

/** The same of what is shown. */
export function shownTokens({ shown }: HeldHome): Record<string, Cost> {
  const sums = new Map<string, Cost>();
  for (const { session } of shown.values())
    for (const [model, tokens] of Object.entries(session.tokens_by_model)) {
      const { input, cached, output } = sums.get(model) ?? { input: 0, cached: 0, output: 0 };
      sums.set(model, {
        input: input + tokens.input + tokens.cache_read,
        cached: cached + tokens.cache_read,
        output: output + tokens.output,
      });
    }
  return Object.fromEntries(sums);
}

/** Named differences between what was said and what the agent's file holds of it. */
export interface Rules {
  /** What is compared of a prompt. */
  readonly promptOf?: (prompt: string) => string;
  /** The arguments of a call, of what the model gave. */
  readonly inputOf?: (input: unknown, name: string) => unknown;
}

/** What is not shown as it was said: nothing. Each fault names the session and what is missing. */
export function faultsOf(held: HeldHome, recorded: readonly Recorded[], rules: Rules = {}): string[] {
  return recorded.flatMap((session) => {
    const shown = held.shown.get(session.id);
    return shown ? [...faultsIn(held, session, shown, rules)] : [`${session.id}: not shown`];
  });
}

function* faultsIn(
  held: HeldHome,
  session: Recorded,
  shown: Shown,
  { promptOf, inputOf = (input) => input }: Rules,
): Generator<string> {
  const all = shown.turns.flatMap(({ prompt }) => prompt ?? []);
  const prompts = promptOf ? all.map(promptOf) : all;
  if (!isDeepStrictEqual(prompts, promptOf ? session.prompts.map(promptOf) : session.prompts))
    yield `${session.id}: prompts ${JSON.stringify(prompts)}, not ${JSON.stringify(session.prompts)}`;
  const parts = [shown, ...childrenOf(held, shown)].flatMap(({ turns }) => turns.flatMap((turn) => turn.parts));
  const calls = parts.filter(({ type }) => type === 'tool_call');
  for (const { name, input } of session.tools ?? [])
    if (!calls.some((call) => isDeepStrictEqual(call.input, inputOf(input, name))))
      yield `${session.id}: no call of ${name} with ${JSON.stringify(input).slice(0, 200)}`;
  for (const { phrase, in: where, found } of session.planted ?? [])
    if (found && !parts.some((part) => isIn(where, part) && JSON.stringify(part).includes(phrase)))
      yield `${session.id}: “${phrase}” is not in ${where}`;
}

function childrenOf(held: HeldHome, { session }: Shown): Shown[] {
  const own = session.children.flatMap((id) => held.shown.get(id.slice(id.indexOf(':') + 1)) ?? []);
  return own.flatMap((child) => [child, ...childrenOf(held, child)]);
}

/** Whether a part is of the kind in which a phrase was planted. */
function isIn(where: string, part: ShownPart): boolean {
  if (where.startsWith('prompt')) return part.type === 'text' && part.role === 'user';
  if (where.startsWith('thinking')) return part.type === 'thinking';
  if (where.startsWith('answer')) return part.type === 'text' && part.role === 'assistant';
  if (/output/.test(where)) return part.type === 'tool_call' && part.output !== undefined;
  return true;
}
