import { Archive } from '../../src/archive/archive.ts';
import { packChunk } from '../../src/archive/bodies.ts';
import type { ChunkDelta, SessionDelta, TurnDelta } from '../../src/archive/delta.ts';
import { Keeper } from '../../src/archive/keeper.ts';
import { openArchive } from '../../src/archive/schema.ts';
import type { CatalogSession } from '../../src/catalog/listed.ts';
import { describeChunk, piecesOf } from '../../src/holdings/passages.ts';
import type { Stores } from '../../src/holdings/stores.ts';
import { type Home, makeHome } from '../../src/home/paths.ts';
import type { Part } from '../../src/transcript/index.ts';
import { Chance } from '../../test/support/chance.ts';
import { Variation } from './words.ts';

const DAY = 86_400_000;
/** Sessions lie within so many days before the clock, newer ones closer together. */
const DAYS = 730;
const SESSIONS_A_TRANSACTION = 50;

/**
 * Keeps a large history in an archive of its own: the sessions of a corpus again and again, each time with other words,
 * ids and times. Its sessions, turns, tools, passages and their lengths are the corpus's. Gives the passages it makes.
 */
export function keepHistory(corpus: Stores, home: Home, passages: number, seed: number, now: number): number {
  makeHome(home);
  const db = openArchive(home.archive);
  try {
    const keeper = new Keeper(new Archive(db));
    const writer = new HistoryWriter(corpus, keeper, seed, now);
    while (writer.passages < passages)
      db.transaction(() => {
        for (let i = 0; i < SESSIONS_A_TRANSACTION && writer.passages < passages; i++) writer.keepNext();
        keeper.noteChange();
      });
    return writer.passages;
  } finally {
    db.close();
  }
}

class HistoryWriter {
  passages = 0;
  private readonly corpus: Stores;
  private readonly keeper: Keeper;
  private readonly now: number;
  private readonly chance: Chance;
  private readonly variation: Variation;
  private readonly sessions: readonly CatalogSession[];
  private kept = 0;

  constructor(corpus: Stores, keeper: Keeper, seed: number, now: number) {
    this.corpus = corpus;
    this.keeper = keeper;
    this.now = now;
    this.chance = new Chance(seed);
    this.sessions = corpus.catalog.sessions("kind = 'transcript' AND hidden = 0 AND turns > 0", [], 'key', -1);
    this.variation = new Variation(this.texts(), seed);
  }

  private *texts(): Iterable<string> {
    for (const { id } of this.sessions)
      for (const { body } of this.chunksOf(id))
        for (const part of body.parts) for (const { text } of piecesOf(part)) yield text;
  }

  private *chunksOf(session: number) {
    for (const turn of this.corpus.catalog.turnsOf(session)) {
      // Another session shows it.
      if (turn.ownParts !== undefined) continue;
      for (const chunk of this.corpus.archive.chunksOf(session, turn.turn)) yield { turn: turn.turn, ...chunk };
    }
  }

  keepNext(): void {
    const session = this.sessions[this.kept % this.sessions.length]!;
    const number = ++this.kept;
    const nativeId = `${session.nativeId.slice(0, 24)}-${number}`;
    const end = this.now - Math.floor(this.chance.next() ** 2 * DAYS * DAY);
    const shift = end - (session.ended ?? session.active ?? end);
    const path = `/history/${session.source}/${nativeId}`;
    const unit = { source: session.source, path, layout: '', format: 'snapshot', size: 0, modified: end } as const;
    const delta = this.vary(session, nativeId, shift);
    const place = { ...unit, identity: String(number) };
    this.keeper.apply(
      this.keeper.noteUnit(place, 1),
      place,
      {
        fresh: true,
        sessions: [delta],
        checkpoint: { offset: 0, line: 0, state: null, headHash: '', tailHash: '' },
        tally: { records: 0, bytes: 0, failures: [], unknown: {}, notShown: {} },
        done: true,
      },
      true,
    );
  }

  /** A session with other words, at another time. */
  private vary(session: CatalogSession, nativeId: string, shift: number): SessionDelta {
    const later = (at: number | undefined) => (at === undefined ? undefined : at + shift);
    const chunks = [...this.chunksOf(session.id)].map(({ turn, chunk, first, body }): ChunkDelta => {
      const parts = body.parts.map((part) => this.varyPart(part, shift));
      const varied = { parts, records: parts.map(() => 0) };
      const { packed, kept } = packChunk(varied);
      const description = describeChunk(varied);
      this.passages += description.passages.length;
      return { turn, chunk, first, body: packed, kept, ...description };
    });
    const turns = this.corpus.catalog.turnsOf(session.id).map(
      (turn): TurnDelta => ({
        turn: turn.turn,
        begun: {
          anchor: turn.anchor,
          ...(turn.prompt !== undefined && { prompt: this.variation.vary(turn.prompt) }),
        },
        records: new Float64Array(),
        ...times(later(turn.started), later(turn.ended)),
      }),
    );
    const facts = {
      ...(session.title !== undefined && { titles: { agent: this.variation.vary(session.title) } }),
      ...(session.cwd !== undefined && { cwd: session.cwd }),
      ...(session.branch !== undefined && { branch: session.branch }),
      models: session.more.models,
    };
    if (session.title !== undefined) this.passages++;
    return {
      nativeId,
      facts: [facts],
      turns,
      turnCount: Math.max(0, ...turns.map(({ turn }) => turn)) + 1,
      chunks,
      patches: [],
      calls: [],
      limits: [],
      openCalls: {},
      orphans: {},
      spawns: [],
      secrets: 0,
      cutOutputs: 0,
      notShown: {},
      ...times(later(session.started), later(session.ended ?? session.active)),
    };
  }

  private varyPart(part: Part, shift: number): Part {
    const at = part.at === undefined ? {} : { at: part.at + shift };
    switch (part.type) {
      case 'attachment':
        return { ...part, ...at };
      case 'tool_call':
        return {
          ...part,
          ...at,
          input: this.varyDeep(part.input, part.paths),
          ...(part.output !== undefined && { output: this.variation.vary(part.output) }),
        };
      default:
        return { ...part, ...at, text: this.variation.vary(part.text) };
    }
  }

  /** Paths stay: they are what tells files apart. */
  private varyDeep(value: unknown, paths: readonly string[]): unknown {
    if (typeof value === 'string') return paths.includes(value) ? value : this.variation.vary(value);
    if (Array.isArray(value)) return value.map((item) => this.varyDeep(item, paths));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.varyDeep(item, paths)]));
  }
}

function times(started: number | undefined, ended: number | undefined) {
  return { ...(started !== undefined && { started }), ...(ended !== undefined && { ended }) };
}
