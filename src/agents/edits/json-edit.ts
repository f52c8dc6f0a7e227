/**
 * Sets and removes one member of an object inside a JSON file, and leaves every other byte as it is: the file is its
 * owner's, with their order, indentation and numbers.
 */
export type JsonEdit = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

interface Member {
  readonly key: string;
  /** Where the key's quote stands. */
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

interface ObjectSpan {
  /** Behind the brace that opens it. */
  readonly open: number;
  readonly members: readonly Member[];
}

/** The text of `parent.name`; undefined where there is none. */
export function jsonMember(text: string, parent: string, name: string): string | undefined {
  const root = rootOf(text);
  const group = typeof root === 'string' ? undefined : last(root, parent);
  if (!group || text[group.valueStart] !== '{') return undefined;
  const member = last(objectAt(text, group.valueStart), name);
  return member && text.slice(member.valueStart, member.end);
}

/** Sets `parent.name`, making the parent where there is none. `value` is JSON on one line. */
export function setJsonMember(text: string, parent: string, name: string, value: string): JsonEdit {
  const root = rootOf(text);
  if (typeof root === 'string') return { ok: false, reason: root };
  const group = last(root, parent);
  if (!group) return { ok: true, text: added(text, root, parent, `{${JSON.stringify(name)}: ${value}}`) };
  if (text[group.valueStart] !== '{') return { ok: false, reason: `its “${parent}” is not an object` };
  const within = objectAt(text, group.valueStart);
  const member = last(within, name);
  if (!member) return { ok: true, text: added(text, within, name, value) };
  return { ok: true, text: `${text.slice(0, member.valueStart)}${value}${text.slice(member.end)}` };
}

/** Removes `parent.name`, and the parent too where it is then empty and `andParent` says so. */
export function removeJsonMember(text: string, parent: string, name: string, andParent: boolean): JsonEdit {
  const root = rootOf(text);
  if (typeof root === 'string') return { ok: false, reason: root };
  const group = last(root, parent);
  if (!group || text[group.valueStart] !== '{') return { ok: true, text };
  const within = objectAt(text, group.valueStart);
  const member = last(within, name);
  if (!member) return { ok: true, text };
  if (andParent && within.members.length === 1) return { ok: true, text: removed(text, root, group) };
  return { ok: true, text: removed(text, within, member) };
}

/** The object that the file is, or why it is none. */
function rootOf(text: string): ObjectSpan | string {
  const begin = text.startsWith('\uFEFF') ? 1 : 0;
  let value: unknown;
  try {
    value = JSON.parse(text.slice(begin));
  } catch (error) {
    return `it is not valid JSON (${error instanceof Error ? error.message : String(error)})`;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'it holds no JSON object';
  return objectAt(text, afterSpace(text, begin));
}

/** Of keys that stand twice the last one counts, as it does for whoever reads the file. */
function last(object: ObjectSpan, key: string): Member | undefined {
  return object.members.findLast((member) => member.key === key);
}

function added(text: string, object: ObjectSpan, key: string, value: string): string {
  const tail = object.members.at(-1);
  const first = object.members[0];
  if (tail && first) {
    const space = text.slice(object.open, first.start);
    return `${text.slice(0, tail.end)},${space}${JSON.stringify(key)}: ${value}${text.slice(tail.end)}`;
  }
  return `${text.slice(0, object.open)}${JSON.stringify(key)}: ${value}${text.slice(object.open)}`;
}

function removed(text: string, object: ObjectSpan, member: Member): string {
  const at = object.members.indexOf(member);
  const before = object.members[at - 1];
  const next = object.members[at + 1];
  if (before) return text.slice(0, before.end) + text.slice(member.end);
  if (next) return text.slice(0, member.start) + text.slice(next.start);
  return text.slice(0, object.open) + text.slice(member.end);
}

/** Reads the object that begins at a brace. The text is known to be valid. */
function objectAt(text: string, brace: number): ObjectSpan {
  const members: Member[] = [];
  let at = afterSpace(text, brace + 1);
  while (text[at] !== '}') {
    const start = at;
    const keyEnd = stringEnd(text, at);
    const valueStart = afterSpace(text, afterSpace(text, keyEnd) + 1);
    const end = valueEnd(text, valueStart);
    members.push({ key: JSON.parse(text.slice(start, keyEnd)), start, valueStart, end });
    at = afterSpace(text, end);
    if (text[at] === ',') at = afterSpace(text, at + 1);
  }
  return { open: brace + 1, members };
}

function valueEnd(text: string, start: number): number {
  if (text[start] === '"') return stringEnd(text, start);
  if (text[start] !== '{' && text[start] !== '[') {
    let at = start;
    while (at < text.length && !/[\s,}\]]/.test(text[at]!)) at++;
    return at;
  }
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') at = stringEnd(text, at) - 1;
    else if (sign === '{' || sign === '[') depth++;
    else if ((sign === '}' || sign === ']') && --depth === 0) return at + 1;
  }
  return text.length;
}

function stringEnd(text: string, quote: number): number {
  let at = quote + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function afterSpace(text: string, at: number): number {
  while (/\s/.test(text[at] ?? '')) at++;
  return at;
}
