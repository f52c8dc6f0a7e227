import type { Attachment, Where } from '../../transcript/index.ts';
import { type Fields, fields, list, number, text } from '../fields.ts';
import { parsedJson } from '../json.ts';

export interface Output {
  /** The texts apart, as they were handed to the model. */
  readonly texts: readonly string[];
  readonly isError: boolean;
  readonly exitCode?: number;
  readonly images: readonly Fields[];
  /** The command went on running after it gave this. */
  readonly runsOn?: boolean;
  /** What a script of code mode printed. */
  readonly isScript?: boolean;
}

/** What tools say when they did not run. */
const REFUSED =
  /^(?:exec command rejected|execution error|failed to|unsupported (?:call|custom tool)|apply_patch verification failed|aborted|(?:exec_command|write_stdin|tool call|patch|command) (?:failed|error|rejected)|collab .*failed|Script (?:failed|error)|err:|error:)/i;

/** A tool's output without the header that Codex writes before it. */
export function outputOf(written: unknown): Output {
  if (typeof written === 'string') return ofText(written);
  if (Array.isArray(written)) return ofBlocks(written);
  const said = fields(written);
  const success = said.success;
  const inner = outputOf(said.content ?? said.output ?? said.body ?? '');
  return { ...inner, isError: inner.isError || success === false };
}

function ofText(written: string): Output {
  const first = written.charCodeAt(0);
  if (first === 123 && (written.startsWith('{"output"') || written.includes('"metadata"'))) {
    const said = parsedJson(written);
    const output = fields(said).output;
    const exitCode = number(fields(fields(said).metadata).exit_code);
    if (typeof output === 'string' && exitCode !== undefined)
      return { texts: [output], isError: exitCode !== 0, exitCode, images: [] };
  }
  if (first === 91 && written.startsWith('[{')) {
    const blocks = list(parsedJson(written));
    if (blocks.length > 0 && blocks.every((block) => text(fields(block).type) !== undefined)) return ofBlocks(blocks);
  }
  const { body, exitCode, runsOn } = withoutHeader(written);
  const isError = exitCode === undefined ? REFUSED.test(written) : exitCode !== 0;
  return { texts: [body], isError, images: [], ...(exitCode !== undefined && { exitCode }), ...(runsOn && { runsOn }) };
}

function ofBlocks(blocks: readonly unknown[]): Output {
  const texts: string[] = [];
  const images: Fields[] = [];
  for (const block of blocks.map(fields)) {
    if (typeof block.text === 'string') texts.push(block.text);
    else if (block.type !== 'encrypted_content') images.push(block);
  }
  const script = texts[0] === undefined ? undefined : SCRIPT.exec(texts[0]);
  if (!script || texts[0] === undefined) return { texts, images, isError: REFUSED.test(texts[0] ?? '') };
  texts[0] = script[1] === 'completed' ? texts[0].slice(script[0].length) : texts[0];
  return { texts: texts.filter((one) => one !== ''), images, isError: script[1] === 'failed', isScript: true };
}

/** What code mode writes before the texts of a script. */
const SCRIPT = /^Script (completed|failed|running|terminated)[^\n]*\n(?:Wall time[^\n]*\n)?(?:Output:\n)?/;

const HEADER =
  /^(?:Chunk ID: [^\n]*\n)?(?:Exit code: (-?\d+)\n)?(?:Wall time: [^\n]*\n)(?:Process exited with code (-?\d+)\n)?(Process running with session ID [^\n]*\n)?(?:Original token count: \d+\n)?(?:Total output lines: \d+\n)?(?:Output:\n?)/;

function withoutHeader(written: string): {
  readonly body: string;
  readonly exitCode?: number;
  readonly runsOn?: boolean;
} {
  let from = 0;
  if (written.startsWith('Command: ')) {
    const chunk = written.indexOf('\nChunk ID: ');
    const wall = written.indexOf('\nWall time: ');
    from = Math.max(0, (chunk >= 0 && (wall < 0 || chunk < wall) ? chunk : wall) + 1);
  }
  const header = HEADER.exec(from === 0 ? written : written.slice(from));
  if (!header) return { body: written };
  const code = header[1] ?? header[2];
  const body = written.slice(from + header[0].length);
  return code === undefined ? { body, runsOn: header[3] !== undefined } : { body, exitCode: Number(code) };
}

/** An image among what is said. Its bytes are counted, never kept. */
export function imageOf(block: Fields, where: Where, at: number | undefined): Attachment {
  const url = text(block.image_url) ?? text(fields(block.image_url).url) ?? text(block.url) ?? text(block.data);
  const path = text(block.path);
  const data = url === undefined ? undefined : /^data:([^;,]+)[;,]/.exec(url);
  const mime = data?.[1] ?? text(block.mimeType);
  const base64 = text(block.data) ?? (data ? url?.slice(url.indexOf(',') + 1) : undefined);
  return {
    type: 'attachment',
    kind: text(block.type)?.includes('audio') ? 'audio' : 'image',
    where,
    ...(at !== undefined && { at }),
    ...(path !== undefined && { name: path }),
    ...(path === undefined && url !== undefined && !data && text(block.data) === undefined && { name: url }),
    ...(mime !== undefined && { mime }),
    // base64: four characters hold three bytes.
    ...(base64 !== undefined && { bytes: Math.floor((base64.length * 3) / 4) }),
  };
}

/** The pictures and sounds that came with a prompt: inside the record, or in files of their own. */
export function imagesOf(event: Fields, where: Where, at: number | undefined): Attachment[] {
  const files = [...list(event.local_images), ...list(event.local_audio)].flatMap((path) => text(path) ?? []);
  return [
    ...list(event.images).map((url) => imageOf({ image_url: url }, where, at)),
    ...files.map((path) => imageOf({ path }, where, at)),
  ];
}
