/** What stands in Antigravity's databases, logs and documents, read by code that shares nothing with the reader. */
import { copyFileSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

// biome-ignore lint/suspicious/noExplicitAny: a witness trusts the files that it was written beside
type Json = Readonly<Record<string, any>>;

/** A field of a message: its number, and bytes or a number. */
type Field = readonly [number: number, value: Buffer | bigint];

export interface Conversation {
  readonly id: string;
  /** How many a database has. */
  readonly steps: number;
  readonly prompts: readonly string[];
  readonly answers: readonly string[];
  readonly thoughts: readonly string[];
  readonly notices: readonly string[];
  readonly documents: readonly string[];
  /** Name, arguments, and texts that its output holds. */
  readonly calls: readonly { readonly id?: string; readonly name: string; readonly args: Json; gave: string[] }[];
}

/** Every conversation whose words can be read: of a database, else of a log; then of documents alone. */
export function conversationsIn(home: string): Conversation[] {
  const all = new Map<string, Conversation>();
  for (const path of globSync('.gemini/antigravity*/conversations/*.db', { cwd: home }).sort())
    all.set(basename(path, '.db'), ofDatabase(join(home, path)));
  const logged = new Set<string>();
  for (const name of ['transcript_full', 'transcript'])
    for (const path of globSync(`.gemini/antigravity*/brain/*/.system_generated/logs/${name}.jsonl`, { cwd: home })) {
      const id = basename(dirname(dirname(dirname(path))));
      const stored = all.get(id);
      if (logged.has(id)) continue;
      logged.add(id);
      const log = ofLog(id, join(home, path), stored?.steps ?? 0);
      all.set(id, stored ? { ...stored, answers: [...stored.answers, ...log.answers] } : log);
    }
  for (const path of globSync('.gemini/antigravity*/brain/*/*.md', { cwd: home })) {
    const id = basename(dirname(path));
    const known = all.get(id) ?? empty(id);
    all.set(id, { ...known, documents: [...known.documents, readFileSync(join(home, path), 'utf8')] });
  }
  return [...all.values()];
}

const empty = (id: string): Conversation => ({
  id,
  steps: 0,
  prompts: [],
  answers: [],
  thoughts: [],
  notices: [],
  documents: [],
  calls: [],
});

interface Spent {
  readonly responses: number;
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly thought: number;
}

/** What all requests took, as `gen_metadata` has it. */
export function tokensIn(home: string): Spent {
  return sumOf(databasesIn(home).flatMap(requestsIn));
}

/** What the responses took that steps name and no request does. */
export function tokensBeside(home: string): Spent {
  return sumOf(
    databasesIn(home).flatMap((path) => {
      const known = new Set(requestsIn(path).map(responseOf));
      const named = rowsOf(path, 'SELECT metadata FROM steps ORDER BY idx').flatMap(
        ({ metadata }) => bytesAt(Buffer.from(metadata), 9) ?? [],
      );
      return named.filter((usage) => !known.has(responseOf(usage)));
    }),
  );
}

const databasesIn = (home: string) =>
  globSync('.gemini/antigravity*/conversations/*.db', { cwd: home }).map((path) => join(home, path));
const responseOf = (usage: Buffer) => bytesAt(usage, 11)?.toString('utf8');

function requestsIn(path: string): Buffer[] {
  const rows = rowsOf(path, 'SELECT data FROM gen_metadata');
  return rows.flatMap(({ data }) => bytesAt(Buffer.from(data), 1, 4) ?? []).filter((usage) => usage.length > 0);
}

function sumOf(usages: readonly Buffer[]): Spent {
  const sum = (field: number) =>
    usages.reduce((all, usage) => all + Number(fieldsOf(usage).find(([at]) => at === field)?.[1] ?? 0), 0);
  return { responses: usages.length, input: sum(2), output: sum(3), cached: sum(5), thought: sum(9) };
}

function rowsOf(path: string, sql: string): Json[] {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-test-'));
  try {
    for (const ending of ['', '-wal'])
      if (existsSync(path + ending)) copyFileSync(path + ending, join(folder, `a.db${ending}`));
    const database = new DatabaseSync(join(folder, 'a.db'));
    const rows = database.prepare(sql).all() as Json[];
    database.close();
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Where a tool's step has what the tool gave, by the step's type. */
const GAVE: Readonly<Record<number, readonly number[]>> = {
  8: [14, 4],
  17: [24, 3, 9],
  21: [28, 21, 1],
  33: [42, 5],
  132: [140, 2, 1],
};

function ofDatabase(path: string): Conversation {
  const found = { prompts: [] as string[], answers: [] as string[], thoughts: [] as string[], notices: [] as string[] };
  const calls: { id: string; name: string; args: Json; gave: string[] }[] = [];
  const rows = rowsOf(path, 'SELECT step_type, step_payload FROM steps ORDER BY idx');
  for (const row of rows) {
    const payload = Buffer.from(row.step_payload);
    const text = (...at: number[]) => bytesAt(payload, ...at)?.toString('utf8');
    const put = (list: string[], said: string | undefined) => said?.trim() && list.push(said);
    const ran = calls.find(({ id }) => id === text(5, 4, 1));
    if (row.step_type === 14) put(found.prompts, text(19, 2));
    else if (row.step_type === 15) {
      put(found.answers, text(20, 1));
      put(found.thoughts, text(20, 3));
      for (const [field, call] of fieldsOf(bytesAt(payload, 20) ?? Buffer.alloc(0))) {
        if (field !== 7 || typeof call === 'bigint') continue;
        const of = (at: number) => bytesAt(call, at)?.toString('utf8') ?? '';
        calls.push({ id: of(1), name: of(2), args: JSON.parse(of(3)), gave: [] });
      }
    } else if (ran !== undefined) {
      put(ran.gave, GAVE[row.step_type] && text(...GAVE[row.step_type]!));
      for (const field of [1, 2]) put(ran.gave, text(31, field));
      for (const [field, entry] of fieldsOf(bytesAt(payload, 15) ?? Buffer.alloc(0)))
        if (field === 3 && typeof entry !== 'bigint') put(ran.gave, bytesAt(entry, 1)?.toString('utf8'));
    } else if (row.step_type === 17) for (const field of [1, 2]) put(found.notices, text(24, 3, field));
    else if (row.step_type === 101) put(found.notices, text(114, 1));
    else if (row.step_type === 23) put(found.notices, text(30, 4));
  }
  return { ...empty(basename(path, '.db')), steps: rows.length, ...found, calls };
}

/** A log from a step on: what a database does not have yet. */
function ofLog(id: string, path: string, from: number): Conversation {
  const found = { prompts: [] as string[], answers: [] as string[], thoughts: [] as string[], notices: [] as string[] };
  const calls: { name: string; args: Json; gave: string[] }[] = [];
  let asked: typeof calls = [];
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  for (const record of lines.map((line) => JSON.parse(line) as Json)) {
    if (record.step_index < from) continue;
    const content: string = record.content ?? '';
    const body = content
      .replace(/^Created At: .*\n(Completed At: .*\n)?/, '')
      .replace(/^The following code has been modified[^\n]*\n([\s\S]*)/m, (_, code) => code.replace(/^\d+: /gm, ''));
    if (record.type === 'USER_INPUT') found.prompts.push(content.split('<USER_REQUEST>\n')[1]!.split('\n</USER_')[0]!);
    else if (record.type === 'PLANNER_RESPONSE') {
      if (content.trim()) found.answers.push(content);
      if (record.thinking) found.thoughts.push(record.thinking);
      asked = (record.tool_calls ?? []).map(({ name, args }: Json) => ({ name, args: unquoted(args), gave: [] }));
      calls.push(...asked);
    } else if (record.type === 'SYSTEM_MESSAGE')
      found.notices.push(content.split('<SYSTEM_MESSAGE>\n')[1]!.split('\n</SYSTEM_MESSAGE>')[0]!);
    else if (record.type === 'ERROR_MESSAGE' && asked.length === 0) found.notices.push(record.error);
    else if (record.type === 'ERROR_MESSAGE') asked.shift()!.gave.push(record.error);
    else if (record.source === 'MODEL') {
      // What a task in the background prints stands in its own log.
      if (!body.startsWith('Tool is running as a background task')) asked[0]!.gave.push(body);
      asked.shift();
    } else if (record.source === 'USER_EXPLICIT')
      calls.push({ name: record.type.toLowerCase(), args: {}, gave: [body] });
  }
  return { ...empty(id), ...found, calls };
}

const unquoted = (args: Json): Json =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [name, parsed(value)]));

function parsed(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** The bytes that a path of field numbers leads to; of several the last. */
function bytesAt(bytes: Buffer, ...path: readonly number[]): Buffer | undefined {
  let at: Buffer | undefined = bytes;
  for (const number of path) {
    const value: Buffer | bigint | undefined = at && fieldsOf(at).findLast(([field]) => field === number)?.[1];
    at = typeof value === 'bigint' ? undefined : value;
  }
  return at;
}

function fieldsOf(bytes: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]!;
      value |= BigInt(byte % 128) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = Number(varint());
    if (key % 8 === 0) {
      fields.push([key >> 3, varint()]);
      continue;
    }
    const length = key % 8 === 2 ? Number(varint()) : key % 8 === 1 ? 8 : 4;
    fields.push([key >> 3, bytes.subarray(at, at + length)]);
    at += length;
  }
  return fields;
}

