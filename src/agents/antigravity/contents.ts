import { readFileSync } from 'node:fs';
import type { Relation } from '../../transcript/index.ts';
import { type Fields, fields, number, text, time } from '../fields.ts';
import { statOf } from '../folders.ts';
import { type Rows, readForeignDatabase } from '../foreign-database.ts';
import { fieldsAt } from '../json.ts';
import type { ConversationFiles } from './files.ts';
import { recordsIn } from './lines.ts';
import { Message } from './protobuf.ts';
import { Generation, Step } from './step.ts';

/** What the agent wrote for the person: a list of tasks, a plan, a walkthrough. */
export class Document {
  readonly path: string;
  readonly content: string;
  /** What the file beside it says: type, summary, time, version. */
  readonly about: Fields;

  constructor(path: string) {
    this.path = path;
    this.content = readFileSync(path, 'utf8');
    this.about = fieldsAt(`${path}.metadata.json`);
  }

  get updated(): number | undefined {
    return time(this.about.updatedAt) ?? time(statOf(this.path)?.mtimeMs);
  }

  raw(): unknown {
    return { document: this.path, ...this.about, content: this.content };
  }
}

/** That a conversation is there which nobody else can read. */
export class Encrypted {
  raw(): unknown {
    return 'encrypted';
  }
}

/** A line of a log. */
export class LogLine {
  readonly record: Fields;

  constructor(record: Fields) {
    this.record = record;
  }

  raw(): unknown {
    return this.record;
  }
}

export type Entry = Step | Generation | LogLine | Document | Encrypted | Error;

/** All that is kept of a conversation, in order. */
export interface Contents {
  readonly entries: readonly Entry[];
  /** The folder that it worked in, as the database says. */
  readonly workspace?: string;
  readonly branch?: string;
  readonly created?: number;
  /** The conversation that started this one, and whether as a sub-agent. */
  readonly parent?: { readonly nativeId: string; readonly relation: Relation };
  /** References to conversations that it came from: none was seen yet. */
  readonly references: number;
  /** Former versions of its documents. */
  readonly versions: number;
}

/** Reads all files of a conversation. @throws ForeignDatabaseError */
export function contentsOf(files: ConversationFiles): Contents {
  const { database, encrypted, log } = files;
  const stored = database === undefined ? undefined : readForeignDatabase(database, inDatabase);
  const steps = stored?.steps ?? [];
  const logged = log === undefined ? [] : beyond(steps, linesOf(log));
  const isClosed = encrypted !== undefined && steps.length === 0 && logged.length === 0;
  return {
    references: stored?.references ?? 0,
    versions: files.versions,
    ...stored?.about,
    entries: [
      ...(isClosed ? [new Encrypted()] : []),
      ...inOrder(steps, stored?.generations ?? []),
      ...logged,
      ...documentsOf(files),
    ],
  };
}

function inDatabase(rows: Rows) {
  const tables = new Set(rows("SELECT name FROM sqlite_schema WHERE type = 'table'").map(({ name }) => name));
  const all = (table: string, order: string) =>
    tables.has(table) ? rows(`SELECT * FROM ${table} ORDER BY ${order}`) : [];
  const about = Message.of(fields(all('trajectory_metadata_blob', 'rowid')[0]).data);
  return {
    steps: rows('SELECT * FROM steps ORDER BY idx').map((row) => Step.of(row)),
    generations: all('gen_metadata', 'idx').map((row) => Generation.of(row)),
    references: all('parent_references', 'rowid').length,
    about: about ? aboutIn(about) : {},
  };
}

/** What a database says of its conversation as a whole. */
function aboutIn(about: Message): Pick<Contents, 'workspace' | 'branch' | 'created' | 'parent'> {
  const workspace = about.text(7) ?? about.text(1, 1);
  const branch = about.text(1, 4);
  const created = time(about.time(2));
  const parent = about.text(5);
  const relation = (about.number(17) ?? 0) > 0 ? 'subagent' : 'fork';
  return {
    ...(workspace !== undefined && { workspace }),
    ...(branch !== undefined && { branch }),
    ...(created !== undefined && { created }),
    ...(parent !== undefined && { parent: { nativeId: parent, relation } }),
  };
}

/** Requests stand behind the first step that came of them. */
function inOrder(steps: readonly (Step | Error)[], generations: readonly (Generation | Error)[]): Entry[] {
  const entries: Entry[] = [];
  let next = 0;
  for (const step of steps) {
    entries.push(step);
    for (let one = generations[next]; one !== undefined; one = generations[++next]) {
      if (step instanceof Error || (one instanceof Generation && one.index > step.index)) break;
      entries.push(one);
    }
  }
  return [...entries, ...generations.slice(next)];
}

/** What only the log has: all of it, or steps behind the database's last one that were made after it. */
function beyond(steps: readonly (Step | Error)[], lines: readonly (LogLine | Error)[]): (LogLine | Error)[] {
  const last = steps.findLast((step) => step instanceof Step);
  if (last === undefined) return [...lines];
  const made = Math.floor((last.created ?? 0) / 1000) * 1000;
  return lines.filter(
    (line) =>
      line instanceof LogLine &&
      (number(line.record.step_index) ?? 0) > last.index &&
      (time(line.record.created_at) ?? 0) >= made,
  );
}

function linesOf(path: string): (LogLine | Error)[] {
  return recordsIn(path).map((record) => (record instanceof Error ? record : new LogLine(record)));
}

/** The documents, in the order in which they were written. */
function documentsOf({ documents }: ConversationFiles): (Document | Error)[] {
  const read = documents.map((path) => {
    try {
      return new Document(path);
    } catch (error) {
      return error instanceof Error ? error : new Error(text(error) ?? 'a document that cannot be read');
    }
  });
  const when = (one: Document | Error) => (one instanceof Document ? (one.updated ?? 0) : 0);
  return read.sort((a, b) => when(a) - when(b));
}
