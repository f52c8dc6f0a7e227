/** What stands in Cursor's files, read by code that shares nothing with the reader. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

// biome-ignore lint/suspicious/noExplicitAny: a witness trusts the files that it was written beside
type Json = Readonly<Record<string, any>>;

export interface CursorSession {
  readonly id: string;
  readonly prompts: number;
  readonly said: readonly string[];
}

/** The conversations of the editor that hold anything, and the agent's transcripts. */
export function cursorSessions(home: string): CursorSession[] {
  return [...conversations(home), ...transcripts(home)];
}

function conversations(home: string): CursorSession[] {
  const folder = join(home, '.config/Cursor/User/globalStorage');
  const copy = mkdtempSync(join(tmpdir(), 'cursor-witness-'));
  for (const name of ['state.vscdb', 'state.vscdb-wal'])
    if (existsSync(join(folder, name))) cpSync(join(folder, name), join(copy, name));
  const database = new DatabaseSync(join(copy, 'state.vscdb'));
  const all = database.prepare('SELECT key, value FROM cursorDiskKV').all();
  database.close();
  rmSync(copy, { recursive: true });
  const stored = (key: string): Json => JSON.parse(String(all.find((row) => row.key === key)?.value));
  return all
    .filter(({ key, value }) => String(key).startsWith('composerData:') && value !== null)
    .map(({ key }) => stored(String(key)))
    .filter(({ fullConversationHeadersOnly }) => fullConversationHeadersOnly.length > 0)
    .map(({ composerId, fullConversationHeadersOnly }) => {
      const bubbles = fullConversationHeadersOnly.map(({ bubbleId }: Json) =>
        stored(`bubbleId:${composerId}:${bubbleId}`),
      );
      return {
        id: composerId,
        prompts: bubbles.filter(({ type }: Json) => type === 1).length,
        said: bubbles.flatMap(saidIn),
      };
    });
}

function saidIn({ type, text, thinking, toolFormerData }: Json): string[] {
  const said = text ? [`${type === 1 ? 'user' : 'assistant'}: ${text}`] : [];
  if (thinking?.text) said.push(`thinking: ${thinking.text}`);
  if (toolFormerData) {
    const { name, params, result, additionalData } = toolFormerData;
    const lines: Json[] | undefined = additionalData?.precomputedDiff?.lines;
    const given = result === undefined ? {} : JSON.parse(result);
    const sign = { added: '+', removed: '-', unmodified: ' ' } as Json;
    const output = lines
      ? lines.map((line) => `${sign[line.type] ?? ' '}${line.content}`).join('\n')
      : (given.output ?? given.contents ?? result ?? '');
    said.push(`${name} ${JSON.stringify(JSON.parse(params))}: ${output}`);
  }
  return said;
}

function transcripts(home: string): CursorSession[] {
  const folder = join(home, '.cursor/projects');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.jsonl'))
    .map(({ name, parentPath }) => {
      const lines: Json[] = readFileSync(join(parentPath, name), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
      const parts: Json[] = lines.flatMap(({ role, message }) =>
        message.content.map((part: Json) => ({ role, ...part })),
      );
      const said = parts.flatMap((part) => {
        if (part.type === 'tool_use') return [`${part.name} ${JSON.stringify(part.input)}: `];
        if (part.role === 'assistant') return part.text.trim() === '' ? [] : [`assistant: ${part.text}`];
        return [...part.text.matchAll(/<user_query>\n([\s\S]*?)\n<\/user_query>/g)].map(
          ([, words]) => `user: ${words}`,
        );
      });
      return {
        id: name.replace('.jsonl', ''),
        prompts: said.filter((one) => one.startsWith('user: ')).length,
        said,
      };
    });
}
