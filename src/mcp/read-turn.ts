import * as z from 'zod/v4';
import { sourceOf } from '../agents/registry.ts';
import type { CatalogSession } from '../catalog/listed.ts';
import type { Stores } from '../holdings/stores.ts';
import { readConfig } from '../home/config.ts';
import { lagOf } from '../search/answers/search.ts';
import { sourceStates } from '../search/answers/source-states.ts';
import { identify } from '../search/transcripts/identify.ts';
import { sessionOf, turnsOf } from '../search/transcripts/transcript.ts';
import { isoTime, type Session, type Turn } from '../transcript/index.ts';
import { brief, LONGEST_ID } from './bounds.ts';
import { fenced, withoutMarks } from './fence.ts';
import { freshnessOf } from './freshness.ts';
import { turnDocument } from './schemas.ts';
import { type Answer, ToolError, tool } from './tool.ts';
import { MOST_PARTS, type ShownPart, type Window, windowOf } from './window.ts';

const DEFAULT_CHARS = 6000;
const LEAST_CHARS = 200;
const MOST_CHARS = 100_000;

export const readTurn = tool({
  name: 'read_turn',
  title: 'Read a turn of a past session',
  description: `Shows one turn of an earlier session: the prompt, what was answered, the tool calls with their outputs. Use it after search_history, with the id of a hit, whenever a snippet is not enough; the turns around it have the neighbouring numbers.
A long turn comes in pieces: the answer says at which offset to go on.`,
  input: z.object({
    id: z
      .string()
      .max(LONGEST_ID, `an id has at most ${LONGEST_ID} characters`)
      .describe(
        'A turn, like claude-code:5e955133-faf7-41f9-a843-c0b26ac6cce6#3. The session may be shortened to any unique beginning (5e95#3); a session alone shows its last turn.',
      ),
    max_chars: z
      .number()
      .int()
      .min(LEAST_CHARS)
      .max(MOST_CHARS)
      .optional()
      .describe(`Characters to show (${DEFAULT_CHARS})`),
    offset: z.number().int().min(0).optional().describe('Where to begin (0)'),
  }),
  output: turnDocument,
  async answer(input, call) {
    const id = input.id.trim();
    if (identify(call.stores(), id).found === 'nothing') await call.catchUp();
    const stores = call.stores();
    const { row, index } = named(stores, id);
    const turn = turnsOf(stores, row, { withParent: true, range: [index, index] })[0];
    if (!turn) throw new ToolError(`${withoutMarks(row.key)} has no turn ${index}.`, rangeHint(stores, row));
    const from = input.offset ?? 0;
    const session = sessionOf(stores, row, call.now);
    const { onDisk } = call.seen;
    const lagMs = lagOf(stores, call.now, onDisk);
    const state = sourceStates(stores, {}, readConfig(stores.home), onDisk)[row.source]!;
    const freshness = freshnessOf(lagMs, { [row.source]: state });
    const piece = (most: number, mostParts: number): Answer => {
      const window = windowOf(turn, from, most, mostParts);
      if (from > 0 && from >= window.total)
        throw new ToolError(`The turn ends before offset ${from}.`, `It has ${window.total} characters.`);
      return {
        document: {
          session,
          turn: { ...withoutRepetition(turn, window), parts: window.parts, partsLeftOut: window.unshown },
          window: { offset: window.from, total: window.total, nextOffset: window.next ?? null },
          sources: { [row.source]: { ...state, lagMs, gone: row.gone } },
        },
        text: textOf(session, turn, window, freshness),
        less:
          most > LEAST_CHARS || mostParts > 1 ? () => piece(half(most, LEAST_CHARS), half(mostParts, 1)) : undefined,
      };
    };
    return piece(input.max_chars ?? DEFAULT_CHARS, MOST_PARTS);
  },
});

const half = (count: number, least: number) => Math.max(least, count >> 1);

