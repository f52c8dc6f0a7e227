import { createHash } from 'node:crypto';
import type { CatalogSession } from '../src/catalog/listed.ts';
import { piecesOf } from '../src/holdings/passages.ts';
import type { Stores } from '../src/holdings/stores.ts';
import { wordTokens } from '../src/lexical/words/identifiers.ts';
import { eachRun } from '../src/lexical/words/tokens.ts';
import { turnsOf } from '../src/search/transcripts/transcript.ts';
import type { Turn } from '../src/transcript/index.ts';

/** Who keeps a turn: an agent's transcript, or the history of prompts whose transcript is gone. */
export type Origin = string;
const PROMPTS: Origin = 'prompts alone';

/** A turn that may be asked for. */
export interface Known {
  readonly session: CatalogSession;
  readonly turn: number;
  readonly origin: Origin;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Turns with the same content are copies of each other. */
  readonly content: string;
}

/** Everything that stands in the corpus, turn by turn, and in how many turns each token stands. */
export class Corpus {
  readonly turns: readonly Known[];
  private readonly frequencies = new Map<string, number>();
  private readonly contents = new Map<string, string>();
  private readonly stores: Stores;

  constructor(stores: Stores) {
    this.stores = stores;
    const turns: Known[] = [];
    const sessions = stores.catalog.sessions('hidden = 0', [], 'source, key', -1);
    for (const session of sessions) for (const turn of turnsOf(stores, session)) turns.push(this.learn(session, turn));
    this.turns = turns;
  }

  private learn(session: CatalogSession, turn: Turn): Known {
    const text = textOf(turn);
    for (const token of new Set(tokensIn(text))) this.frequencies.set(token, this.turnsWith(token) + 1);
    const content = createHash('sha256').update(text).digest('hex');
    this.contents.set(`${session.key}#${turn.index}`, content);
    const origin = session.kind === 'prompts' ? PROMPTS : session.source;
    return { session, turn: turn.index, origin, at: turn.startedAt ?? session.active ?? 0, content };
  }

  /** In how many turns a token stands. */
  turnsWith(token: string): number {
    return this.frequencies.get(token) ?? 0;
  }

  /** What says that two turns hold the same, by their ids. */
  contentOf(id: string): string | undefined {
    return this.contents.get(id);
  }

  /** A turn with its parts. */
  read({ session, turn }: Known): Turn {
    return turnsOf(this.stores, session, { range: [turn, turn] })[0]!;
  }
}

/** All that is searchable of a turn, but the titles. */
function textOf(turn: Turn): string {
  return turn.parts.flatMap((part) => piecesOf(part).map(({ text }) => text)).join('\n');
}

export function tokensIn(text: string): string[] {
  const tokens: string[] = [];
  eachRun(text, (start, end) => {
    for (const token of wordTokens(text.slice(start, end))) tokens.push(token);
  });
  return tokens;
}
