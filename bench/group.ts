import type { Row } from './table.ts';
import type { Workshop } from './workshop.ts';

/** Rows that are measured together. */
export interface Group {
  /** What `--rows` calls it. */
  readonly id: string;
  measure(workshop: Workshop): Promise<Row[]>;
}
