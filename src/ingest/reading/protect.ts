import { NotShownCounter } from '../../agents/not-shown.ts';
import type { SessionFacts, Tally, ToolResult } from '../../agents/source.ts';
import type { ChunkBody } from '../../archive/delta.ts';
import { indexedStretches, type Piece, piecesOf } from '../../holdings/passages.ts';
import { findSecrets, redactDeep, redactText } from '../../redact/redact.ts';
import { replace } from '../../redact/redactor.ts';
import type { Part } from '../../transcript/index.ts';
import { cutAt, KEPT_OF_A_TEXT, KEPT_OF_AN_OUTPUT, previewOf } from './limits.ts';

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

/** What a reading tells of a file, as it is noted. */
export function keptTally(tally: Tally): Tally {
  const failures = tally.failures.map((failure) => ({ ...failure, path: keptPath(failure.path) }));
  return redactDeep({ ...tally, failures }).value;
}

/** Redacts what is about to be kept and cuts it to the limits, in that order: a cut must not hide a secret's beginning. */
export class Protector {
  secrets = 0;
  cutOutputs = 0;
  /** Texts that were cut. */
  readonly notShown = new NotShownCounter();

  text(text: string): string {
    const { text: clean, count } = redactText(text);
    this.secrets += count;
    return clean;
  }

  deep<T>(value: T): T {
    const { value: clean, count } = redactDeep(value);
    this.secrets += count;
    return clean as T;
  }

  facts(facts: SessionFacts): SessionFacts {
    return this.deep(facts);
  }

  part(part: Part): Part {
    switch (part.type) {
      case 'text':
      case 'thinking':
      case 'notice': {
        const kept = { ...part, ...this.cutText(part.text) };
        if (kept.type === 'notice') this.noteUnindexed(piecesOf(kept));
        return kept;
      }
      case 'tool_call':
        return {
          ...part,
          name: this.text(part.name),
          input: this.input(part.input),
          paths: part.paths.map((path) => this.text(path)),
          ...(part.command !== undefined && { command: cutAt(this.text(part.command), KEPT_OF_A_TEXT).text }),
        };
      case 'attachment':
        return part.name === undefined ? part : { ...part, name: this.text(part.name) };
    }
  }

  result(result: ToolResult): Pick<ToolResult, 'output' | 'cut' | 'paths'> {
    const paths = (result.paths ?? []).map((path) => this.text(path));
    if (result.output === undefined) return { paths };
    const { text, cut } = cutAt(this.text(result.output), KEPT_OF_AN_OUTPUT);
    this.noteUnindexed([{ field: 'output', text }]);
    if (cut) {
      this.cutOutputs++;
      this.notShown.add('output kept in part');
    }
    return { paths, output: text, ...(cut && { cut }) };
  }

  /** What is kept of a chunk, redacted again: also the beginnings of secrets that an older cut went through. */
  body(body: ChunkBody): { readonly value: ChunkBody; readonly count: number } {
    const before = this.secrets;
    const parts = body.parts.map((part) => withoutCutSecret(this.again(part)));
    const count = this.secrets - before;
    return parts.every((part, i) => part === body.parts[i])
      ? { value: body, count }
      : { value: { ...body, parts }, count };
  }

  private again(part: Part): Part {
    const before = this.secrets;
    const clean = this.part(part);
    const again =
      clean.type === 'tool_call' && clean.output !== undefined ? { ...clean, output: this.text(clean.output) } : clean;
    return this.secrets === before ? part : again;
  }

  preview(text: string): string {
    return previewOf(this.text(text));
  }

  private noteUnindexed(pieces: readonly Piece[]): void {
    for (const piece of pieces) if (indexedStretches(piece).length > 1) this.notShown.add('output indexed in part');
  }

  private cutText(text: string) {
    const cut = cutAt(this.text(text), KEPT_OF_A_TEXT);
    if (cut.cut) this.notShown.add('text kept in part');
    return cut;
  }

  private input(input: unknown): unknown {
    const clean = this.deep(input);
    const short = shortened(clean);
    if (short !== clean) this.notShown.add('argument kept in part');
    return short;
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
