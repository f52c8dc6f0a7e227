import { NotShownCounter } from '../../agents/not-shown.ts';
import type { Failure, SourceEvent, Tally, ToolResult } from '../../agents/source.ts';
import type { ChunkBody } from '../../archive/delta.ts';
import { indexedStretches, type Piece, piecesOf } from '../../holdings/passages.ts';
import { findSecrets, type Redacted, redactDeep, redactNamed, redactOwn, redactText } from '../../redact/redact.ts';
import { type RedactedText, replace } from '../../redact/redactor.ts';
import { type Told as ToldSecrets, tellsSecrets, withoutTold } from '../../redact/telling.ts';
import { hash53, type Notice, type Part, TOOL_KINDS } from '../../transcript/index.ts';
import { cutAt, KEPT_OF_A_TEXT, KEPT_OF_AN_OUTPUT, previewOf } from './limits.ts';
import { toldByNotice } from './told.ts';

/** Glued to what a cut left, it makes a whole secret of the beginning of one. */
const GLUE = Array.from({ length: 120 }, (_, i) => 'aK3xZ7mQ9'[(i * i + 3 * i) % 9]).join('');
/** The beginning of a secret, with what stands before it, is not longer. */
const CUT_TAIL = 2000;

/**
 * The path of a unit as it is noted. Agents name a history's folder after the one that they worked in, with a dash for
 * every sign: a token that stood in that name is one without its underscores.
 */
export function keptPath(path: string): string {
  const undashed = path.replaceAll('-', '_');
  const found = findSecrets(undashed);
  return redactText(found.length === 0 ? path : replace(path, found).text).text;
}

/**
 * An id as it is kept: two that hold different secrets stay two, and those that are the same stay the same, in whatever
 * file they stand.
 */
export function keptId(id: string): string {
  const { text, count } = redactText(id);
  return count === 0 ? id : `${text} ${hash53(id).toString(36)}`;
}

/** What events and facts call an id, and a path. */
const IDS: ReadonlySet<string> = new Set(
  'callId record anchor after session child key nativeId leaf startedBy transcript'.split(' '),
);
const PATHS: ReadonlySet<string> = new Set(['path', 'paths', 'cwd', 'roots', 'inside']);

/** The member that holds what an agent gave a tool: its keys are the agent's. */
const ARGUMENTS = 'input';
/** Where words of our own stand; an agent's may stand there too. */
const KINDS: ReadonlySet<string> = new Set(['type', 'kind', 'role', 'relation', 'stage']);
const OUR_WORDS: ReadonlySet<string> = new Set([
  ...TOOL_KINDS,
  ...'session turn part result link call limit time text thinking tool_call notice attachment user assistant'.split(
    ' ',
  ),
  ...'compaction interruption command system summary model-change subagent fork continuation runs-on late'.split(' '),
  ...'transcript prompts'.split(' '),
]);

/** Hides the secrets of a string by what it is: a word of ours, an id, a path, or any text. */
function hideIn(name: string, text: string): RedactedText {
  if (KINDS.has(name) && OUR_WORDS.has(text)) return { text, count: 0 };
  const kept = IDS.has(name) ? keptId(text) : PATHS.has(name) ? keptPath(text) : undefined;
  return kept === undefined ? redactNamed(name, text) : { text: kept, count: kept === text ? 0 : 1 };
}

/** What a reading tells of a file, as it is noted. */
export function keptTally(tally: Tally): Tally {
  return redactDeep({ ...tally, failures: keptFailures(tally.failures) }).value;
}

/** What could not be read, as it is noted: paths among it. */
export function keptFailures(failures: readonly Failure[]): readonly Failure[] {
  return redactOwn(failures, hideIn, ARGUMENTS).value;
}

type Told = Exclude<SourceEvent, { type: 'checkpoint' }>;

/** Redacts what is about to be kept and cuts it to the limits, in that order: a cut must not hide a secret's beginning. */
export class Protector {
  secrets = 0;
  cutOutputs = 0;
  /** Texts that were cut. */
  readonly notShown = new NotShownCounter();

  text(text: string): string {
    const { text: clean, count } = redactText(text.toWellFormed());
    this.secrets += count;
    return clean;
  }

  /** A JSON value without secrets. */
  deep<T>(value: T): T {
    return this.counted(redactDeep(value));
  }

  /** A value of our own making without secrets, in whatever string of it they stand. */
  private own<T>(value: T): T {
    return this.counted(redactOwn(value, hideIn, ARGUMENTS));
  }

