import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Where a database of an agent has what is written last. */
const LAST_WRITTEN: readonly string[] = ['part', 'messages', 'steps'];

/** Takes the last thing out of a file of an agent; gives what puts it back, and how many bytes that is. Undefined where there is none. */
export function withhold(path: string): { readonly bytes: number; putBack(): void } | undefined {
  if (path.endsWith('.jsonl')) return ofLog(path);
  if (path.endsWith('.json')) return ofDocument(path);
  return path.endsWith('.db') ? ofDatabase(path) : undefined;
}

function ofLog(path: string) {
  const whole = readFileSync(path);
  const end = whole.at(-1) === 0x0a ? whole.length - 1 : whole.length;
  const at = whole.lastIndexOf(0x0a, end - 1) + 1;
  if (at === 0) return undefined;
  return replaced(path, whole, whole.subarray(0, at));
}

function ofDocument(path: string) {
  const whole = readFileSync(path);
  const document: unknown = JSON.parse(whole.toString('utf8'));
  const lists = Array.isArray(document) ? [document] : Object.values(Object(document)).filter(Array.isArray);
  const longest = lists.sort((a, b) => b.length - a.length)[0];
  if (longest === undefined || longest.length < 2) return undefined;
  longest.pop();
  return replaced(path, whole, Buffer.from(JSON.stringify(document)));
}

function replaced(path: string, whole: Buffer, less: Buffer) {
  writeFileSync(path, less);
  return { bytes: whole.length - less.length, putBack: () => writeFileSync(path, whole) };
}

function ofDatabase(path: string) {
  const database = new DatabaseSync(path);
  const table = LAST_WRITTEN.find(
    (name) => database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined,
  );
  const row = table === undefined ? undefined : database.prepare(`SELECT * FROM ${table} ORDER BY rowid DESC`).get();
  const rowid = table === undefined ? undefined : database.prepare(`SELECT max(rowid) AS id FROM ${table}`).get()?.id;
  if (table === undefined || row === undefined || typeof rowid !== 'number') {
    database.close();
    return undefined;
  }
  database.prepare(`DELETE FROM ${table} WHERE rowid = ?`).run(rowid);
  database.close();
  const before = statSync(path).size;
  return {
    bytes: Object.values(row).reduce<number>((sum, value) => sum + String(value).length, 0),
    putBack() {
      const again = new DatabaseSync(path);
      const names = Object.keys(row);
      again
        .prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
        .run(...Object.values(row));
      again.close();
      if (statSync(path).size < before) throw new Error(`${path} shrank`);
    },
  };
}
