import { toJson } from '../transcript/index.ts';
import type { Context } from './command.ts';

/** Prints a document as JSON: on one line for a program, indented for a terminal. */
export function printJson(context: Context, document: unknown): void {
  context.stdout.write(`${JSON.stringify(toJson(document), null, context.stdout.isTTY ? 2 : undefined)}\n`);
}

export function print(context: Context, text: string): void {
  context.stdout.write(`${text}\n`);
}

/** Progress and warnings: never on stdout. */
export function say(context: Context, text: string): void {
  context.stderr.write(`${text}\n`);
}
