import { KINDS } from './ask.ts';
import { AGES } from './draw.ts';
import type { Answer } from './score.ts';

/** Answers that are looked at together. */
export interface Bucket<T> {
  readonly name: string;
  readonly of: readonly T[];
}

/** All, then each way of asking, each age, each origin, and each way of asking at each age; empty ones are left out. */
export function bucketsOf<T>(list: readonly T[], answerOf: (one: T) => Answer): Bucket<T>[] {
  const where = (name: string, isIn: (answer: Answer) => boolean): Bucket<T> => ({
    name,
    of: list.filter((one) => isIn(answerOf(one))),
  });
  const origins = [...new Set(list.map((one) => answerOf(one).origin))].sort();
  return [
    where('all', () => true),
    ...KINDS.map((kind) => where(kind, (answer) => answer.kind === kind)),
    ...AGES.map((age) => where(age, (answer) => answer.age === age)),
    ...origins.map((origin) => where(origin, (answer) => answer.origin === origin)),
    ...KINDS.flatMap((kind) =>
      AGES.map((age) => where(`${kind}, ${age}`, (answer) => answer.kind === kind && answer.age === age)),
    ),
  ].filter(({ of }) => of.length > 0);
}
