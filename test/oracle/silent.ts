/**
 * A witness of what is lost in silence. It shares no code with a reader: it takes every text out of the raw JSON of a
 * history, whatever its field, and asks of each whether it is shown, or repeats what is shown, or is counted as known
 * and not shown under the name of its record's type and field.
 */
import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { redactText } from '../../src/redact/redact.ts';
import { Chance, times } from '../support/chance.ts';
import { type Fields, fields, type Json, readValues, string } from './jsonl.ts';

/** Shorter ones are names and settings. */
const SHORTEST = 40;

/** One kind of text that is neither shown nor counted. */
export interface Silent {
  /** Names that it might be counted under, type and field of the record. */
  readonly kinds: readonly string[];
  readonly records: number;
  readonly counted: number;
  /** Where the first stands, and how it begins. */
  readonly example: string;
}

export interface Silence {
  /** The folder that holds the files. */
  readonly root: string;
  readonly files: readonly string[];
  /** Everything that the product shows, in whatever field. */
  readonly shown: readonly unknown[];
  /** What the product says it knows and does not show. */
  readonly counted: Readonly<Record<string, number>>;
  /** Names that a text might be counted under, by its record and the path of its field. */
  readonly kindsOf: (record: Fields, path: readonly string[], text: string) => readonly string[];
}

/** Every file of a history in JSON lines below a folder, sorted. */
export function historyFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl') && !NO_HISTORY.has(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** All files where everything is to be proven, else some drawn by chance, always the same. */
export function sampleOf(files: readonly string[]): string[] {
  return new Chance(7).shuffled(files).slice(0, times(SAMPLE, files.length)).sort();
}

const SAMPLE = 25;

/** A workflow's own log; titles, of which the last counts; prompts, each a line that is told whole. */
const NO_HISTORY = new Set(['journal.jsonl', 'session_index.jsonl', 'history.jsonl']);

/** The texts of some files that are lost in silence, by kind. */
export function silentTexts({ root, files, shown, counted, kindsOf }: Silence): Silent[] {
  const texts = new Shown(shown);
  return [...textsByKind(root, files, kindsOf).values()].flatMap(({ kinds, found }) => {
    const count = kinds.reduce((sum, kind) => sum + (counted[kind] ?? 0), 0);
    const recordsOf = (some: readonly Found[]) => new Set(some.map(({ record }) => record)).size;
    // Where each record of the kind was counted, it does not matter which of its texts are shown besides.
    const lost = recordsOf(found) <= count ? [] : found.filter(({ text }) => !texts.has(text));
    const [first] = lost;
    if (first === undefined || recordsOf(lost) <= count) return [];
    const beginning = first.text.slice(0, 120).replaceAll('\n', '\\n');
    return [
      { kinds, records: recordsOf(lost), counted: count, example: `${first.record} ${first.field}: ${beginning}` },
    ];
  });
}

interface Found {
  /** File, line, and which of several records on the line. */
  readonly record: string;
  readonly field: string;
  readonly text: string;
}

