/** What stands in OpenCode's databases, read by code that shares nothing with the reader. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

// biome-ignore lint/suspicious/noExplicitAny: a witness trusts the files that it was written beside
type Json = Readonly<Record<string, any>>;

export interface Kept {
  readonly id: string;
  readonly title: string;
  readonly parent: string | null;
  readonly said: readonly string[];
  readonly tokens: { readonly input: number; readonly output: number; readonly cacheRead: number };
}

export function keptIn(path: string): Kept[] {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-test-'));
  try {
    for (const ending of ['', '-wal'])
      if (existsSync(path + ending)) copyFileSync(path + ending, join(folder, `o.db${ending}`));
    const database = new DatabaseSync(join(folder, 'o.db'));
    const all = (sql: string) => database.prepare(sql).all() as Json[];
    const [sessions, messages, parts] = [
      all('SELECT * FROM session'),
      all('SELECT * FROM message ORDER BY time_created, id'),
      all('SELECT * FROM part ORDER BY id'),
    ];
    database.close();
    return sessions.map((session) => {
      const own = messages
        .filter((message) => message.session_id === session.id)
        .map((row) => ({ id: row.id, ...JSON.parse(row.data) }));
      const sum = (of: (tokens: Json) => number) =>
        own.reduce((total, { tokens }) => total + (tokens ? of(tokens) : 0), 0);
      return {
        id: session.id,
        title: session.title,
        parent: session.parent_id,
        said: own.flatMap((message) =>
          parts
            .filter((part) => part.message_id === message.id)
            .flatMap((part) => told(message, JSON.parse(part.data))),
        ),
        tokens: {
          input: sum((tokens) => tokens.input),
          output: sum((tokens) => tokens.output + tokens.reasoning),
          cacheRead: sum((tokens) => tokens.cache.read),
        },
      };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function told(message: Json, part: Json): string[] {
  if (part.type === 'text') {
    const isNotice = message.summary === true || part.synthetic === true;
    return part.text.trim() === '' ? [] : [`${isNotice ? 'notice' : message.role}: ${part.text}`];
  }
  if (part.type === 'reasoning') return part.text.trim() === '' ? [] : [`thinking: ${part.text}`];
  if (part.type === 'tool')
    return [`${part.tool} ${JSON.stringify(part.state.input)}: ${part.state.output ?? part.state.error ?? ''}`];
  if (part.type === 'file') return [`attachment: ${part.mime.split('/')[0]}`];
  return [];
}