/** A text in a message, and the numbers of the fields that lead there. */
export interface Found {
  readonly id: string;
  readonly step: number;
  readonly at: string;
  readonly text: string;
}

/** Shorter ones are names, ids and settings: the longest id is `bot-` and a UUID. */
const SHORTEST = 41;

/** Every text of every step of the databases, in whatever field. */
export function textsIn(home: string): Found[] {
  return databasesIn(home).flatMap((path) =>
    rowsOf(path, 'SELECT idx, step_payload FROM steps ORDER BY idx').flatMap(({ idx, step_payload }) =>
      textsOf(Buffer.from(step_payload)).map(([at, text]) => ({ id: basename(path, '.db'), step: idx, at, text })),
    ),
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what no text holds
const CONTROLS = /[\u0000-\u0008\u000e-\u001a]|\ufffd/;

function textsOf(bytes: Buffer, path = ''): [at: string, text: string][] {
  return fieldsOf(bytes).flatMap(([field, value]): [string, string][] => {
    if (typeof value === 'bigint') return [];
    const at = `${path}${field}.`;
    const said = value.toString('utf8');
    const isText = !CONTROLS.test(said);
    if (isMessage(value) && !(isText && /^[\w<#"{/[(-]/.test(said))) return textsOf(value, at);
    return isText && said.length >= SHORTEST ? [[at, said]] : [];
  });
}

function isMessage(bytes: Buffer): boolean {
  let at = 0;
  const varint = () => {
    for (let shift = 0, value = 0; shift < 70; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined) return Number.NaN;
      value += (byte % 128) * 2 ** shift;
      if (byte < 128) return value;
    }
    return Number.NaN;
  };
  while (at < bytes.length) {
    const key = varint();
    const kind = key % 8;
    if (!(key >= 8) || ![0, 1, 2, 5].includes(kind)) return false;
    const length = kind === 0 ? varint() * 0 : kind === 2 ? varint() : kind === 1 ? 8 : 4;
    if (!(at + length <= bytes.length)) return false;
    at += length;
  }
  return true;
}
