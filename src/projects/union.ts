/** Sets of names that mean one thing. */
export class Union {
  private readonly above = new Map<string, string>();

  /** The least name of a set: the same in whatever order it was joined. */
  of(name: string): string {
    let at = name;
    for (let next = this.above.get(at); next !== undefined; next = this.above.get(at)) at = next;
    if (at !== name) this.above.set(name, at);
    return at;
  }

  join(a: string, b: string): void {
    const [first, second] = [this.of(a), this.of(b)].sort();
    if (first !== second) this.above.set(second!, first!);
  }
}
