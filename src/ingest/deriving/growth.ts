/** What is to be settled of a session before the transaction ends: what has changed of it, and so of its rows. */
export interface Growth {
  /** Turns that grew or changed, with the chunks of them that were put. */
  readonly turns: Map<number, Set<number>>;
  /** All of its turns were put. */
  isWhole: boolean;
  /** Who shows the records that it holds in common with others may be another. */
  lineage: boolean;
  /** So may be the session that it came from. */
  parent: boolean;
  /** And the names that it was given. */
  titles: boolean;
}

/** The sessions that are to be settled, each with what has changed. */
export class Growths {
  private readonly growths = new Map<number, Growth>();

  of(session: number): Growth {
    const known = this.growths.get(session);
    if (known) return known;
    const growth = { turns: new Map(), isWhole: false, lineage: false, parent: false, titles: false };
    this.growths.set(session, growth);
    return growth;
  }

  noteChunk(session: number, turn: number, chunk: number): void {
    this.noteTurn(session, turn).add(chunk);
  }

  /** Gives the chunks of the turn that were put. */
  noteTurn(session: number, turn: number): Set<number> {
    const { turns } = this.of(session);
    const chunks = turns.get(turn) ?? new Set();
    turns.set(turn, chunks);
    return chunks;
  }

  sessions(): number[] {
    return [...this.growths.keys()];
  }

  drop(session: number): void {
    this.growths.delete(session);
  }

  clear(): void {
    this.growths.clear();
  }
}

/** Whether chunks of a turn were put, so that parts of it may be shown that are another session's to show. */
export function wasPut({ isWhole, turns }: Growth, turn: number): boolean {
  return isWhole || turns.has(turn);
}
