/** What stands in the sessions of Copilot's command line, read by code that shares nothing with the reader. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

// biome-ignore lint/suspicious/noExplicitAny: a witness trusts the files that it was written beside
type Json = Readonly<Record<string, any>>;

export interface CopilotSession {
  readonly id: string;
  readonly said: readonly string[];
  readonly prompts: number;
  readonly input: number;
  readonly output: number;
}

export function copilotSessions(home: string): CopilotSession[] {
  const state = join(home, '.copilot/session-state');
  const old = join(home, '.copilot/history-session-state');
  const now = existsSync(state)
    ? readdirSync(state).filter((name) => existsSync(join(state, name, 'events.jsonl')))
    : [];
  return [
    ...fromStore(home).filter(({ id }) => !now.includes(id)),
    ...now.map((id) => fromEvents(id, readFileSync(join(state, id, 'events.jsonl'), 'utf8'))),
    ...(existsSync(old)
      ? readdirSync(old).map((name) => fromTimeline(JSON.parse(readFileSync(join(old, name), 'utf8'))))
      : []),
  ];
}

function fromEvents(id: string, content: string): CopilotSession {
  const all: Json[] = content
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const events = all.filter(({ agentId }) => agentId === undefined);
  const results = new Map(
    events
      .filter(({ type }) => type === 'tool.execution_complete')
      .map(({ data }) => [data.toolCallId, data.result?.content ?? data.error?.message ?? '']),
  );
  const records = events.filter(({ type }) => type === 'session.usage_record').map(({ data }) => data.usage);
  const sums = events
    .filter(({ type }) => type === 'session.shutdown')
    .flatMap(({ data }) => Object.values(data.modelMetrics as Json).map(({ usage }) => usage));
  const usages = records.length > 0 ? records : sums;
  return {
    id,
    prompts: events.filter(({ type }) => type === 'user.message').length,
    said: events.flatMap(({ type, data }) => {
      if (type === 'user.message')
        return [
          ...(data.attachments ?? []).map((one: Json) => `attachment: ${one.mimeType?.split('/')[0] ?? one.type}`),
          `user: ${data.content}`,
        ];
      if (type === 'assistant.message')
        return [
          ...(data.reasoningText ? [`thinking: ${data.reasoningText}`] : []),
          ...(data.content.trim() ? [`assistant: ${data.content}`] : []),
          ...(data.toolRequests ?? []).map(
            (one: Json) => `${one.name} ${JSON.stringify(one.arguments)}: ${results.get(one.toolCallId) ?? ''}`,
          ),
        ];
      if (['session.error', 'session.info'].includes(type)) return [`notice: ${data.message}`];
      if (type === 'abort') return [`notice: ${data.reason}`];
      if (type === 'session.compaction_complete') return [`notice: ${data.summaryContent ?? 'compacted'}`];
      return [];
    }),
    input: usages.reduce((sum, usage) => sum + usage.inputTokens, 0),
    output: usages.reduce((sum, usage) => sum + usage.outputTokens, 0),
  };
}

/** The store has questions and answers, of sessions whose events are gone too. */
function fromStore(home: string): CopilotSession[] {
  const copy = mkdtempSync(join(tmpdir(), 'copilot-store-'));
  for (const name of ['session-store.db', 'session-store.db-wal']) {
    if (existsSync(join(home, '.copilot', name))) cpSync(join(home, '.copilot', name), join(copy, name));
  }
  const database = new DatabaseSync(join(copy, 'session-store.db'));
  const turns: Json[] = database.prepare('SELECT * FROM turns ORDER BY session_id, turn_index').all();
  database.close();
  rmSync(copy, { recursive: true });
  return [...new Set(turns.map((turn) => turn.session_id))].map((id) => {
    const own = turns.filter((turn) => turn.session_id === id);
    return {
      id,
      prompts: own.length,
      said: own.flatMap((turn) => [
        `user: ${turn.user_message}`,
        ...(turn.assistant_response ? [`assistant: ${turn.assistant_response}`] : []),
      ]),
      input: 0,
      output: 0,
    };
  });
}

function fromTimeline({ sessionId, timeline }: Json): CopilotSession {
  return {
    id: sessionId,
    prompts: timeline.filter(({ type }: Json) => type === 'user').length,
    said: timeline.map((entry: Json) => {
      if (entry.type === 'user') return `user: ${entry.text}`;
      if (entry.type === 'copilot') return `assistant: ${entry.text}`;
      if (entry.type.startsWith('tool')) return `${entry.name} ${JSON.stringify(entry.arguments)}: ${entry.result.log}`;
      return `notice: ${entry.text}`;
    }),
    input: 0,
    output: 0,
  };
}
