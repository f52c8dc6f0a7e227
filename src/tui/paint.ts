import { type Line, printLine, truncateLine } from '../render/spans.ts';
import type { Style } from '../render/style.ts';
import { displayWidth } from '../render/width.ts';

/** A whole screen. Row and column of the cursor count from 0; without one it is hidden. */
export interface Frame {
  readonly lines: readonly Line[];
  readonly cursor?: { readonly row: number; readonly column: number };
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

// Terminals that know synchronised output show the frame at once; the others ignore these.
const BEGIN = '\x1b[?2026h\x1b[?25l';
const END = '\x1b[?2026l';
const CLEAR_REST = '\x1b[K';

/** Draws frames on a screen of known size, and of each only the lines that differ from the last one's. */
export class Painter {
  private shown: readonly string[] = [];
  private cursor = '';

  /** What was drawn is gone: the next frame is drawn whole. */
  forget(): void {
    this.shown = [];
    this.cursor = '';
  }

  /** What brings the screen to `frame`; empty where it shows it already. */
  draw(frame: Frame, style: Style, { rows, columns }: Size): string {
    const lines = Array.from({ length: rows }, (_, row) =>
      printLine(style, truncateLine(frame.lines[row] ?? [], columns)),
    );
    const changed = lines.flatMap((line, row) => (line === this.shown[row] ? [] : [placed(line, row, columns)]));
    const cursor = frame.cursor ? `${at(frame.cursor.row, frame.cursor.column)}\x1b[?25h` : '';
    if (changed.length === 0 && cursor === this.cursor) return '';
    this.shown = lines;
    this.cursor = cursor;
    return `${BEGIN}${changed.join('')}${cursor}${END}`;
  }
}

const at = (row: number, column: number) => `\x1b[${row + 1};${column + 1}H`;

/** A line in its row. What stood behind it is cleared, but not from the last column: that would clear its last sign. */
function placed(line: string, row: number, columns: number): string {
  return `${at(row, 0)}${line}${displayWidth(line) < columns ? CLEAR_REST : ''}`;
}
