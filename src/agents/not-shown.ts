/** How often what is known was not shown, by kind: what `doctor` tells. */
export type NotShown = Readonly<Record<string, number>>;

/** Counts by kind what a reader knows and does not show. */
export class NotShownCounter {
  private readonly counts = new Map<string, number>();

  add(kind: string, times = 1): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + times);
  }

  /** What was counted since the last time. */
  take(): NotShown {
    const taken = Object.fromEntries(this.counts);
    this.counts.clear();
    return taken;
  }
}
