import { type Fields, fields, isFields, text, time } from '../fields.ts';

/** A record without its envelope. */
export interface Unwrapped {
  /** `session_meta`, `turn_context`, `response_item`, `event_msg`, `compacted` … */
  readonly type: string;
  readonly payload: Fields;
  readonly at?: number;
}

/** The first versions wrote items without an envelope, and the session's facts on the first line without a type. */
export function unwrapped(record: Fields): Unwrapped {
  const when = time(record.timestamp) ?? time(record.created_at);
  const at = when === undefined ? {} : { at: when };
  const type = text(record.type);
  if (isFields(record.payload) && type !== undefined) return { type, payload: record.payload, ...at };
  if (record.record_type !== undefined) return { type: text(record.record_type) ?? 'untyped', payload: record, ...at };
  if (type !== undefined || record.role !== undefined) {
    const isItem = type === undefined || ITEMS.has(type);
    return { type: isItem ? 'response_item' : type, payload: record, ...at };
  }
  if (record.id !== undefined && record.timestamp !== undefined)
    return { type: 'session_meta', payload: record, ...at };
  return { type: 'untyped', payload: fields(record.payload), ...at };
}

/** Whether an object is a record, whole. Items without an envelope look like what stands inside one. */
export function isRecord(object: Fields, isValue: boolean): boolean {
  if (text(object.timestamp) !== undefined && text(object.type) !== undefined) return isFields(object.payload);
  return !isValue && (object.record_type !== undefined || ITEMS.has(text(object.type) ?? ''));
}

const ITEMS: ReadonlySet<string> = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'web_search_call',
]);

const BEGINNING =
  /^\{"timestamp":"([^"]{10,40})",(?:"ordinal":\d+,)?"type":"([a-z_]+)","payload":\{(?:"type":"([a-z_]+)")?/;

/** How a record begins: behind a piece of another one, this one is not to be missed. */
const ANOTHER = Buffer.from('{"timestamp":"');

/** What the beginning of a line says, where it is written as Codex writes it, and nothing else stands on it. */
export function beginningOf(line: Buffer): { readonly kind: string; readonly at?: number } | undefined {
  const found = BEGINNING.exec(line.toString('latin1', 0, 200));
  if (!found || line[line.length - 1] !== 125 || line.includes(ANOTHER, 1)) return undefined;
  const at = time(found[1]);
  const inner = found[2] === 'response_item' || found[2] === 'event_msg' ? `/${found[3] ?? ''}` : '';
  return { kind: `${found[2]}${inner}`, ...(at !== undefined && { at }) };
}
