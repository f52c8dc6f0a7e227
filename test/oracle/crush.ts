/** What stands in Crush's databases, read by code that shares nothing with the reader. */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

// biome-ignore lint/suspicious/noExplicitAny: a witness trusts the files that it was written beside
type Json = Readonly<Record<string, any>>;

export interface CrushSession {
  readonly id: string;
  readonly title: string;
  readonly parent: string | null;
  readonly prompts: number;
  readonly calls: number;
  readonly said: readonly string[];
}

export function sessionsIn(home: string): CrushSession[] {
  const projects = join(home, 'projects');
  return readdirSync(projects).flatMap((name) => sessionsOf(join(projects, name, '.crush', 'crush.db')));
}

function sessionsOf(path: string): CrushSession[] {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-test-'));
  try {
    for (const ending of ['', '-wal'])
      if (existsSync(path + ending)) copyFileSync(path + ending, join(folder, `c.db${ending}`));
    const database = new DatabaseSync(join(folder, 'c.db'));
    const sessions = database.prepare('SELECT * FROM sessions').all() as Json[];
    const messages = database.prepare('SELECT * FROM messages ORDER BY rowid').all() as Json[];
    database.close();
    return sessions.map((session) =>
      sessionOf(
        session,
        messages.filter((one) => one.session_id === session.id),
      ),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sessionOf(session: Json, messages: readonly Json[]): CrushSession {
  const parts = messages.flatMap((message) =>
    JSON.parse(message.parts).map(({ type, data }: Json) => ({ role: message.role, id: message.id, type, data })),
  );
  const results = parts.filter(({ type }) => type === 'tool_result');
  const given = new Map(results.map(({ data }) => [data.tool_call_id, data.content]));
  return {
    id: session.id,
    title: session.title,
    parent: session.parent_session_id,
    prompts: parts.filter(
      ({ role, type, id }) => role === 'user' && type === 'text' && id !== session.summary_message_id,
    ).length,
    calls: parts.filter(({ type }) => type === 'tool_call').length,
    said: parts.flatMap(({ role, id, type, data }) => {
      if (type === 'text' && data.text.trim() !== '')
        return [`${id === session.summary_message_id ? 'notice' : role}: ${data.text}`];
      if (type === 'reasoning' && data.thinking.trim() !== '') return [`thinking: ${data.thinking}`];
      if (type === 'tool_call')
        return [`${data.name || 'unknown'} ${inputOf(data.input)}: ${given.get(data.id) ?? ''}`];
      if (type === 'finish' && data.message)
        return [`notice: ${[data.message, data.details].filter(Boolean).join('\n')}`];
      return [];
    }),
  };
}

function inputOf(input: string): string {
  try {
    return JSON.stringify(JSON.parse(input));
  } catch {
    return JSON.stringify(input);
  }
}
