import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { CLI, type Document, type User } from '../search/program.ts';

/** The server as agents start it: the bundle, on this Node. */
export const SERVER = join(dirname(CLI), 'mcp.mjs');

export interface Connection {
  readonly client: Client;
  readonly transport: StdioClientTransport;
  /** What the server said on stderr. */
  stderr(): string;
  call(name: string, args: Record<string, unknown>, meta?: Record<string, unknown>): Promise<Answer>;
}

export interface Answer {
  readonly text: string;
  readonly document: Document;
  readonly isError: boolean;
}

/** A client of the server, in the user's environment, until the test ends. */
export async function connected(
  env: NodeJS.ProcessEnv,
  { command = process.execPath, args = [SERVER] }: { command?: string; args?: string[] } = {},
): Promise<Connection> {
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const transport = new StdioClientTransport({ command, args, env: Object.fromEntries(given), stderr: 'pipe' });
  let said = '';
  transport.stderr?.on('data', (data) => {
    said += data;
  });
  const client = new Client({ name: 'portolan-test', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    transport,
    stderr: () => said,
    async call(name, args, meta) {
      const result = await client.callTool({ name, arguments: args, ...(meta && { _meta: meta }) });
      return answerOf(result as CallToolResult);
    },
  };
}

function answerOf(result: CallToolResult): Answer {
  const [first] = result.content;
  return {
    text: first?.type === 'text' ? first.text : '',
    document: result.structuredContent,
    isError: result.isError === true,
  };
}

export function connectedFor(user: User, more: NodeJS.ProcessEnv = {}): Promise<Connection> {
  return connected({ ...user.env, ...more });
}

/** Resident kilobytes of a process, as Linux counts them; undefined elsewhere. */
export function residentOf(pid: number | null): number | undefined {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}
