import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { list, text, time } from '../fields.ts';
import { askForeignDatabase, markOf } from '../foreign-database.ts';
import { parsedJson } from '../json.ts';
import { recordsIn } from './lines.ts';
import { Message } from './protobuf.ts';

/** What Antigravity's lists of conversations say of one. */
export interface Summary {
  readonly title?: string;
  readonly workspace?: string;
  readonly created?: number;
  readonly updated?: number;
}

type Summaries = ReadonlyMap<string, Summary>;
type Read = (path: string) => Iterable<readonly [id: string | undefined, summary: Summary]>;

/** Folders of the editor's own state, below the home: Linux, macOS, Windows. */
const STATES = [['.config'], ['Library', 'Application Support'], ['AppData', 'Roaming']].flatMap((folder) =>
  ['Antigravity', 'Antigravity IDE'].map((program) => [...folder, program, 'User', 'globalStorage', 'state.vscdb']),
);

const known = new Map<string, { readonly mark: string; readonly summaries: Summaries }>();

/**
 * What the lists of a program's folder say, by conversation: the list of the desktop program, that of the command line, those
 * of editors. They name also conversations that are encrypted.
 */
export function summariesIn(root: string): Summaries {
  const lists: (readonly [path: string, read: Read])[] = [
    [join(root, 'agyhub_summaries_proto.pb'), ofDesktop],
    [join(root, 'conversation_summaries.db'), ofCommandLine],
    [join(root, 'history.jsonl'), ofPrompts],
    // The program's folder lies in `.gemini`, which lies in the home.
    ...STATES.map((names) => [join(dirname(dirname(root)), ...names), ofEditor] as const),
  ];
  const mark = lists.map(([path]) => markOf(path) ?? '').join(' ');
  const last = known.get(root);
  if (last?.mark === mark) return last.summaries;
  const summaries = new Map<string, Summary>();
  for (const [path, read] of lists) {
    if (markOf(path) === undefined) continue;
    for (const [id, summary] of read(path)) {
      if (id !== undefined) summaries.set(id, { ...summary, ...summaries.get(id) });
    }
  }
  known.set(root, { mark, summaries });
  return summaries;
}

/** `agyhub_summaries_proto.pb`: one message of all. */
function* ofDesktop(path: string): ReturnType<Read> {
  for (const entry of messageAt(path)?.all(1) ?? []) yield [entry.text(1), summaryIn(entry.at(2))];
}

function messageAt(path: string): Message | undefined {
  try {
    return Message.of(readFileSync(path));
  } catch {
    return undefined;
  }
}

/** `conversation_summaries.db`, which newer versions of `agy` write. */
function ofCommandLine(path: string): ReturnType<Read> {
  const rows = askForeignDatabase(path, (ask) => ask('SELECT * FROM conversation_summaries')) ?? [];
  return rows.map((row) => {
    const workspace = text(list(parsedJson(row.workspace_uris))[0]);
    return [text(row.conversation_id), summaryOf(text(row.title), workspace, undefined, time(row.last_modified_time))];
  });
}

const EDITORS_LIST = 'antigravityUnifiedStateSync.trajectorySummaries';

/** The editor's state: a message of all in Base64, and in it each conversation's in Base64. */
function* ofEditor(path: string): ReturnType<Read> {
  const rows = askForeignDatabase(path, (ask) => ask('SELECT value FROM ItemTable WHERE key = ?', EDITORS_LIST)) ?? [];
  for (const { value } of rows) {
    for (const entry of messageIn(value)?.all(1) ?? [])
      yield [entry.text(1), summaryIn(messageIn(entry.text(2, 1)) ?? entry.at(2))];
  }
}

/** The list of what was typed in a terminal says in which folder. */
function ofPrompts(path: string): ReturnType<Read> {
  return recordsIn(path).flatMap((prompt) =>
    prompt instanceof Error ? [] : [[text(prompt.conversationId), summaryOf(undefined, text(prompt.workspace))]],
  );
}

function messageIn(base64: unknown): Message | undefined {
  const words = base64 instanceof Uint8Array ? Buffer.from(base64).toString('utf8') : text(base64);
  return words === undefined ? undefined : Message.of(Buffer.from(words, 'base64'));
}

function summaryIn(about: Message | undefined): Summary {
  const workspace = about?.text(9, 1) ?? about?.text(17, 7);
  return summaryOf(about?.text(1), workspace, time(about?.time(7)), time(about?.time(3)));
}

function summaryOf(title?: string, workspace?: string, created?: number, updated?: number): Summary {
  return {
    ...(title !== undefined && { title }),
    ...(workspace !== undefined && { workspace }),
    ...(created !== undefined && { created }),
    ...(updated !== undefined && { updated }),
  };
}
