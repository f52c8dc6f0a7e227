import type { Size } from './paint.ts';

/** A rectangle of the screen; rows and columns count from 0. */
export interface Area {
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
}

export interface Layout {
  readonly list: Area;
  /** Beside the list on wide terminals, below it on others; absent where there is no room, or it is not wanted. */
  readonly preview?: Area & { readonly isBeside: boolean };
}

/** The query, and the line that sums up. */
export const HEAD_ROWS = 2;
/** The keys, or a message. */
export const FOOT_ROWS = 1;
/** Lines that an item takes. */
export const ITEM_ROWS = 2;
/** The reader's title and its rule. */
export const READER_HEAD_ROWS = 2;
/** From here on list and preview stand side by side. */
const WIDE = 150;
const WIDEST_LIST = 110;
/** With fewer rows there is room for the list alone. */
const LEAST_ROWS = 16;

/** How the picker's screen is parted. */
export function layoutOf({ columns, rows }: Size, hasPreview: boolean): Layout {
  const body = Math.max(ITEM_ROWS, rows - HEAD_ROWS - FOOT_ROWS);
  const whole = { row: HEAD_ROWS, column: 0, rows: body, columns };
  if (!hasPreview) return { list: whole };
  if (columns >= WIDE) {
    const list = Math.min(WIDEST_LIST, Math.floor(columns * 0.5));
    const preview = { row: HEAD_ROWS, column: list + 3, rows: body, columns: columns - list - 3, isBeside: true };
    return { list: { ...whole, columns: list }, preview };
  }
  if (rows < LEAST_ROWS) return { list: whole };
  // An odd row goes to the preview; its heading takes another.
  const list = Math.floor((body * 0.5) / ITEM_ROWS) * ITEM_ROWS;
  const preview = { row: HEAD_ROWS + list + 1, column: 0, rows: body - list - 1, columns, isBeside: false };
  return { list: { ...whole, rows: list }, preview };
}

export const itemsOn = ({ list }: Layout) => Math.max(1, Math.floor(list.rows / ITEM_ROWS));
export const readerHeight = ({ rows }: Size) => Math.max(1, rows - READER_HEAD_ROWS - FOOT_ROWS);
