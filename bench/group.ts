import type { Row } from './table.ts';
import type { Workshop } from './workshop.ts';

/** Rows that are measured together. */
export interface Group {
  /** What `--rows` calls it. */
  readonly id: string;
  /** Measured only where it is named: it takes minutes. */
  readonly isLong?: boolean;
  measure(workshop: Workshop): Promise<Row[]>;
}
