import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fields, isFields, text } from '../fields.ts';
import { askForeignDatabase, markOf } from '../foreign-database.ts';
import { valuesOf } from '../jsonl/values.ts';
import type { Titles } from '../source.ts';
import { newestDatabase } from './databases.ts';

interface Home {
  readonly mark: string;
  readonly titles: ReadonlyMap<string, Titles>;
}

const homes = new Map<string, Home>();

/** What a home's index and database call a session. Both are read once, and again when they change. */
export function titlesOf(home: string, session: string): Titles | undefined {
  const index = join(home, 'session_index.jsonl');
  const database = newestDatabase(home, 'state');
  const mark = `${markOf(index)} ${database === undefined ? '' : `${database} ${markOf(database)}`}`;
  let known = homes.get(home);
  if (known?.mark !== mark) {
    known = { mark, titles: readTitles(index, database) };
    homes.set(home, known);
  }
  return known.titles.get(session);
}

function readTitles(index: string, database: string | undefined): Map<string, Titles> {
  const threads = database === undefined ? new Map<string, Thread>() : readThreads(database);
  const titles = new Map<string, Titles>();
  for (const [id, { name, title, prompt }] of threads) {
    // The database's title is the first prompt where nothing better was found.
    const given = name ?? (title !== undefined && !isBeginning(title, prompt) ? title : undefined);
    if (given !== undefined) titles.set(id, { agent: given });
  }
  for (const [id, names] of readIndex(index)) {
    const last = names.at(-1);
    if (last === undefined || last === '') continue;
    // The first name is Codex's own; a later one was given by hand, unless it is the prompt's beginning again.
    const isGiven = names.some((name) => name !== '' && name !== last) && !isBeginning(last, threads.get(id)?.prompt);
    titles.set(id, isGiven ? { user: last } : { agent: last });
  }
  return titles;
}

function isBeginning(title: string, prompt: string | undefined): boolean {
  const plain = (said: string) => said.replace(/\s+/g, ' ').trim();
  const beginning = plain(title).replace(/…$/, '');
  return prompt !== undefined && plain(prompt).startsWith(beginning);
}

/** All names of each session, in order. */
function readIndex(path: string): Map<string, string[]> {
  const names = new Map<string, string[]>();
  let written = '';
  try {
    written = readFileSync(path, 'utf8');
  } catch {
    return names;
  }
  for (const line of written.split('\n')) {
    for (const value of valuesOf(line).values) {
      const said = fields(value);
      const id = text(said.id);
      if (id === undefined || typeof said.thread_name !== 'string') continue;
      const known = names.get(id);
      if (known) known.push(said.thread_name.trim());
      else names.set(id, [said.thread_name.trim()]);
    }
  }
  return names;
}

interface Thread {
  readonly name?: string;
  readonly title?: string;
  readonly prompt?: string;
}

function readThreads(path: string): Map<string, Thread> {
  const threads = askForeignDatabase(path, (rows) => {
    const found = new Map<string, Thread>();
    // Columns come and go with versions: what is there is taken.
    for (const row of rows('SELECT * FROM threads')) {
      const id = text(row.id);
      if (id === undefined || !isFields(row)) continue;
      const name = text(row.name);
      const title = text(row.title);
      const prompt = text(row.first_user_message) ?? text(row.preview);
      found.set(id, {
        ...(name !== undefined && { name }),
        ...(title !== undefined && { title }),
        ...(prompt !== undefined && { prompt }),
      });
    }
    return found;
  });
  return threads ?? new Map();
}
