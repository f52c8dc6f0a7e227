import { readFileSync } from 'node:fs';
import { type Fields, fields, isFields, list, number, text, time } from '../fields.ts';
import { markOf, type Rows, readForeignDatabase } from '../foreign-database.ts';
import { parsedJson } from '../json.ts';
import { fileOf, rowKey, rowUnit } from '../rows.ts';
import type { Unit } from '../source.ts';

/**
 * The conversations, by their keys alone: the index holds keys and row numbers, and a row that is written anew gets a new
 * number, but where it was the last one. So the length of that one is looked at too; a text of gigabytes is not.
 */
const CONVERSATIONS = `
SELECT c.id, c.bubbles, c.last, octet_length(r.value) AS length FROM (
  SELECT substr(key, instr(key, ':') + 1, 36) AS id, count(*) - 1 AS bubbles, max(rowid) AS last FROM cursorDiskKV
  WHERE (key >= 'bubbleId:' AND key < 'bubbleId;') OR (key >= 'composerData:' AND key < 'composerData;')
  GROUP BY id
) c JOIN cursorDiskKV r ON r.rowid = c.last`;
const BUBBLE = 1024;

/** The conversations of the editor's database, each a unit. @throws ForeignDatabaseError */
export function rows(listing: Unit): Unit[] {
  return readForeignDatabase(listing.path, (ask) => {
    const heads = headsOf(listing.path, ask);
    return ask(CONVERSATIONS).flatMap((row) => {
      const id = text(row.id);
      if (id === undefined) return [];
      const head = heads.get(id);
      const size = (number(row.bubbles) ?? 0) * BUBBLE + (number(row.last) ?? 0) + (number(row.length) ?? 0);
      return [rowUnit(listing, id, { size, modified: time(head?.lastUpdatedAt) ?? time(head?.createdAt) ?? 0 })];
    });
  });
}

/** A conversation as it stands in the database. */
export interface Stored {
  readonly id: string;
  /** What the list of all says of it, where there is one. */
  readonly head: Fields;
  readonly data: Fields;
  /** What was said, in its order. */
  readonly bubbles: readonly (Fields | Error)[];
  /** How many were left behind: they are in no conversation. */
  readonly left: number;
  readonly bytes: number;
}

/** A conversation, read by the range of its keys. @throws ForeignDatabaseError */
export function conversationOf(unit: Unit): Stored {
  const id = rowKey(unit);
  return readForeignDatabase(fileOf(unit), (ask) => {
    const [row] = ask('SELECT value FROM cursorDiskKV WHERE key = ?', `composerData:${id}`);
    const found = ask(
      'SELECT key, value FROM cursorDiskKV WHERE key >= ? AND key < ?',
      `bubbleId:${id}:`,
      `bubbleId:${id};`,
    );
    const data = fields(parsedJson(textOf(row?.value)));
    const byId = new Map(
      found.flatMap(({ key, value }) => {
        const written = textOf(value);
        // One that was taken back is nothing.
        return written === undefined ? [] : [[String(key).split(':')[2] ?? '', parsedJson(written) ?? TORN] as const];
      }),
    );
    const order = list(data.fullConversationHeadersOnly).flatMap((one) => text(fields(one).bubbleId) ?? []);
    const bubbles = order.length > 0 ? order.flatMap((bubble) => byId.get(bubble) ?? []) : inline(data, byId);
    const bytes = [row, ...found].reduce((sum, one) => sum + (textOf(one?.value)?.length ?? 0), 0);
    return {
      id,
      head: headsOf(fileOf(unit), ask).get(id) ?? {},
      data,
      bubbles: bubbles.map((bubble) => (isFields(bubble) ? bubble : TORN)),
      left: order.length > 0 ? [...byId.keys()].filter((bubble) => !order.includes(bubble)).length : 0,
      bytes,
    };
  });
}

const TORN = new Error('a message that is not JSON');

/** The first versions kept the messages within the conversation. */
function inline(data: Fields, byId: ReadonlyMap<string, unknown>): unknown[] {
  const own = list(data.conversation);
  return own.length > 0 ? [...own] : [...byId.values()];
}

/** The messages of a conversation as they stand, or the lines of a transcript. */
export function records(unit: Unit): string[] {
  if (unit.layout === 'transcript') return readFileSync(unit.path, 'utf8').split('\n');
  return conversationOf(unit).bubbles.map((bubble) => JSON.stringify(bubble));
}

interface Heads {
  readonly path: string;
  readonly mark: string | undefined;
  readonly byId: ReadonlyMap<string, Fields>;
}
let heads: Heads | undefined;

/** The editor's list of all conversations: names, folders, times. */
function headsOf(path: string, ask: Rows): ReadonlyMap<string, Fields> {
  const mark = markOf(path);
  if (heads?.path === path && heads.mark === mark) return heads.byId;
  const [row] = ask("SELECT value FROM ItemTable WHERE key = 'composer.composerHeaders'");
  const all = list(fields(parsedJson(textOf(row?.value))).allComposers).map(fields);
  const byId = new Map(
    all.flatMap((head) => (text(head.composerId) === undefined ? [] : [[String(head.composerId), head] as const])),
  );
  heads = { path, mark, byId };
  return byId;
}

/** A value of the table: a text, or its bytes. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : undefined;
}
