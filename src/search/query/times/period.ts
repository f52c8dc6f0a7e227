/** A stretch of time that words name. */
export interface Period {
  /** Epoch milliseconds. */
  readonly from: number;
  /** Exclusive; absent where it goes on to now. */
  readonly to?: number;
  /** How many words name it. */
  readonly length: number;
  readonly kind: PeriodKind;
  /** The same name again, a round earlier: the Friday before, that month of the year before. */
  readonly before?: () => Period;
}

/**
 * How sure it is that words without a preposition mean a time: `clear` always, `date` (`2026-11-30`) at either end of
 * a query, `short` (`3d`) at its end, `name` (`March`, `2025`, an instant) never, `abbreviated` (`sat`) only where a
 * preposition bounds: `since sat`, but not "on SAT solvers".
 */
export type PeriodKind = 'clear' | 'date' | 'short' | 'name' | 'abbreviated';