/** The turn that an id names; a session alone stands for its last. */
function named(stores: Stores, id: string): { readonly row: CatalogSession; readonly index: number } {
  const identified = identify(stores, id);
  if (identified.found === 'nothing')
    throw new ToolError(`No session matches “${withoutMarks(id)}”.`, 'search_history gives the ids of turns.');
  if (identified.found === 'several')
    throw new ToolError(
      `Several ids begin with “${withoutMarks(id)}”.`,
      `Which of these?\n${fenced(identified.candidates.map((one) => brief(one.key)).join('\n'))}`,
    );
  const row = identified.session;
  const index = identified.turn ?? stores.catalog.lastTurnOf(row.id);
  if (index === undefined) throw new ToolError(`${withoutMarks(row.key)} has no turns.`, 'Nothing was said in it.');
  return { row, index };
}

function rangeHint(stores: Stores, row: CatalogSession): string {
  const [first, last] = [stores.catalog.firstTurnOf(row.id), stores.catalog.lastTurnOf(row.id)];
  return first === undefined ? 'Nothing was said in it.' : `Its turns are ${first} to ${last}.`;
}

/** The prompt stands in the parts too: where a turn comes in pieces, it is not said again with each. */
function withoutRepetition(turn: Turn, window: Window): Turn {
  if (window.from === 0 && window.next === undefined) return turn;
  const { prompt: _, ...rest } = turn;
  return rest;
}

function textOf(session: Session, turn: Turn, window: Window, freshness: string): string {
  const facts = [
    turn.id,
    isoTime(turn.startedAt)?.slice(0, 16).replace('T', ' '),
    session.project && brief(session.project),
    session.branch && brief(session.branch),
    session.inside && `from inside ${brief(session.inside)}`,
    session.title && `“${brief(session.title.replace(/\s+/g, ' '))}”`,
  ].filter((fact) => fact !== undefined && fact !== '');
  const body = window.parts.map(partText).join('\n\n');
  const label = sourceOf(session.source)?.label ?? session.source;
  const end = window.parts.length === 0 ? window.from : (window.next ?? window.total);
  return [
    `${label}, ${freshness}${session.gone ? '; the agent has deleted its own file' : ''}. Turn ${turn.index} of ${session.counts.turns}${turn.rewound ? ', on a branch that was left (rewound)' : ''}${turn.superseded ? ', which the agent’s file does not hold any more (superseded)' : ''}.`,
    '',
    fenced(`${facts.join(' · ')}\n\n${body}`),
    `Characters ${window.from} to ${end} of ${window.total}.${window.next === undefined ? '' : ` Go on with offset ${window.next}.`}`,
  ].join('\n');
}

function partText(part: ShownPart): string {
  const more = part.leftOut === undefined ? '' : ` (${part.leftOut} characters of it not in this piece)`;
  switch (part.type) {
    case 'text':
      return `[${part.role}]${more}\n${part.text}`;
    case 'thinking':
      return `[thinking]${more}\n${part.text}`;
    case 'notice':
      return `[${part.kind}]${more}\n${part.text}`;
    case 'attachment':
      return `[attachment: ${brief([part.name, part.kind, part.mime].filter((fact) => fact !== undefined).join(', '))}]`;
    case 'tool_call': {
      const result = [part.isError && 'failed', part.exitCode !== undefined && `exit ${part.exitCode}`].filter(Boolean);
      const input = part.inputText ?? (part.command === undefined ? JSON.stringify(part.input) : `$ ${part.command}`);
      const output = part.output === undefined ? 'no result was recorded' : part.output;
      return [
        `[${brief(part.name)}]${more}`,
        input ?? '',
        `[result${result.length > 0 ? `: ${result.join(', ')}` : ''}]`,
        output,
        ...(part.child === undefined ? [] : [`[sub-agent: ${part.child}]`]),
      ].join('\n');
    }
  }
}
