/** What stands in Gemini CLI's documents (before its logs), read by code that shares nothing with the reader. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

// biome-ignore lint/suspicious/noExplicitAny: a witness trusts the files that it was written beside
type Json = Readonly<Record<string, any>>;

export interface ChatFile {
  readonly path: string;
  readonly id: string;
  readonly messages: readonly Json[];
}

export function chatsIn(home: string, folder = '.gemini'): ChatFile[] {
  return readdirSync(join(home, folder, 'tmp'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json') && entry.parentPath.includes('/chats'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => {
      const { sessionId, messages } = JSON.parse(readFileSync(path, 'utf8'));
      const above = basename(dirname(path));
      const id = above === 'chats' || sessionId.length > 30 ? sessionId : `${above}/${sessionId}`;
      return { path, id, messages };
    });
}

/** The texts of a chat in order, by who said them, and each call with its arguments. */
export function saidIn({ messages }: ChatFile): string[] {
  return messages.flatMap((message) => {
    if (message.type === 'user')
      return [textOf(message.content)].filter((text) => text !== '').map((text) => `user: ${text}`);
    if (!['gemini', 'qwen'].includes(message.type)) return message.content === '' ? [] : [`notice: ${message.content}`];
    return [
      ...(message.thoughts ?? []).map(({ subject, description }: Json) => `thinking: ${subject}\n${description}`),
      ...(textOf(message.content).trim() === '' ? [] : [`assistant: ${textOf(message.content)}`]),
      ...(message.toolCalls ?? []).map((call: Json) => `${call.name} ${JSON.stringify(call.args)}`),
    ];
  });
}

/** A prompt without what Qwen Code wrote around it in one text, and how often it did so by kind. */
export function typed(said: string): { readonly said: string; readonly reminders: number; readonly files: number } {
  const [open, close] = ['<system-reminder>', '</system-reminder>'];
  const reminders = said.startsWith(open) ? 1 : 0;
  const prompt = reminders ? said.slice(said.indexOf(close) + close.length).trimStart() : said;
  const at = prompt.indexOf('\n--- Content from referenced files ---');
  if (at < 0) return { said: prompt, reminders, files: 0 };
  const end = '\n--- End of content ---';
  const behind = prompt.indexOf(end, at);
  return { said: prompt.slice(0, at) + (behind < 0 ? '' : prompt.slice(behind + end.length)), reminders, files: 1 };
}

/** The results of a chat's calls, by their ids. */
export function resultsIn({ messages }: ChatFile): Map<string, string> {
  const calls = messages.flatMap((message) => message.toolCalls ?? []);
  return new Map(
    calls.flatMap((call: Json) => {
      const given = (call.result ?? []).map((one: Json) => {
        const response = one.functionResponse?.response;
        return response?.output ?? response?.error ?? one.text ?? '';
      });
      return given.length > 0 && given.join('') !== '' ? [[call.id, given.filter(Boolean).join('\n')]] : [];
    }),
  );
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return (content as Json[]).flatMap(({ text }) => (text === undefined ? [] : [text])).join('\n');
}
