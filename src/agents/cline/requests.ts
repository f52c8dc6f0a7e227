import { type Fields, fields, list, number, text, time } from '../fields.ts';
import { parsedJson } from '../json.ts';
import type { SessionTeller } from '../session-teller.ts';

/** What was on the screen. A message that was written as far as it had come, and once more when it was longer, stands once. */
export function screenOf(document: unknown): Fields[] {
  const messages: Fields[] = [];
  const partial = new Map<string, number>();
  for (const message of list(document).map(fields)) {
    const key = `${message.ts} ${message.type} ${kindOf(message)}`;
    const before = partial.get(key);
    const grown = before !== undefined && (text(message.text) ?? '').startsWith(text(messages[before]?.text) ?? '');
    if (grown) messages[before] = message;
    else messages.push(message);
    if (message.partial !== true) partial.delete(key);
    else if (!grown) partial.set(key, messages.length - 1);
  }
  return messages;
}

/** Of what kind a message on the screen is: what was said, or what was asked. */
export function kindOf(message: Fields): string {
  return text(message.type === 'ask' ? message.ask : message.say) ?? 'untyped';
}

/** When each message of the conversation was there, as the screen tells: the first that was shown after it. */
export function timesOf(screen: readonly Fields[]): ReadonlyMap<number, number> {
  const times = new Map<number, number>();
  for (const message of screen) {
    const [index, at] = [number(message.conversationHistoryIndex), time(message.ts)];
    if (index !== undefined && at !== undefined && !times.has(index)) times.set(index, at);
  }
  return times;
}

/** The requests that led to each answer, by the answer's place in the conversation: two behind what was last there. */
export function requestsOf(screen: readonly Fields[]): Map<number, Fields[]> {
  const requests = new Map<number, Fields[]>();
  for (const message of screen) {
    if (kindOf(message) !== 'api_req_started') continue;
    const answer = (number(message.conversationHistoryIndex) ?? Number.MAX_SAFE_INTEGER) + 2;
    requests.set(answer, [...(requests.get(answer) ?? []), message]);
  }
  return requests;
}

/** What a request cost, as the screen tells: `tokensIn` has nothing of the cache. */
export function tellCost(tell: SessionTeller, message: Fields): void {
  const { tokensIn, tokensOut, cacheReads, cacheWrites, cost } = fields(parsedJson(message.text));
  const [input, at] = [number(tokensIn), time(message.ts)];
  if (input === undefined) return;
  const [model, price] = [text(fields(message.modelInfo).modelId), number(cost)];
  tell.spent({
    key: `${tell.session} ${message.ts}`,
    input,
    output: number(tokensOut) ?? 0,
    cacheRead: number(cacheReads) ?? 0,
    cacheWrite5m: number(cacheWrites) ?? 0,
    ...(model !== undefined && { model }),
    ...(at !== undefined && { at }),
    ...(price !== undefined && price > 0 && { reportedCost: price }),
  });
}
