/**
 * Adds and removes one table of a TOML file, and leaves every other byte as it is. The file is only walked, not parsed:
 * far enough to know where its tables and keys begin, and that no bracket or quote stays open.
 */
export type TomlEdit = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/** A table's header, or a key with its value. */
interface Statement {
  readonly kind: 'table' | 'array' | 'key';
  readonly path: readonly string[];
  readonly start: number;
  /** Behind its last character; comments and the line's end come after it. */
  readonly end: number;
  /** A key whose value is a table on one line: nothing can be added to it from outside. */
  readonly isInline: boolean;
}

/** The comment above our table. */
const MARK = '# Written by `portolan setup`; `portolan setup codex --remove` takes it out again.';

/** The lines that define the table `group.name` and what is below it, in any spelling; undefined where none does. */
export function tomlTable(text: string, group: string, name: string): string | undefined {
  const walked = walk(text);
  if (!walked.ok) return undefined;
  const ours = definitions(walked.statements, [group], [name]);
  if (ours.length === 0) return undefined;
  return ours
    .map((one) => text.slice(lineStart(text, one.start), lineEnd(text, blockEnd(walked.statements, one))))
    .join('');
}

/**
 * Sets keys of the table `group.name`, and leaves others of it alone. Where there is no such table it is added at the
 * end; one in another spelling is replaced. The values are TOML.
 */
export function setTomlTable(
  text: string,
  group: string,
  name: string,
  values: Readonly<Record<string, string>>,
): TomlEdit {
  const walked = walk(text);
  if (!walked.ok) return walked;
  const table = walked.statements.find(
    (one) => one.kind === 'table' && one.path.length === 2 && one.path[0] === group && one.path[1] === name,
  );
  return table ? keysSet(text, walked.statements, table, values) : tableAdded(text, group, name, values);
}

function keysSet(
  text: string,
  statements: readonly Statement[],
  table: Statement,
  values: Readonly<Record<string, string>>,
): TomlEdit {
  const after = statements.slice(statements.indexOf(table) + 1);
  const next = after.findIndex((one) => one.kind !== 'key');
  const keys = next < 0 ? after : after.slice(0, next);
  const edits: { readonly start: number; readonly end: number; readonly line: string }[] = [];
  // A value that stands in a table of its own below, or is given from outside, would be there twice.
  for (const one of definitions(statements, table.path, Object.keys(values)).filter((one) => !keys.includes(one)))
    edits.push({ start: lineStart(text, one.start), end: lineEnd(text, blockEnd(statements, one)), line: '' });
  const missing: string[] = [];
  for (const [key, value] of Object.entries(values)) {
    const [first, ...others] = keys.filter((one) => one.path[0] === key);
    if (first) edits.push({ start: first.start, end: first.end, line: `${key} = ${value}` });
    else missing.push(`${key} = ${value}`);
    // `env.A = 1` and `env.B = 2` are one value.
    for (const one of others) edits.push({ start: lineStart(text, one.start), end: lineEnd(text, one.end), line: '' });
  }
  const eol = eolOf(text);
  const at = lineEnd(text, table.end);
  const gap = missing.length > 0 && text[at - 1] !== '\n' ? eol : '';
  edits.push({ start: at, end: at, line: gap + missing.map((line) => `${line}${eol}`).join('') });
  let out = text;
  // From the end, so that positions stay true; what is added comes before the first key.
  for (const { start, end, line } of edits.sort((a, b) => b.start - a.start))
    out = out.slice(0, start) + line + out.slice(end);
  return { ok: true, text: out };
}

function tableAdded(text: string, group: string, name: string, values: Readonly<Record<string, string>>): TomlEdit {
  const without = removeTomlTable(text, group, name);
  if (!without.ok) return without;
  const walked = walk(without.text);
  if (!walked.ok) return walked;
  const closed = walked.statements.find(
    (one) => one.path.length === 1 && one.path[0] === group && (one.isInline || one.kind === 'array'),
  );
  if (closed) return { ok: false, reason: `its “${group}” is an inline value, so no table can be added to it` };
  const eol = eolOf(text);
  const body = without.text;
  const gap = body === '' || body === '\uFEFF' ? '' : body.endsWith('\n') ? eol : `${eol}${eol}`;
  const lines = Object.entries(values).map(([key, value]) => `${key} = ${value}`);
  return { ok: true, text: `${body}${gap}${[MARK, `[${group}.${name}]`, ...lines].join(eol)}${eol}` };
}

function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Removes the table `group.name` with all that is below it, and our comment. */
export function removeTomlTable(text: string, group: string, name: string): TomlEdit {
  const walked = walk(text);
  if (!walked.ok) return walked;
  const { statements } = walked;
  const ours = definitions(statements, [group], [name]);
  let out = text;
  let next = text.length + 1;
  // From the end, so that positions stay true. What lies empty between two of ours goes too.
  for (const one of [...ours].reverse()) {
    const start = markStart(text, lineStart(text, one.start));
    const end = lineEnd(text, blockEnd(statements, one));
    const isJoined = next <= text.length && text.slice(end, next).trim() === '';
    out = out.slice(0, start) + out.slice(isJoined ? next : end);
    next = start;
  }
  return { ok: true, text: out };
}

