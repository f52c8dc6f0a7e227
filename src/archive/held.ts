import { hash53, type Part } from '../transcript/index.ts';

/** What is said in some turns, each thing as often as it is said: by it is found what another telling has besides. */
export class Held {
  private readonly counts: Map<number, number>;

  constructor(counts: ReadonlyMap<number, number> = new Map()) {
    this.counts = new Map(counts);
  }

  copy(): Held {
    return new Held(this.counts);
  }

  add(parts: readonly Part[]): void {
    for (const part of parts) for (const key of keysOf(part)) this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  /** Whether all that a part says is held once more; it is taken out. */
  take(part: Part): boolean {
    const keys = keysOf(part);
    if (keys.some((key) => !this.counts.get(key))) return false;
    for (const key of keys) this.counts.set(key, this.counts.get(key)! - 1);
    return true;
  }
}

/** A call and its output are two things: either may change alone. */
function keysOf(part: Part): number[] {
  switch (part.type) {
    case 'text':
      return [hash53(`${part.role} ${part.text}`)];
    case 'thinking':
      return [hash53(`thinking ${part.text}`)];
    case 'notice':
      return [hash53(`notice ${part.text}`)];
    case 'attachment':
      return [hash53(`attachment ${part.kind} ${part.name ?? ''} ${part.bytes ?? ''}`)];
    case 'tool_call': {
      const call = hash53(`call ${part.name} ${JSON.stringify(part.input)}`);
      return part.output === undefined || part.output === '' ? [call] : [call, hash53(`output ${part.output}`)];
    }
  }
}
