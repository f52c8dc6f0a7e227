import { bucketsOf } from './buckets.ts';
import type { Difference } from './compare.ts';
import { type Answer, MEASURE_NAMES, MEASURES } from './score.ts';
import { type Interval, intervalOf, mean } from './statistics.ts';

/** Every bucket with its measures and their 95 % intervals, as a Markdown table. */
export function tableOf(answers: readonly Answer[]): string {
  const rows = bucketsOf(answers, (answer) => answer).map(({ name, of }) => [
    name,
    String(of.length),
    ...MEASURE_NAMES.map((measure) => {
      const values = of.map(MEASURES[measure]);
      return `${percent(mean(values))} (${spanOf(intervalOf(values))})`;
    }),
  ]);
  return lines([['bucket', 'questions', ...MEASURE_NAMES], ...rows]);
}

/** What one run gained or lost beside another, in points of a hundred, with 95 % intervals of the paired differences. */
export function differencesOf(differences: readonly Difference[]): string {
  const rows = Object.values(Object.groupBy(differences, ({ bucket }) => bucket)).map((of = []) => [
    of[0]!.bucket,
    String(of[0]!.questions),
    ...of.map((one) => `${signed(one.mean)} (${signedSpan(one.interval)})${one.isWorse ? ' worse' : ''}`),
  ]);
  return lines([['bucket', 'questions', ...MEASURE_NAMES], ...rows]);
}

/** The verdict on all buckets. */
export function verdictOn(differences: readonly Difference[]): string {
  const worse = differences.filter(({ isWorse }) => isWorse);
  if (worse.length === 0) return 'no worse in any bucket';
  return `worse in ${worse.map(({ bucket, measure }) => `${bucket} (${measure})`).join(', ')}`;
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}

function spanOf({ from, to }: Interval): string {
  return `${Math.round(from * 100)}–${Math.round(to * 100)}`;
}

function signed(share: number): string {
  const text = percent(share);
  return share > 0 ? `+${text}` : text;
}

function signedSpan({ from, to }: Interval): string {
  return `${signed(from)} to ${signed(to)}`;
}

function lines([head, ...rows]: readonly (readonly string[])[]): string {
  const all = [head!, ...rows];
  const widths = head!.map((_, i) => Math.max(3, ...all.map((row) => row[i]!.length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(' | ')} |`;
  const rule = `|${widths.map((width, i) => (i === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(head!), rule, ...rows.map(line)].join('\n');
}
