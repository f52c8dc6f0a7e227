import { createReadStream, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { Pieces } from '../redact/pieces.ts';
import { plural } from '../render/numbers.ts';
import { type Command, type Context, EXIT, UserError } from './command.ts';
import { readFlags } from './flags.ts';
import { printJson, say } from './output.ts';

/** A document is held whole; text is not. */
const LARGEST_DOCUMENT = 64 << 20;

export const redact: Command = {
  name: 'redact',
  summary: 'show what would be hidden in a text',
  help: `Usage: portolan redact <file> [--json]

Prints a text as Portolan would keep it: each secret replaced by its label.
How many there were is said on stderr. With - the text is read from stdin.
A large file is read a few megabytes at a time: of what is told from afar (the
manifest that a value stands in) only what is nearer than that is seen.

  --json   print { text, secrets }; of at most 64 MB`,
  async run(context) {
    const flags = readFlags('redact', context.args, {}, 1);
    const file = flags.words[0];
    if (file === undefined) throw new UserError('no_file', 'Which file?', 'portolan redact <file>, or - for stdin.');
    const secrets = context.json ? await asDocument(context, file) : await asText(context, file);
    if (!context.json) say(context, `${plural(secrets, 'secret')} hidden.`);
    return EXIT.ok;
  },
};

async function asText(context: Context, file: string): Promise<number> {
  return through(context, file, async (text) => {
    if (!context.stdout.write(text)) await new Promise((resolve) => context.stdout.once('drain', resolve));
  });
}

async function asDocument(context: Context, file: string): Promise<number> {
  let text = '';
  const secrets = await through(context, file, (piece) => {
    text += piece;
    if (text.length > LARGEST_DOCUMENT)
      throw new UserError('too_large', 'The text is too large for one document.', 'Without --json it is streamed.');
  });
  printJson(context, { text, secrets });
  return secrets;
}

/** Hands on a text piece by piece, without its secrets; gives how many there were. */
async function through(context: Context, file: string, take: (text: string) => void | Promise<void>): Promise<number> {
  const pieces = new Pieces();
  const decoder = new TextDecoder();
  const input = inputOf(context, file);
  try {
    for await (const bytes of input)
      for (const text of pieces.add(decoder.decode(bytes, { stream: true }))) await take(text);
  } catch (error) {
    if (error instanceof UserError || !isSystemError(error)) throw error;
    throw new UserError(
      'no_file',
      `${file} cannot be read (${error.code}).`,
      'Check that it exists and that you may read it.',
      EXIT.nothingSearched,
    );
  }
  for (const text of pieces.end(decoder.decode())) await take(text);
  return pieces.secrets;
}

function inputOf(context: Context, file: string): Readable {
  if (file === '-') return context.stdin;
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError('no_file', `${file} is a folder.`, 'portolan redact takes one file.');
  return createReadStream(file, { highWaterMark: 1 << 20 });
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
