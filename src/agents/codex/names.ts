import { hash53 } from '../../transcript/index.ts';

export interface NamesState {
  /** All names so far, as one. */
  chain: string;
  /** What a name stands in: the turn's own id, else what the chain was when the turn began. */
  context: string;
}

/** An id that no other turn has; the first versions counted turns instead. */
const UNIQUE = /^[0-9a-f]{8}-[0-9a-f]{4}-/i;

/**
 * Names for records, since Codex gives them none: of the turn a record stands in and of what it says. A fork or a
 * sub-agent that begins with a copy of its parent's records gives them the same names, also where the copy left some
 * out, got new times, or was written by another version. Turns without an id are known by all that stands before
 * them, from the oldest ancestor's id on: there the names are equal up to the turn in which the copy leaves its
 * original.
 */
export class Names {
  readonly state: NamesState;

  constructor(state: NamesState) {
    this.state = state;
  }

  static from(seed: string): Names {
    const chain = hash53(`codex ${seed}`).toString(36);
    return new Names({ chain, context: chain });
  }

  /** The turn that what follows stands in. */
  turn(id: string | undefined): void {
    this.state.context = id !== undefined && UNIQUE.test(id) ? id : this.state.chain;
  }

  /** Whether the turn is known by what stood before it. */
  get isCounted(): boolean {
    return !UNIQUE.test(this.state.context);
  }

  /** The name of what is said, in the turn that goes on. */
  name(kind: string, said: string): string {
    const name = hash53(`${this.state.context} ${kind} ${shortened(said)}`).toString(36);
    this.state.chain = hash53(`${this.state.chain} ${name}`).toString(36);
    return name;
  }
}

/** A text for comparing: long ones by their ends. */
export function shortened(said: string): string {
  return said.length <= 8192 ? said : `${said.length} ${said.slice(0, 4096)} ${said.slice(-4096)}`;
}
