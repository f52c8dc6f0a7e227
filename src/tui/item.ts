/** Something in the list: a turn that was found, or a session. */
export interface Item {
  /** The id that `portolan show` takes. */
  readonly id: string;
  readonly session: string;
  /** Absent where the item is a whole session. */
  readonly turn?: number;
  readonly title?: string;
  readonly label: string;
  readonly project?: string;
  readonly branch?: string;
  readonly cwd?: string;
  /** The folder that its history lies inside, where that is not the agent's own. */
  readonly inside?: string;
  /** Epoch milliseconds. */
  readonly at?: number;
  readonly snippet?: string;
  /** UTF-16 offsets into the snippet. */
  readonly highlights?: readonly (readonly [number, number])[];
  /** Line of the agent's file where the snippet stands. */
  readonly line?: number;
  readonly moreTurns?: number;
  /** Turns of the session. */
  readonly turns?: number;
  readonly isStarred: boolean;
}