/** What defines the named members of a table: headers of their tables and of those below, and keys outside of these. */
function definitions(
  statements: readonly Statement[],
  parent: readonly string[],
  names: readonly string[],
): Statement[] {
  const isBelow = (path: readonly string[]) =>
    parent.every((name, i) => path[i] === name) && names.includes(path[parent.length] ?? '');
  let table: readonly string[] = [];
  const found: Statement[] = [];
  for (const one of statements) {
    if (one.kind !== 'key') table = one.path;
    const path = one.kind === 'key' ? [...table, ...one.path] : one.path;
    const isInside = one.kind === 'key' && isBelow(table);
    if (isBelow(path) && !isInside) found.push(one);
  }
  return found;
}

/** Where a header's keys end, or a key's value. */
function blockEnd(statements: readonly Statement[], one: Statement): number {
  if (one.kind === 'key') return one.end;
  let end = one.end;
  for (const next of statements.slice(statements.indexOf(one) + 1)) {
    if (next.kind !== 'key') break;
    end = next.end;
  }
  return end;
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

/** Behind the end of the line. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

/** Takes our comment along, and the empty line that we put before it. */
function markStart(text: string, start: number): number {
  const above = lineStart(text, start - 1);
  if (start === 0 || text.slice(above, start).trim() !== MARK) return start;
  const empty = lineStart(text, above - 1);
  return above > 0 && text.slice(empty, above).trim() === '' && empty < above ? empty : above;
}

type Walked =
  | { readonly ok: true; readonly statements: readonly Statement[] }
  | { readonly ok: false; readonly reason: string };

function walk(text: string): Walked {
  const statements: Statement[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  const fail = (what: string): Walked => ({
    ok: false,
    reason: `it is not valid TOML (line ${text.slice(0, at).split('\n').length}: ${what})`,
  });
  while (at < text.length) {
    const sign = text[at]!;
    if (/\s/.test(sign)) at++;
    else if (sign === '#') at = commentEnd(text, at);
    else {
      const start = at;
      const header = /^\[\[?/.exec(text.slice(at, at + 2))?.[0];
      const key = keyAt(text, at + (header?.length ?? 0));
      if (!key) return fail('a key was expected');
      at = key.end;
      if (header) {
        const close = header.replaceAll('[', ']');
        if (!text.startsWith(close, at)) return fail(`${close} was expected`);
        at += close.length;
        statements.push({ kind: header === '[' ? 'table' : 'array', path: key.path, start, end: at, isInline: false });
      } else {
        if (text[at] !== '=') return fail('= was expected');
        at = afterBlank(text, at + 1);
        const isInline = text[at] === '{';
        const end = valueEnd(text, at);
        if (end === undefined) return fail('a value that does not end');
        if (end === at) return fail('a value was expected');
        at = end;
        statements.push({ kind: 'key', path: key.path, start, end, isInline });
      }
      at = afterBlank(text, at);
      if (text[at] === '#') at = commentEnd(text, at);
      if (at < text.length && text[at] !== '\n' && text[at] !== '\r') return fail('the line goes on');
    }
  }
  return { ok: true, statements };
}

/** A key with dots, and where it ends; blanks after it are taken along. */
function keyAt(text: string, from: number): { readonly path: string[]; readonly end: number } | undefined {
  const path: string[] = [];
  let at = afterBlank(text, from);
  for (;;) {
    const bare = /^[A-Za-z0-9_-]+/.exec(text.slice(at, at + 256))?.[0];
    if (bare !== undefined) {
      path.push(bare);
      at += bare.length;
    } else if (text[at] === '"' || text[at] === "'") {
      const end = stringEnd(text, at);
      if (end === undefined) return undefined;
      path.push(unquoted(text.slice(at, end)));
      at = end;
    } else return undefined;
    at = afterBlank(text, at);
    if (text[at] !== '.') return { path, end: at };
    at = afterBlank(text, at + 1);
  }
}

function unquoted(quoted: string): string {
  if (quoted.startsWith("'")) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted.replace(/\\U0*([0-9a-fA-F]{4})(?![0-9a-fA-F])/g, '\\u$1')) as string;
  } catch {
    return quoted.slice(1, -1);
  }
}

/** Behind a value; undefined where it does not end. */
function valueEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const sign = text[at]!;
    if (sign === '"' || sign === "'") {
      const end = stringEnd(text, at);
      if (end === undefined) return undefined;
      at = end;
    } else if (sign === '[' || sign === '{') {
      depth++;
      at++;
    } else if (sign === ']' || sign === '}') {
      if (--depth < 0) return undefined;
      at++;
    } else if (sign === '#') {
      if (depth === 0) break;
      at = commentEnd(text, at);
    } else if ((sign === '\n' || sign === '\r') && depth === 0) break;
    else at++;
  }
  if (depth > 0) return undefined;
  while (at > start && /[ \t]/.test(text[at - 1]!)) at--;
  return at;
}

/** Behind a string of any of the four kinds; undefined where it does not end. */
function stringEnd(text: string, start: number): number | undefined {
  const quote = text[start]!;
  const escapes = quote === '"';
  const isLong = text.startsWith(quote.repeat(3), start);
  let at = start + (isLong ? 3 : 1);
  while (at < text.length) {
    if (escapes && text[at] === '\\') at += 2;
    else if (isLong && text.startsWith(quote.repeat(3), at)) {
      at += 3;
      // Up to two quotes may stand before the three that close.
      while (text[at] === quote) at++;
      return at;
    } else if (!isLong && text[at] === quote) return at + 1;
    else if (!isLong && text[at] === '\n') return undefined;
    else at++;
  }
  return undefined;
}

function afterBlank(text: string, at: number): number {
  while (text[at] === ' ' || text[at] === '\t') at++;
  return at;
}

function commentEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** A string as TOML writes it. JSON's escapes are TOML's too, but for what only JSON leaves as it is. */
export function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007F');
}
