/** One line of a diff: kept, added, removed, or a hunk's head. */
export interface DiffLine {
  readonly sign: ' ' | '+' | '-' | '@';
  readonly text: string;
}

/** Work allowed to find the shortest diff. Beyond it all old lines are removed and all new ones added: true, only longer. */
const MOST_STEPS = 4_000_000;
const MOST_CHANGES = 2_000;

/** The lines that lead from one text to the other, by Myers' algorithm. */
export function lineDiff(before: readonly string[], after: readonly string[]): DiffLine[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  )
    tail++;
  const keep = (text: string): DiffLine => ({ sign: ' ', text });
  return [
    ...before.slice(0, head).map(keep),
    ...middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(keep),
  ];
}

function middle(a: readonly string[], b: readonly string[]): DiffLine[] {
  const replaced = () => [
    ...a.map((text): DiffLine => ({ sign: '-', text })),
    ...b.map((text): DiffLine => ({ sign: '+', text })),
  ];
  if (a.length === 0 || b.length === 0) return replaced();
  const limit = Math.min(a.length + b.length, MOST_CHANGES);
  const furthest = new Int32Array(2 * limit + 3);
  const origin = limit + 1;
  const history: Int32Array[] = [];
  let steps = 0;
  for (let d = 0; d <= limit; d++) {
    // Only the diagonals that this round may touch: the history stays within d² numbers.
    history.push(furthest.slice(origin - d - 1, origin + d + 2));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && furthest[origin + k - 1]! < furthest[origin + k + 1]!);
      let x = down ? furthest[origin + k + 1]! : furthest[origin + k - 1]! + 1;
      let y = x - k;
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++;
        y++;
        steps++;
      }
      furthest[origin + k] = x;
      if (x >= a.length && y >= b.length) return walkBack(a, b, history);
      if (++steps > MOST_STEPS) return replaced();
    }
  }
  return replaced();
}

function walkBack(a: readonly string[], b: readonly string[], history: readonly Int32Array[]): DiffLine[] {
  const out: DiffLine[] = [];
  let x = a.length;
  let y = b.length;
  for (let d = history.length - 1; d >= 0; d--) {
    const seen = history[d]!;
    const at = (k: number) => seen[k + d + 1]!;
    const k = x - y;
    const down = k === -d || (k !== d && at(k - 1) < at(k + 1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : at(fromK);
    const fromY = d === 0 ? 0 : fromX - fromK;
    while (x > fromX && y > fromY && a[x - 1] === b[y - 1]) {
      out.push({ sign: ' ', text: a[--x]! });
      y--;
    }
    if (d === 0) break;
    if (down) out.push({ sign: '+', text: b[--y]! });
    else out.push({ sign: '-', text: a[--x]! });
  }
  return out.reverse();
}

/** The changed lines with a few kept ones around each run; what lies between runs becomes a hunk's head without text. */
export function withContext(lines: readonly DiffLine[], context = 3): DiffLine[] {
  const near = new Uint8Array(lines.length);
  for (const [i, line] of lines.entries()) {
    if (line.sign === ' ') continue;
    near.fill(1, Math.max(0, i - context), Math.min(lines.length, i + context + 1));
  }
  const out: DiffLine[] = [];
  let gap = false;
  for (const [i, line] of lines.entries()) {
    if (near[i]) {
      if (gap && out.length > 0) out.push({ sign: '@', text: '' });
      out.push(line);
      gap = false;
    } else gap = true;
  }
  return out;
}
