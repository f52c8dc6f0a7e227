import type { Archive } from '../../archive/archive.ts';
import type { ChunkBody } from '../../archive/delta.ts';
import type { Lineages } from '../../catalog/lineages.ts';
import type { CatalogTurn } from '../../catalog/listed.ts';
import { type Growth, wasPut } from './growth.ts';

/** Record owners by hash, for the records that several sessions hold. */
export type Owners = ReadonlyMap<number, number>;

/** How much of a turn its session shows. */
type Shown = Pick<CatalogTurn, 'replayOf' | 'ownParts'>;

/** A turn of a session, as the catalog has it until now. */
export interface SettlingTurn {
  readonly session: number;
  readonly turn: number;
  readonly before: CatalogTurn | undefined;
}

type PutChunk = (
  session: number,
  turn: number,
  chunk: number,
  body: ChunkBody,
  isForeign: (record: number) => boolean,
) => void;

const NONE: ReadonlySet<number> = new Set();
const nothingForeign = () => false;

/** Says how much of a turn is its session's own to show, and indexes what of it is, where that changed. */
export class Ownership {
  private readonly archive: Archive;
  private readonly lineages: Lineages;
  private readonly putChunk: PutChunk;

  /** @param putChunk indexes a chunk again, without its foreign parts */
  constructor(archive: Archive, lineages: Lineages, putChunk: PutChunk) {
    this.archive = archive;
    this.lineages = lineages;
    this.putChunk = putChunk;
  }

  /** By who owns the records that several sessions hold. Undefined for a turn without parts. */
  judge(at: SettlingTurn, owners: Owners, growth: Growth): Shown | undefined {
    const { session, turn, before } = at;
    const isForeign = (hash: number) => (owners.get(hash) ?? session) !== session;
    const records = owners.size === 0 ? [] : this.archive.recordsIn(session, turn);
    const foreign = records.filter(isForeign);
    const [first] = foreign;
    if (first === undefined) return this.showWhole(at);
    const replayOf = owners.get(first)!;
    if (before?.ownParts !== undefined && !wasPut(growth, turn) && this.isAsBefore(at, records, foreign))
      return { replayOf, ownParts: before.ownParts };
    const chunks = this.archive.chunksOf(session, turn);
    if (chunks.length === 0) return undefined;
    const parts = chunks.flatMap(({ body }) => body.records);
    const own = parts.filter((hash) => !isForeign(hash)).length;
    if (own === parts.length) return this.showWhole(at);
    for (const { chunk, body } of chunks) this.putChunk(session, turn, chunk, body, isForeign);
    this.lineages.putForeign(session, turn, own > 0 ? foreign : []);
    return { replayOf, ownParts: own > 0 ? 'some' : 'none' };
  }

  /** The same for a turn that grew by records that no other session holds: who owns the others is as it was. */
  extend(at: SettlingTurn, growth: Growth): Shown | undefined {
    const { session, turn, before } = at;
    const put = growth.turns.get(turn) ?? NONE;
    if (before?.ownParts === undefined)
      return before || put.size > 0 || this.archive.hasParts(session, turn) ? {} : undefined;
    const isForeign =
      before.ownParts === 'some'
        ? (record: number) => this.lineages.isForeign(session, turn, record)
        : (record: number) => this.archive.isHeldElsewhere(session, record);
    let showsSome = before.ownParts === 'some';
    for (const chunk of put) {
      const stored = this.archive.chunk(session, turn, chunk);
      if (!stored) continue;
      const foreign = stored.body.records.filter(isForeign).length;
      if (foreign > 0) this.putChunk(session, turn, chunk, stored.body, isForeign);
      if (foreign < stored.body.records.length) showsSome = true;
    }
    if (showsSome && before.ownParts === 'none')
      this.lineages.putForeign(session, turn, this.archive.recordsHeldElsewhere(session, turn));
    return {
      ...(before.replayOf !== undefined && { replayOf: before.replayOf }),
      ownParts: showsSome ? 'some' : 'none',
    };
  }

  private isAsBefore({ session, turn, before }: SettlingTurn, records: readonly number[], foreign: readonly number[]) {
    return before?.ownParts === 'none'
      ? foreign.length === records.length
      : this.lineages.areForeign(session, turn, foreign);
  }

  private showWhole({ session, turn, before }: SettlingTurn): Shown | undefined {
    if (before?.ownParts !== undefined) {
      for (const { chunk, body } of this.archive.chunksOf(session, turn))
        this.putChunk(session, turn, chunk, body, nothingForeign);
      this.lineages.putForeign(session, turn, []);
    }
    return before || this.archive.hasParts(session, turn) ? {} : undefined;
  }
}
