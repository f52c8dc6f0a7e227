/** A value as it stands on the wire: a number, a text or a message, or four or eight bytes of a fixed size. */
type Value = number | Uint8Array;

const UTF8 = new TextDecoder('utf-8', { fatal: true });
/** What no text of a person, a model or a tool holds, and every other field of bytes soon does. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROLS = /[\u0000-\u0006\u000e-\u001a\u001c-\u001f]/;
/** No message of an agent's lies deeper. */
const DEEPEST = 24;

/**
 * A message of Protocol Buffers without its schema: fields by number, as https://protobuf.dev/programming-guides/encoding
 * says. What a field is, the reader has to know.
 */
export class Message {
  private readonly fields: ReadonlyMap<number, readonly Value[]>;

  private constructor(fields: ReadonlyMap<number, readonly Value[]>) {
    this.fields = fields;
  }

  /** The message that bytes are; undefined where they are none, or are torn. */
  static of(bytes: unknown): Message | undefined {
    if (!(bytes instanceof Uint8Array)) return undefined;
    const fields = fieldsIn(bytes);
    return fields && new Message(fields);
  }

  /** The numbers of the fields that are there. */
  get numbers(): number[] {
    return [...this.fields.keys()];
  }

  /** The message that a path of field numbers leads to. */
  at(...path: readonly number[]): Message | undefined {
    let message: Message | undefined = this;
    for (const field of path) message = Message.of(message?.last(field));
    return message;
  }

  /** The messages of a repeated field. */
  all(field: number): Message[] {
    return (this.fields.get(field) ?? []).flatMap((value) => Message.of(value) ?? []);
  }

  /** A text that is not empty; undefined where there is none. */
  text(...path: readonly number[]): string | undefined {
    const value = this.valueAt(path);
    return value instanceof Uint8Array && value.length > 0 ? textOf(value) : undefined;
  }

  /** The texts of a repeated field. */
  texts(field: number): string[] {
    return (this.fields.get(field) ?? []).flatMap((value) =>
      value instanceof Uint8Array ? (textOf(value) ?? []) : [],
    );
  }

  number(...path: readonly number[]): number | undefined {
    const value = this.valueAt(path);
    return typeof value === 'number' ? value : undefined;
  }

  /** The numbers of a repeated field, packed or not. */
  numbersOf(field: number): number[] {
    return (this.fields.get(field) ?? []).flatMap((value) => (typeof value === 'number' ? value : packed(value)));
  }

  /** Milliseconds of a `Timestamp`; undefined where there is none. */
  time(...path: readonly number[]): number | undefined {
    const seconds = this.number(...path, 1);
    return seconds === undefined ? undefined : seconds * 1000 + Math.floor((this.number(...path, 2) ?? 0) / 1e6);
  }

  /** All texts in it, those of messages inside it too. */
  words(depth = 0): string[] {
    return [...this.fields.values()].flat().flatMap((value) => {
      if (typeof value === 'number') return [];
      const inner = depth < DEEPEST ? innerOf(value) : undefined;
      return inner ? inner.words(depth + 1) : (textOf(value) ?? []);
    });
  }

  /** All of it for people to look at: bytes that are text as text, those that are a message as its fields. */
  plain(depth = 0): unknown {
    return Object.fromEntries(
      [...this.fields].map(([field, values]) => {
        const shown = values.map((value) => plainOf(value, depth));
        return [field, shown.length === 1 ? shown[0] : shown];
      }),
    );
  }

  private valueAt(path: readonly number[]): Value | undefined {
    const field = path.at(-1);
    return field === undefined ? undefined : this.at(...path.slice(0, -1))?.last(field);
  }

  /** Of a field that may stand once, the last one counts. */
  private last(field: number): Value | undefined {
    return this.fields.get(field)?.at(-1);
  }
}

function plainOf(value: Value, depth: number): unknown {
  if (typeof value === 'number') return value;
  const inner = depth < DEEPEST ? innerOf(value) : undefined;
  return inner ? inner.plain(depth + 1) : (textOf(value) ?? `<${value.length} bytes>`);
}

/** The message that bytes are where they are no text: a field of bytes, or the first field's number, soon gives that away. */
function innerOf(value: Uint8Array): Message | undefined {
  const said = textOf(value);
  return said === undefined || CONTROLS.test(said) || said.startsWith('\n') ? Message.of(value) : undefined;
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

function fieldsIn(bytes: Uint8Array): Map<number, Value[]> | undefined {
  const fields = new Map<number, Value[]>();
  const reader = { bytes, at: 0 };
  while (reader.at < bytes.length) {
    const key = varint(reader);
    if (key === undefined || key < 8) return undefined;
    const value = readValue(reader, key % 8);
    if (value === undefined) return undefined;
    const field = Math.floor(key / 8);
    const known = fields.get(field);
    if (known) known.push(value);
    else fields.set(field, [value]);
  }
  return fields;
}

interface Reader {
  readonly bytes: Uint8Array;
  at: number;
}

function readValue(reader: Reader, wire: number): Value | undefined {
  if (wire === 0) return varint(reader);
  const length = wire === 2 ? varint(reader) : wire === 1 ? 8 : wire === 5 ? 4 : undefined;
  if (length === undefined || length < 0 || reader.at + length > reader.bytes.length) return undefined;
  reader.at += length;
  return reader.bytes.subarray(reader.at - length, reader.at);
}

/** A number of at most ten bytes, seven bits each, the lowest first; a negative one has all ten. */
function varint(reader: Reader): number | undefined {
  let low = 0;
  for (let i = 0; i < 4; i++) {
    const byte = reader.bytes[reader.at++];
    if (byte === undefined) return undefined;
    low += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return low;
  }
  let whole = BigInt(low);
  for (let i = 4; i < 10; i++) {
    const byte = reader.bytes[reader.at++];
    if (byte === undefined) return undefined;
    whole |= BigInt(byte & 0x7f) << BigInt(7 * i);
    if (byte < 0x80) return Number(BigInt.asIntN(64, whole));
  }
  return undefined;
}

function packed(bytes: Uint8Array): number[] {
  const reader = { bytes, at: 0 };
  const numbers: number[] = [];
  while (reader.at < bytes.length) {
    const one = varint(reader);
    if (one === undefined) break;
    numbers.push(one);
  }
  return numbers;
}
