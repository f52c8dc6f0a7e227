import type { CallToolResult } from '@modelcontextprotocol/server';
import type * as z from 'zod/v4';
import type { OnDisk } from '../archive/listings.ts';
import type { Stores } from '../holdings/stores.ts';
import { redactText } from '../redact/redact.ts';
import { toJson } from '../transcript/index.ts';
import { BUDGET, bounded, brief, sizeOf } from './bounds.ts';
import { documentWithoutMarks, FENCE_BEGIN, FENCE_END, FENCE_NOTICE } from './fence.ts';

/** What a tool is given besides its arguments. */
export interface Call {
  readonly now: number;
  /** The session that asks, as its agent tells it. */
  readonly caller: Caller | undefined;
  /** What was seen of the agents' files before. */
  readonly seen: SeenBefore;
  /** Reads all that is new, for one who is about to be told that there is nothing; undefined where nothing is new. */
  catchUp(): Promise<SeenBefore | undefined>;
  /** Opens what was indexed, for this call. @throws ToolError where nothing was */
  stores(): Stores;
}

/** What was seen of the agents' files before an answer, and why nothing was read of them, if nothing could be. */
export interface SeenBefore {
  readonly onDisk?: OnDisk;
  readonly warning?: string;
}

export interface Caller {
  readonly source: string;
  readonly nativeId: string;
}

/** A tool: what agents are told of it, and what answers. */
export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  answer(input: z.output<Input>, call: Call): Answer | Promise<Answer>;
}

export interface Answer {
  /** As `--json` prints it, before its keys are spelled for JSON. */
  readonly document: object;
  /** The same in few words, texts of histories inside the fence. */
  readonly text: string;
  /** About half as much of what was asked for, where all of it is more than an answer may be. */
  readonly less?: (() => Answer) | undefined;
}

/** Something that the calling agent can do something about. */
export class ToolError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** Keeps a tool's types together. */
export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(
  one: Tool<Input, Output>,
): Tool<Input, Output> {
  return one;
}

/** An answer as agents get it, document and text together within the budget. */
export function resultOf(answer: Answer): CallToolResult {
  const { document, less } = answer;
  const text = answer.text.toWellFormed();
  // Agents show their models this and not the text, so it has its own marks, as its first and last words.
  const structuredContent = {
    untrusted_begin: `${FENCE_BEGIN} ${FENCE_NOTICE}`,
    // A document's JSON is an object again.
    ...(documentWithoutMarks(bounded(toJson(document) as object)) as Record<string, unknown>),
    untrusted_end: FENCE_END,
  };
  if (less && sizeOf(structuredContent) + text.length > BUDGET) return resultOf(less());
  return { content: [{ type: 'text', text }], structuredContent };
}

export function errorResult(error: unknown): CallToolResult {
  // What was asked may be quoted.
  const message = redactText(brief((error instanceof Error ? error.message : String(error)).toWellFormed())).text;
  const hint = error instanceof ToolError ? error.hint : 'Run portolan doctor in a terminal for details.';
  return { isError: true, content: [{ type: 'text', text: `${message}\n${hint}` }] };
}