  private counted<T>({ value, count }: Redacted<T>): T {
    this.secrets += count;
    return value;
  }

  /** What a reader tells, as it is kept: one walk sees all strings of it. */
  event(told: Told): Told {
    const event = this.own(told);
    switch (event.type) {
      case 'part':
        return { ...event, part: this.shortenedPart(event.part) };
      case 'result':
        return { ...event, result: this.shortenedResult(event.result) };
      default:
        return event;
    }
  }

  /** The output of a call whose command prints secrets. */
  toldOutput(output: string, told: ToldSecrets, isError: boolean): string {
    const { text, count } = withoutTold(output, told, isError);
    this.secrets += count;
    return text;
  }

  private shortenedPart(part: Part): Part {
    const kept = shortenedPart(part);
    if (kept.type === 'notice') this.noteUnindexed(piecesOf(kept));
    if (kept.type === 'tool_call') {
      if (part.type === 'tool_call' && kept.input !== part.input) this.notShown.add('argument kept in part');
    } else if (kept.type !== 'attachment' && kept.cut) this.notShown.add('text kept in part');
    return kept;
  }

  private noteUnindexed(pieces: readonly Piece[]): void {
    for (const piece of pieces) if (indexedStretches(piece).length > 1) this.notShown.add('output indexed in part');
  }

  /** A notice without what a person's own command told; `before` is the part that stands before it. */
  notice(notice: Notice, before: Part | undefined): Notice {
    const said = toldByNotice(notice, before);
    if (!said) return notice;
    const head = notice.text.slice(0, notice.text.length - said.printed.length);
    return { ...notice, text: head + this.toldOutput(said.printed, said.told, false) };
  }

  private shortenedResult(result: ToolResult): ToolResult {
    if (result.output === undefined) return result;
    const { text, cut } = cutAt(result.output, KEPT_OF_AN_OUTPUT);
    this.noteUnindexed([{ field: 'output', text }]);
    if (!cut) return result;
    this.cutOutputs++;
    this.notShown.add('output kept in part');
    return { ...result, output: text, cut };
  }

  /** What is kept of a chunk, redacted again: also the beginnings of secrets that an older cut went through. */
  body(body: ChunkBody): { readonly value: ChunkBody; readonly count: number } {
    const before = this.secrets;
    const parts = body.parts.map((part, i) => withoutCutSecret(this.again(part, body.parts[i - 1])));
    const count = this.secrets - before;
    return parts.every((part, i) => part === body.parts[i])
      ? { value: body, count }
      : { value: { ...body, parts }, count };
  }

  private again(part: Part, before: Part | undefined): Part {
    const clean = this.own(part);
    if (clean.type === 'notice') return this.notice(clean, before);
    if (clean.type !== 'tool_call' || clean.output === undefined || clean.command === undefined) return clean;
    const told = tellsSecrets(clean.command);
    const output = told && this.toldOutput(clean.output, told, clean.isError);
    return output === undefined || output === clean.output ? clean : { ...clean, output };
  }

  preview(text: string): string {
    return previewOf(this.text(text));
  }
}

function shortenedPart(part: Part): Part {
  switch (part.type) {
    case 'text':
    case 'thinking':
    case 'notice':
      return { ...part, ...cutAt(part.text, KEPT_OF_A_TEXT) };
    case 'tool_call':
      return {
        ...part,
        input: shortened(part.input),
        ...(part.command !== undefined && { command: cutAt(part.command, KEPT_OF_A_TEXT).text }),
      };
    case 'attachment':
      return part;
  }
}

function withoutCutSecret(part: Part): Part {
  if (part.type === 'attachment' || part.cut === undefined) return part;
  const text = part.type === 'tool_call' ? part.output : part.text;
  if (text === undefined) return part;
  const glued = redactText(text.slice(-CUT_TAIL) + GLUE).text;
  if (glued.endsWith(GLUE)) return part;
  const clean = text.slice(0, -CUT_TAIL) + glued;
  if (clean === text) return part;
  return part.type === 'tool_call' ? { ...part, output: clean } : { ...part, text: clean };
}

/** A value whose longest strings are cut; the same object where none is too long. */
function shortened(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cutAt(value, KEPT_OF_A_TEXT).text;
  if (value === null || typeof value !== 'object' || depth > 64) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => shortened(item, depth + 1));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  const entries = Object.entries(value);
  const changed = entries.map(([key, item]) => [key, shortened(item, depth + 1)] as const);
  return changed.some(([, item], i) => item !== entries[i]![1]) ? Object.fromEntries(changed) : value;
}
