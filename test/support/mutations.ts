import type { Chance } from './chance.ts';

const ODD_NAMES = ['__proto__', 'constructor', 'toString', 'brand_new'];
const ODD_VALUES: readonly unknown[] = [
  null,
  0,
  -1,
  1e308,
  '',
  'x',
  [],
  {},
  [[]],
  [null],
  true,
  '\ud800',
  '2026-99-99',
  ['a', 1, {}],
];

/** One thing that may happen to a file: a crash, a bad disk, a program of another version. */
export function mutate(bytes: Buffer, chance: Chance): Buffer {
  const at = chance.below(bytes.length);
  const length = chance.below(400);
  switch (chance.below(9)) {
    case 0: {
      const flipped = Buffer.from(bytes);
      for (let i = 0; i < 5; i++) flipped[chance.below(flipped.length)] = chance.below(256);
      return flipped;
    }
    case 1:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    case 2:
      return bytes.subarray(0, at);
    case 3:
      return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(length), bytes.subarray(at)]);
    case 4:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at)]);
    case 5:
      return Buffer.from(bytes.toString('utf8').replaceAll('\n', '\r\n'));
    case 6: {
      const lines = bytes.toString('utf8').split('\n');
      const [taken = ''] = lines.splice(chance.below(lines.length), 1);
      lines.splice(chance.below(lines.length + 1), 0, taken, taken);
      return Buffer.from(lines.join('\n'));
    }
    default:
      return withOddValues(bytes, chance);
  }
}

/** Some values of some records replaced by ones of another type. */
function withOddValues(bytes: Buffer, chance: Chance): Buffer {
  const document = parsed(bytes);
  if (document !== undefined) {
    for (let n = 0; n < 12; n++) replaceOne(document, chance);
    return Buffer.from(JSON.stringify(document));
  }
  const lines = bytes.toString('utf8').split('\n');
  for (let n = 0; n < 12; n++) {
    const index = chance.below(lines.length);
    try {
      const record: unknown = JSON.parse(lines[index]!);
      replaceOne(record, chance);
      lines[index] = JSON.stringify(record);
    } catch {
      // An empty line, or one that was made odd before.
    }
  }
  return Buffer.from(lines.join('\n'));
}

/** A file that is one document. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function replaceOne(value: unknown, chance: Chance): void {
  if (typeof value !== 'object' || value === null) return;
  const keys = Object.keys(value);
  if (keys.length === 0) return;
  const key = chance.of(keys);
  const holder = value as Record<string, unknown>;
  const inner = holder[key];
  if (typeof inner === 'object' && inner !== null && chance.below(3) > 0) replaceOne(inner, chance);
  else if (chance.below(8) === 0) {
    delete holder[key];
    // Set as any other key is, not as what it means to an object.
    Object.defineProperty(holder, chance.of(ODD_NAMES), {
      value: inner,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else holder[key] = structuredClone(chance.of(ODD_VALUES));
}
