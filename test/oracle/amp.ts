/**
 * What stands in Amp's threads, read by code that shares nothing with the reader: each thread's title and folder, and
 * everything that was said, called and given, in order.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// biome-ignore lint/suspicious/noExplicitAny: a witness trusts the files that it was written beside
type Json = Readonly<Record<string, any>>;

export interface Thread {
  readonly id: string;
  readonly title?: string;
  readonly prompts: number;
  /** In the words of the witness: who or what, and the text. */
  readonly said: readonly string[];
  readonly tokens: {
    readonly input: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
    readonly output: number;
  };
}

export function threadsIn(home: string): Thread[] {
  const folder = join(home, '.local/share/amp/threads');
  return readdirSync(folder)
    .filter((name) => name.startsWith('T-'))
    .map((name) => threadOf(JSON.parse(readFileSync(join(folder, name), 'utf8'))));
}

function threadOf(thread: Json): Thread {
  const messages: readonly Json[] = thread.messages;
  const outputs = new Map<string, string>();
  for (const message of messages)
    for (const block of message.content)
      if (block.type === 'tool_result') outputs.set(block.toolUseID, given(block.run));
  const said = messages.flatMap((message) =>
    message.content.flatMap((block: Json) => told(message.role, block, outputs)),
  );
  const usages = messages.flatMap(({ usage }) => (usage ? [usage] : []));
  const titles = (thread.usageLedger?.events ?? []).filter((event: Json) => event.operationType === 'title-generation');
  const sum = (of: (usage: Json) => number) => usages.reduce((total, usage) => total + of(usage), 0);
  const ofTitles = (name: string) => titles.reduce((total: number, event: Json) => total + event.tokens[name], 0);
  return {
    id: thread.id,
    title: thread.title,
    prompts: messages.filter(({ role, content }) => role === 'user' && content[0]?.type === 'text').length,
    said,
    tokens: {
      input: sum((usage) => usage.inputTokens) + ofTitles('input'),
      cacheRead: sum((usage) => usage.cacheReadInputTokens),
      cacheWrite: sum((usage) => usage.cacheCreationInputTokens),
      output: sum((usage) => usage.outputTokens) + ofTitles('output'),
    },
  };
}

function told(role: string, block: Json, outputs: ReadonlyMap<string, string>): string[] {
  if (block.type === 'text') return block.text.trim() === '' ? [] : [`${role}: ${block.text}`];
  if (block.type === 'thinking') return [`thinking: ${block.thinking}`];
  if (block.type === 'tool_use')
    return [`${block.name} ${JSON.stringify(block.input)}: ${outputs.get(block.id) ?? ''}`];
  return [];
}

/** What a run gave as a text: what it printed, else the longest text in its result, or the error's. */
function given({ result, error }: Json): string {
  if (error) return error.message;
  if (typeof result === 'string') return result;
  if (Array.isArray(result)) return result.join('\n');
  if (typeof result.hidden_truncatedOutput === 'string') return `${result.hidden_truncatedOutput}\n${result.output}`;
  if (typeof result.output === 'string') return result.output;
  const texts = Object.values(result as Json).filter((value) => typeof value === 'string');
  return texts.sort((a, b) => b.length - a.length)[0] ?? '';
}
