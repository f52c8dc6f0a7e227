import { type Bucket, bucketsOf } from './buckets.ts';
import { type Answer, MEASURE_NAMES, MEASURES, type Measure } from './score.ts';
import { bootstrap, type Interval, mean } from './statistics.ts';

interface Pair {
  readonly one: Answer;
  readonly other: Answer;
}

/** How much better one run is than another in a bucket, question by question. */
export interface Difference {
  readonly measure: Measure;
  readonly bucket: string;
  readonly questions: number;
  readonly mean: number;
  readonly interval: Interval;
  /** It is below nought, and so is all of its interval. */
  readonly isWorse: boolean;
}

/** One run beside another, over the questions that both were asked. @throws where there are none */
export function compare(run: readonly Answer[], beside: readonly Answer[]): Difference[] {
  const others = new Map(beside.map((answer) => [answer.id, answer]));
  const pairs = run.flatMap((one) => {
    const other = others.get(one.id);
    return other && other.text === one.text ? [{ one, other }] : [];
  });
  if (pairs.length === 0) throw new Error('the two runs have no question in common');
  return bucketsOf(pairs, ({ one }) => one).flatMap((bucket) =>
    MEASURE_NAMES.map((measure) => differenceIn(bucket, measure)),
  );
}

function differenceIn({ name, of }: Bucket<Pair>, measure: Measure): Difference {
  const value = MEASURES[measure];
  const differences = of.map(({ one, other }) => value(one) - value(other));
  const interval = bootstrap(differences);
  return {
    measure,
    bucket: name,
    questions: of.length,
    mean: mean(differences),
    interval,
    isWorse: interval.to < 0,
  };
}
