/** What stands in Pi's sessions, read by code that shares nothing with the reader. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// biome-ignore lint/suspicious/noExplicitAny: a witness trusts the files that it was written beside
type Json = Readonly<Record<string, any>>;

export interface PiSession {
  readonly id: string;
  readonly said: readonly string[];
  readonly prompts: number;
  readonly tokens: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
  };
}

export function piSessions(home: string): PiSession[] {
  return readdirSync(join(home, '.pi/agent/sessions'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
    .map((entry) => sessionOf(readFileSync(join(entry.parentPath, entry.name), 'utf8')));
}

function sessionOf(content: string): PiSession {
  // Some records are glued to the one before them.
  const lines = content
    .replaceAll('}{"type":"', '}\n{"type":"')
    .split('\n')
    .filter((line) => line !== '');
  const records: Json[] = lines.flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
  const messages = records.filter(({ type }) => type === 'message').map(({ message }) => message);
  const outputs = new Map(
    messages
      .filter(({ role }) => role === 'toolResult')
      .map(({ toolCallId, content: given }) => [toolCallId, textOf(given)]),
  );
  const usages = messages.flatMap(({ usage }) => usage ?? []);
  const sum = (name: string) => usages.reduce((total, usage) => total + usage[name], 0);
  return {
    id: records[0]!.id,
    prompts: messages.filter(({ role }) => role === 'user').length,
    said: records.flatMap((record) =>
      record.type === 'compaction' ? [`notice: ${record.summary}`] : told(record.message, outputs),
    ),
    tokens: { input: sum('input'), output: sum('output'), cacheRead: sum('cacheRead'), cacheWrite: sum('cacheWrite') },
  };
}

function told(message: Json | undefined, outputs: ReadonlyMap<string, string>): string[] {
  if (!message) return [];
  if (message.role === 'bashExecution')
    return [`notice: $ ${message.command}\nexit ${message.exitCode}\n${message.output}`];
  if (message.role === 'toolResult')
    return message.content.flatMap((part: Json) => (part.type === 'image' ? ['attachment: image'] : []));
  if (message.role !== 'user' && message.role !== 'assistant') return [];
  const parts = message.content.flatMap((part: Json) => {
    const given = /^<file name="[^"]*"><\/file>\n([\s\S]*)$/.exec(part.text ?? '');
    if (given) return ['attachment: file', `${message.role}: ${given[1]}`];
    if (part.type === 'text') return part.text.trim() === '' ? [] : [`${message.role}: ${part.text}`];
    if (part.type === 'thinking') return part.thinking.trim() === '' ? [] : [`thinking: ${part.thinking}`];
    if (part.type === 'toolCall')
      return [`${part.name} ${JSON.stringify(part.arguments)}: ${outputs.get(part.id) ?? ''}`];
    return [`attachment: ${part.type}`];
  });
  if (message.stopReason === 'aborted') parts.push(`notice: ${message.errorMessage ?? 'aborted'}`);
  else if (message.errorMessage) parts.push(`notice: ${message.errorMessage}`);
  return parts;
}

function textOf(content: readonly Json[]): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
