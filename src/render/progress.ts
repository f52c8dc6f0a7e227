import { formatBytes, formatCount, formatDuration } from './numbers.ts';
import { glyphs, paint, type Style } from './style.ts';
import { displayWidth, truncate } from './width.ts';

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly bytes: number;
  readonly sessions: number;
  readonly turns: number;
  /** Where it is known, the bar and the time left go by bytes: one file may be a thousand times another. */
  readonly totalBytes?: number;
}

export interface ProgressBar {
  update(progress: Progress): void;
  /** Leaves the last state standing, or clears the line with `clear`. Safe to call twice. */
  end(how?: 'clear'): void;
}

interface ProgressStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

export interface ProgressOptions {
  readonly style?: Style;
  readonly now?: () => number;
}

const REDRAW = 100;
const QUIET = 5_000;
const BAR = 24;
/** Before that the rate says nothing. */
const WARM_UP = 1_500;

/**
 * A line on stderr that tells how far the work is: redrawn at most ten times a second on a terminal, else a plain line
 * every few seconds. The cursor is never hidden and the line never wraps, so an interrupt leaves the terminal as it was.
 */
export function progressBar(stream: ProgressStream, options: ProgressOptions = {}): ProgressBar {
  const now = options.now ?? (() => performance.now());
  const style = options.style ?? { color: stream.isTTY === true, width: stream.columns ?? 80 };
  const live = stream.isTTY === true;
  const started = now();
  let drawnAt = live ? Number.NEGATIVE_INFINITY : started;
  let last: Progress | undefined;
  let drawn: Progress | undefined;
  let ended = false;

  const draw = (progress: Progress) => {
    const elapsed = now() - started;
    // The window may have changed since the last time.
    const width = Math.max(10, (stream.columns ?? style.width) - 1);
    if (live) stream.write(`\r${barLine(progress, elapsed, { ...style, width })}\x1b[K`);
    else stream.write(`${facts(progress, elapsed).join(', ')}\n`);
    drawnAt = now();
    drawn = progress;
  };

  return {
    update(progress) {
      if (ended) return;
      last = progress;
      if (now() - drawnAt >= (live ? REDRAW : QUIET)) draw(progress);
    },
    end(how) {
      if (ended) return;
      ended = true;
      if (!live) return;
      if (how === 'clear') {
        if (drawn) stream.write('\r\x1b[K');
        return;
      }
      if (last && last !== drawn) draw(last);
      if (drawn) stream.write('\n');
    },
  };
}

function share({ done, total, bytes, totalBytes }: Progress): number {
  const part = totalBytes !== undefined && totalBytes > 0 ? bytes / totalBytes : total > 0 ? done / total : 0;
  return Math.min(1, Math.max(0, part));
}

function barLine(progress: Progress, elapsed: number, style: Style): string {
  const part = share(progress);
  const { full, empty, ellipsis } = glyphs(style);
  const cells = Math.min(BAR, Math.max(6, style.width >> 2));
  const filled = Math.floor(part * cells);
  const percent = `${Math.floor(part * 100)}%`.padStart(4);
  const text = `${percent}  ${facts(progress, elapsed).join('  ')}`;
  const bar = paint(style, full.repeat(filled), 'cyan') + paint(style, empty.repeat(cells - filled), 'dim');
  return `${bar} ${truncate(text, style.width - displayWidth(full) * cells - 1, ellipsis)}`;
}

function facts(progress: Progress, elapsed: number): string[] {
  const { done, total, bytes, sessions, turns } = progress;
  const out = [`${formatCount(done)}/${formatCount(total)} files`];
  if (sessions > 0) out.push(`${formatCount(sessions)} sessions`);
  if (turns > 0) out.push(`${formatCount(turns)} turns`);
  if (elapsed > 0 && bytes > 0) out.push(`${formatBytes((bytes * 1000) / elapsed)}/s`);
  const part = share(progress);
  if (part > 0 && part < 1 && elapsed >= WARM_UP)
    out.push(`${formatDuration(Math.max(1000, Math.round((elapsed * (1 - part)) / part / 1000) * 1000))} left`);
  return out;
}
