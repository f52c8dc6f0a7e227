import { hash53 } from '../../transcript/index.ts';
import { shortened } from './names.ts';

/** Which of the two ways a text was written: as what happened, or as what the model said and was told. */
export type Family = 'event' | 'item';

/** Key, times written as an event, times written as an item. */
export type Written = [key: string, events: number, items: number];

/** The two stand beside each other: what is further apart is another text. */
const REMEMBERED = 40;

/** Codex writes answers and thoughts twice, in either order or only once: each is to be told once. */
export class Twice {
  private written: Written[];

  constructor(written: readonly Written[]) {
    this.written = written.map((one) => [...one]);
  }

  /** Whether this is the first of the two. */
  isFirst(kind: string, family: Family, said: string): boolean {
    const key = hash53(`${kind} ${shortened(said.trim())}`).toString(36);
    let one = this.written.find((other) => other[0] === key);
    if (!one) {
      one = [key, 0, 0];
      this.written.push(one);
      if (this.written.length > REMEMBERED) this.written.shift();
    }
    const told = Math.max(one[1], one[2]);
    const times = family === 'event' ? ++one[1] : ++one[2];
    return times > told;
  }

  state(): readonly Written[] {
    return this.written;
  }
}
