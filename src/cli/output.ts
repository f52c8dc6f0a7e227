import { jsonText, toJson } from '../transcript/index.ts';
import type { Context } from './command.ts';

/** Prints a document as JSON: on one line for a program, indented for a terminal. */
export function printJson(context: Context, document: unknown): void {
  context.stdout.write(`${jsonText(toJson(document), context.stdout.isTTY ? 2 : undefined)}\n`);
}

/** Prints a document as JSON whose list of that name is made while it is printed: it may be too long to be held. */
export function printJsonList(context: Context, document: object, name: string, items: Iterable<unknown>): void {
  if (context.stdout.isTTY) printJson(context, { ...document, [name]: [...items] });
  else for (const piece of piecesOf({ ...document, [name]: [] }, items)) context.stdout.write(piece);
}

/** The JSON of a document whose last list, which is empty, is to hold items. */
function* piecesOf(document: object, items: Iterable<unknown>): Iterable<string> {
  yield jsonText(toJson(document)).slice(0, -']}'.length);
  let parting = '';
  for (const item of items) {
    yield `${parting}${jsonText(toJson(item))}`;
    parting = ',';
  }
  yield ']}\n';
}

export function print(context: Context, text: string): void {
  context.stdout.write(`${text}\n`);
}

/** Progress and warnings: never on stdout. */
export function say(context: Context, text: string): void {
  context.stderr.write(`${text}\n`);
}
