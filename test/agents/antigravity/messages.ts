/** Writes messages of Protocol Buffers, for tests: fields by number, those of a list each. */
export type Value = number | string | Uint8Array | Fields | readonly Value[];
export interface Fields {
  readonly [field: number]: Value;
}

export function message(fields: Fields): Uint8Array {
  return Buffer.concat(Object.entries(fields).flatMap(([field, value]) => fieldOf(Number(field), value)));
}

function fieldOf(field: number, value: Value): Uint8Array[] {
  if (typeof value === 'number') return [varint(field * 8), varint(value)];
  if (isList(value)) return value.flatMap((one) => fieldOf(field, one));
  const bytes = typeof value === 'string' ? Buffer.from(value) : value instanceof Uint8Array ? value : message(value);
  return [varint(field * 8 + 2), varint(bytes.length), bytes];
}

const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

function varint(number: number): Uint8Array {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, BigInt(number));
  while (left >= 128n) {
    bytes.push(Number(left % 128n) + 128);
    left /= 128n;
  }
  return Uint8Array.from([...bytes, Number(left)]);
}
