/** What stands in Cline's files, read by code that shares nothing with the reader. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// biome-ignore lint/suspicious/noExplicitAny: a witness trusts the files that it was written beside
type Json = Readonly<Record<string, any>>;

export interface ClineSession {
  readonly id: string;
  readonly said: readonly string[];
  readonly prompts: number;
  readonly tokens: { readonly input: number; readonly output: number; readonly cacheRead: number };
}

const TASKS = '.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks';
const documentAt = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

/** Sessions of today's program. */
export function programSessions(home: string): ClineSession[] {
  const folder = join(home, '.cline/data/sessions');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.messages.json'))
    .map((name) => {
      const { sessionId, messages }: Json = documentAt(join(folder, name));
      const parts: Json[] = messages.flatMap(({ role, content }: Json) =>
        content.map((part: Json) => ({ role, ...part })),
      );
      const results = new Map(parts.map((part) => [part.tool_use_id, part.content]));
      const metrics: Json[] = messages.flatMap((message: Json) => message.metrics ?? []);
      const sum = (key: string) => metrics.reduce((total, one) => total + one[key], 0);
      return {
        id: sessionId,
        prompts: parts.filter(({ role, type }) => role === 'user' && type === 'text').length,
        said: parts.flatMap((part) => {
          if (part.type === 'text')
            return [`${part.role}: ${part.text.replace(/^<user_input mode="act">|<\/user_input>$/g, '')}`];
          if (part.type === 'thinking') return [`thinking: ${part.thinking}`];
          if (part.type === 'tool_use')
            return [`${part.name} ${JSON.stringify(part.input)}: ${outputOf(results.get(part.id))}`];
          return [];
        }),
        tokens: {
          input: sum('inputTokens') - sum('cacheReadTokens'),
          output: sum('outputTokens'),
          cacheRead: sum('cacheReadTokens'),
        },
      };
    });
}

function outputOf(content: unknown): string {
  if (content === undefined) return '';
  if (Array.isArray(content)) return content.map(({ result, error }) => result || error).join('\n');
  const written = String(content);
  if (!written.startsWith('{')) return written;
  const { result, error, text } = JSON.parse(written);
  return result || error || text;
}

export interface ClineTask {
  readonly id: string;
  /** Everything that a person, the model or a tool said, in order; what the program put around it is not among it. */
  readonly texts: readonly string[];
  readonly calls: Readonly<Record<string, number>>;
  readonly tokens: { readonly input: number; readonly output: number; readonly cacheRead: number };
}

/** Tasks of the extension. */
export function extensionTasks(home: string): ClineTask[] {
  const folder = join(home, TASKS);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((id) => {
    const conversation = join(folder, id, 'api_conversation_history.json');
    return {
      id,
      ...(existsSync(conversation) ? fromConversation(conversation) : fromScreen(join(folder, id, 'ui_messages.json'))),
    };
  });
}

const SPEAKS = new Map([
  ['attempt_completion', 'result'],
  ['ask_followup_question', 'question'],
  ['plan_mode_respond', 'response'],
]);
const TAGS = /<(?:task|feedback|user_message|answer)>\n([\s\S]*?)\n<\/(?:task|feedback|user_message|answer)>/;

function fromConversation(path: string): Omit<ClineTask, 'id'> {
  const messages: Json[] = documentAt(path);
  const calls: Record<string, number> = {};
  const texts: string[] = [];
  for (const { role, content } of messages)
    for (const part of content) {
      if (part.type === 'thinking') texts.push(part.thinking);
      else if (part.type === 'tool_use' && SPEAKS.has(part.name)) texts.push(part.input[SPEAKS.get(part.name)!] ?? '');
      else if (part.type === 'tool_use') {
        calls[part.name] = (calls[part.name] ?? 0) + 1;
        texts.push(JSON.stringify(part.input));
      } else if (part.type === 'text' && role === 'assistant') texts.push(part.text);
      else if (part.type === 'text') {
        const words = TAGS.exec(part.text);
        const result = /^\[(\w+)(?: for '[\s\S]*?')?\] Result:\s([\s\S]*)$/.exec(part.text);
        if (words) texts.push(words[1]!);
        else if (result && !SPEAKS.has(result[1]!)) texts.push(result[2]!);
      }
    }
  const usages = messages.flatMap(({ metrics }) => metrics?.tokens ?? []);
  const sum = (key: string) => usages.reduce((total, one) => total + one[key], 0);
  return {
    texts: texts.map((one) => one.trim()).filter(Boolean),
    calls,
    tokens: { input: sum('prompt'), output: sum('completion'), cacheRead: sum('cached') },
  };
}

function fromScreen(path: string): Omit<ClineTask, 'id'> {
  const messages: Json[] = documentAt(path);
  const SHOWN = ['task', 'text', 'reasoning', 'user_feedback', 'completion_result', 'error_retry'];
  const calls: Record<string, number> = {};
  const texts: string[] = [];
  let output = '';
  const flush = () => {
    if (output.trim() !== '') texts.push(output.trim());
    output = '';
  };
  for (const message of messages) {
    const kind = message.say ?? message.ask;
    const text = (message.text ?? '').replace(/(?:REQ_APP|HAS_CHANGES)$/, '');
    if (kind === 'command_output') output += text;
    else if (kind === 'command') flush();
    if (SHOWN.includes(kind) && text.trim() !== '') texts.push(text.trim());
    if (kind === 'command') {
      calls.command = (calls.command ?? 0) + 1;
      texts.push(JSON.stringify({ command: text }));
    }
    if (kind === 'tool') {
      const { tool, ...input } = JSON.parse(text);
      calls[tool] = (calls[tool] ?? 0) + 1;
      texts.push(JSON.stringify(input));
    }
  }
  flush();
  const costs = messages.filter(({ say }) => say === 'api_req_started').map(({ text }) => JSON.parse(text));
  const sum = (key: string) => costs.reduce((total, one) => total + (one[key] ?? 0), 0);
  return { texts, calls, tokens: { input: sum('tokensIn'), output: sum('tokensOut'), cacheRead: sum('cacheReads') } };
}
