import type { NotShownCounter } from '../not-shown.ts';
import type { SessionTeller } from '../session-teller.ts';

/** What the readers of steps and of lines tell a conversation by. */
export interface Told {
  readonly id: string;
  readonly tell: SessionTeller;
  readonly notShown: NotShownCounter;
  readonly cwd: string | undefined;
  /** The calls that steps ran, by the steps' numbers. */
  readonly ran: Map<number, string>;
  /** What a task in the background wrote, as the file that is named has it. */
  outputOf(log: string | undefined): string | undefined;
}
