/** What stands in Droid's sessions, read by code that shares nothing with the reader. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// biome-ignore lint/suspicious/noExplicitAny: a witness trusts the files that it was written beside
type Json = Readonly<Record<string, any>>;

export interface DroidSession {
  readonly id: string;
  readonly title: string;
  readonly parent: string | undefined;
  readonly prompts: readonly string[];
  readonly said: readonly string[];
  readonly usage: Json | undefined;
}

export function droidSessions(home: string): DroidSession[] {
  return readdirSync(join(home, '.factory/sessions'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const settings: Json = JSON.parse(readFileSync(path.replace('.jsonl', '.settings.json'), 'utf8'));
      return { ...sessionOf(readFileSync(path, 'utf8')), usage: settings.tokenUsage };
    });
}

function sessionOf(content: string): Omit<DroidSession, 'usage'> {
  const [start, ...records]: Json[] = content
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const messages = records
    .filter(({ type, id }) => type === 'message' && !id.startsWith('context-'))
    .map(({ message }) => message);
  const parts: Json[] = messages.flatMap(({ role, content: given }) => given.map((part: Json) => ({ role, ...part })));
  const outputs = new Map(
    parts.filter(({ type }) => type === 'tool_result').map((part) => [part.tool_use_id, part.content]),
  );
  return {
    id: start!.id,
    title: start!.title,
    parent: start!.parent,
    prompts: parts.filter(({ role, type }) => role === 'user' && type === 'text').map((part) => part.text),
    said: parts.flatMap((part) => {
      if (part.type === 'text') return part.text.trim() === '' ? [] : [`${part.role}: ${part.text}`];
      if (part.type === 'thinking') return [`thinking: ${part.thinking}`];
      if (part.type === 'tool_use')
        return [`${part.name} ${JSON.stringify(part.input)}: ${outputs.get(part.id) ?? ''}`];
      return [];
    }),
  };
}
