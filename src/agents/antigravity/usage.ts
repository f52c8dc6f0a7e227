import { time } from '../fields.ts';
import type { Message } from './protobuf.ts';
import type { Generation } from './step.ts';
import type { Told } from './told.ts';

/** The id by which a model's service names what it answered. */
export function responseIn(usage: Message | undefined): string | undefined {
  return usage?.text(11);
}

/** Tells a request to a model: what it took stands in it. What it was given is what was said before, and is counted. */
export function spentBy({ data }: Generation, told: Told): void {
  const request = data.at(1);
  if (request === undefined) return;
  const model = request.text(19) ?? request.text(21);
  told.tell.model(model);
  for (const [field, kind] of GIVEN) if (request.numbers.includes(field)) told.notShown.add(kind);
  if (data.text(5) !== undefined) told.notShown.add('request error');
  spent(request.at(4), model, time(request.time(9, 4)), told);
}

/** Tells what a request took: input without what was cached, output with what was thought. */
export function spent(usage: Message | undefined, model: string | undefined, at: number | undefined, told: Told): void {
  const key = responseIn(usage);
  if (usage === undefined || key === undefined) return;
  told.tell.spent({
    key,
    ...(model !== undefined && { model }),
    ...(at !== undefined && { at }),
    input: usage.number(2) ?? 0,
    output: usage.number(3) ?? 0,
    cacheRead: usage.number(5) ?? 0,
    cacheWrite5m: usage.number(4) ?? 0,
    reasoning: usage.number(9) ?? 0,
  });
}

/** What a request repeats: instructions, what was said, the tools. */
const GIVEN: readonly (readonly [field: number, kind: string])[] = [
  [1, 'request instructions'],
  [2, 'request messages'],
  [8, 'request tools'],
];