function textsByKind(root: string, files: readonly string[], kindsOf: Silence['kindsOf']) {
  const byKind = new Map<string, { readonly kinds: readonly string[]; readonly found: Found[] }>();
  for (const file of files) {
    const name = relative(root, file).split(sep).join('/');
    for (const { value, line, nth } of readValues(file).values)
      for (const { path, text } of textsIn(value, [])) {
        const kinds = kindsOf(fields(value), path, text);
        const group = byKind.get(kinds.join(', ')) ?? { kinds, found: [] };
        group.found.push({ record: `${name}:${line}${nth === 0 ? '' : `#${nth}`}`, field: path.join('.'), text });
        byKind.set(kinds.join(', '), group);
      }
  }
  return byKind;
}

/** Every string below a value that is long enough to be a text, with the path of its field. */
function* textsIn(value: Json, path: readonly string[]): Generator<{ path: readonly string[]; text: string }> {
  if (typeof value === 'string') {
    if (isText(value)) yield { path, text: value };
  } else if (Array.isArray(value)) for (const item of value) yield* textsIn(item, path);
  else if (value !== null && typeof value === 'object')
    for (const [name, item] of Object.entries(value)) yield* textsIn(item, [...path, name]);
}

/** Words, mostly of letters: no id, no path, no picture. */
function isText(text: string): boolean {
  if (text.length < SHORTEST || !/\s/.test(text.trim())) return false;
  const beginning = text.slice(0, 2000);
  return (beginning.match(/\p{L}/gu)?.length ?? 0) > beginning.length * 0.4;
}

const squash = (text: string) => text.replace(/\s+/g, '');

/** What is shown, to be looked for in it. */
class Shown {
  private readonly whole = new Set<string>();
  private readonly all: string;
  private readonly known = new Map<string, boolean>();

  constructor(shown: readonly unknown[]) {
    const texts: string[] = [];
    for (const one of shown) this.collect(one, texts);
    this.all = texts.join('\n');
  }

  private collect(value: unknown, texts: string[]): void {
    if (typeof value === 'string') {
      const said = squash(value);
      if (!this.whole.has(said)) texts.push(said);
      this.whole.add(said);
    } else if (value !== null && typeof value === 'object')
      for (const [name, item] of Object.entries(value)) {
        texts.push(name);
        this.collect(item, texts);
      }
  }

  /** Whether a text is shown: as it stands, or without what is written around it. */
  has(text: string): boolean {
    return this.holds(text) || this.hasPieces(text) || this.holds(redactText(text).text);
  }

  private holds(text: string): boolean {
    const said = squash(text);
    let found = said.length < SHORTEST / 2 || this.whole.has(said) || this.known.get(said);
    if (found === undefined) {
      found = this.all.includes(said);
      this.known.set(said, found);
    }
    return found;
  }

  private hasPieces(text: string): boolean {
    const pieces = piecesOf(text);
    return pieces?.every((piece) => this.has(piece)) ?? false;
  }
}

/** What a text is wrapped in; the pieces inside, or undefined where it is wrapped in nothing. */
function piecesOf(text: string): readonly string[] | undefined {
  const start = text.trimStart();
  if (start.startsWith('{') || start.startsWith('[')) {
    try {
      return [...textsIn(JSON.parse(start) as Json, [])].map((each) => each.text);
    } catch {
      // Text that begins with a bracket.
    }
  }
  if (start.startsWith('This session is being continued')) {
    const pieces = text.split(/<system-reminder>[^<]*<tools-used-before-summary>[\s\S]*?<\/system-reminder>/);
    return pieces.length > 1 ? pieces : undefined;
  }
  const spilled = /^<persisted-output>[\s\S]*?Preview[^\n]*\n([\s\S]*?)(?:\n\.\.\.)?\s*<\/persisted-output>\s*$/.exec(
    start,
  );
  if (spilled?.[1] !== undefined) return [spilled[1]];
  const envelope = /^<(?:command-|local-command-std|bash-|user_shell_command|turn_aborted)/.test(start);
  if (envelope) return start.split(/<\/?[\w-]+>/).map((piece) => piece.replace(/^\s*Exit code: [\s\S]*?Output:\n/, ''));
  if (text.startsWith('Error: ')) return [text.slice('Error: '.length)];
  const request = text.search(/(?:^|\n)## My request for Codex:/);
  if (request >= 0) return [text.slice(0, request), text.slice(request).replace(/^\s*## My request for Codex:/, '')];
  const header =
    /^(?:Chunk ID|Exit code|Wall time|Command|Script (?:completed|failed))[\s\S]*?\n(?:Output:\n?|(?=\n))/.exec(text);
  if (header) return [text.slice(header[0].length)];
  const payload = /^Message Type: [\s\S]*?\nPayload:\n/.exec(text);
  if (payload) return [text.slice(payload[0].length)];
  if (/^(?:<system-reminder>|\s*\d+[→\t])/.test(text)) {
    const lines = text.replace(
      /<system-reminder>[\s\S]*?<\/system-reminder>\s*$|^(?:<system-reminder>[\s\S]*?<\/system-reminder>\s*)+(?=\d)/g,
      '',
    );
    const own = lines.replace(/^ *\d+[→\t]/gm, '');
    if (own !== text) return [own];
  }
  return undefined;
}

// ------------------------------------------------------------------------------------------------ names

const ELEMENT = /^\s*<([\w-]+)/;

/** What a text may be counted under that the program wrote for the model alone. */
function injectedKinds(text: string): readonly string[] {
  const start = text.trimStart();
  if (start.startsWith('# AGENTS.md instructions')) return ['injected/AGENTS.md'];
  if (start.startsWith('Approved command prefix saved:')) return ['injected/approved command prefix'];
  if (start.startsWith('<image ')) return ['injected/image tag'];
  if (start.startsWith('Caveat: ') || start.startsWith('<local-command-caveat>')) return ['injected/command caveat'];
  const name = ELEMENT.exec(start)?.[1];
  if (name === undefined) return [];
  return name === 'permissions' ? ['injected/permissions instructions'] : [`injected/${name}`];
}

/** The names that a text of a record of Claude Code may be counted under. */
export function kindsOfClaude(record: Fields, path: readonly string[], text: string): readonly string[] {
  const type = string(record.type) ?? 'history';
  const [first = '', second = ''] = path;
  if (type === 'attachment') {
    const inner = string(fields(record.attachment).type) ?? '';
    if (first.startsWith('rendered')) return [`attachment/${inner}`, 'attachment rendered'];
    if (inner.startsWith('hook_')) return [`attachment/hook ${second}`];
    return [`attachment/${inner}`, `attachment/${inner} content`];
  }
  if (type === 'system') return [`system/${string(record.subtype)}`, `system/${string(record.subtype)} ${first}`];
  if (type === 'progress') return [`progress/${string(fields(record.data).type)}`, ...resultKinds(path)];
  if (type === 'queue-operation') return ['queue-operation/enqueue'];
  if (type === 'history') return [`history ${first}`];
  if ((type === 'user' || type === 'assistant') && first === 'message')
    return [...injectedKinds(text), `${type} ${path.at(-1)}`];
  return [type, `${type} ${first}`, ...resultKinds(path)];
}

function resultKinds(path: readonly string[]): readonly string[] {
  const at = path.indexOf('toolUseResult');
  const field = path[at + 1];
  return at < 0 ? [] : ['user toolUseResult', ...(field === undefined ? [] : [`user toolUseResult.${field}`])];
}

/** The names that a text of a record of Codex may be counted under. */
export function kindsOfCodex(record: Fields, path: readonly string[], text: string): readonly string[] {
  const type = string(record.type) ?? 'history';
  const payload = fields(record.payload);
  const inner = string(payload.type);
  const item = string(fields(payload.item).type);
  const kind = [type, inner, item].filter((part) => part !== undefined).join('/');
  const field = path[1] === 'item' ? path[2] : path[1];
  if (inner === 'message') {
    const origins = fields(payload.internal_chat_message_metadata_passthrough).content_item_kinds;
    const given = Array.isArray(origins) ? origins.map((origin) => `injected/${string(origin)}`) : [];
    return [...injectedKinds(text), ...given];
  }
  if (/exec_command_end|CommandExecution$/.test(kind)) return [`command ${field}`];
  if (/patch_apply_end|FileChange$/.test(kind)) return [`patch ${field}`];
  if (/mcp_tool_call_end|McpToolCall$/.test(kind)) return ['mcp call result'];
  return [kind, `${type} ${field}`];
}
