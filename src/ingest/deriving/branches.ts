interface TurnOfTree {
  readonly turn: number;
  /** Hash of the record that the prompt follows. */
  readonly after?: number;
}

/**
 * The turns that the conversation left: a prompt that follows an earlier record than the last one begins a new branch
 * there, and the turns between are no longer part of what the agent sees. The last turn is on the live branch.
 */
export function rewoundTurns(
  turns: readonly TurnOfTree[],
  turnOf: (record: number) => number | undefined,
): Set<number> {
  const before = new Map<number, number | undefined>();
  turns.forEach((turn, i) => {
    const previous = turns[i - 1]?.turn;
    const named = turn.after === undefined ? undefined : turnOf(turn.after);
    before.set(turn.turn, named !== undefined && named < turn.turn ? named : previous);
  });
  const live = new Set<number>();
  for (let turn = turns.at(-1)?.turn; turn !== undefined; turn = before.get(turn)) live.add(turn);
  return new Set(turns.map((turn) => turn.turn).filter((turn) => !live.has(turn)));
}
