import { time } from '../fields.ts';
import { speaks } from './tools.ts';

/** A piece of what the program sends to the model in a person's name. */
export type Piece =
  | { readonly type: 'words'; readonly text: string }
  | { readonly type: 'file'; readonly name: string }
  /** What came of a call of this tool. */
  | { readonly type: 'result'; readonly tool: string; readonly output: string }
  | { readonly type: 'injected'; readonly kind: string }
  /** Neither a person's words nor known: shown as it is. */
  | { readonly type: 'other'; readonly text: string };

const RESULT = /^\[(\w+)(?: for '[\s\S]*?')?\] Result:[ \n]?/;
const WORDS = /<(task|feedback|user_message|answer)>\n?([\s\S]*?)\n?<\/\1>/g;
const FILE = /<(file|folder|url)_content(?: (?:path|url)="([^"]*)")?[^>]*>[\s\S]*?<\/\1_content>/g;
const FILES_GIVEN = /^Files attached by the user:/;
/** By what they begin with: seen in 3.51 to 3.60. */
const INJECTED: readonly (readonly [beginning: RegExp, kind: string])[] = [
  [/^<environment_details>/, 'environment'],
  [/^# (?:task_progress|TODO LIST UPDATE REQUIRED)/, 'task progress'],
  [/^\[ERROR\]/, 'retry'],
  [/^\[TASK [A-Z]+\]/, 'resumption'],
  [/^\(The user did not provide a new message/, 'resumption'],
  [/^The user has provided feedback on the results\./, 'introduction'],
  [/^<explicit_instructions/, 'instructions'],
];

/** The pieces of one text that was sent in a person's name. */
export function piecesOf(sent: string): Piece[] {
  const trimmed = sent.trim();
  if (trimmed === '') return [];
  const injected = INJECTED.find(([beginning]) => beginning.test(trimmed));
  if (injected) return [{ type: 'injected', kind: injected[1] }];
  const result = RESULT.exec(trimmed);
  const body = result ? trimmed.slice(result[0].length) : trimmed;
  if (result && !mayHaveWords(result[1]!, body)) return [{ type: 'result', tool: result[1]!, output: body }];
  const pieces: Piece[] = [];
  const withoutFiles = withoutContents(body, pieces);
  const words = [...withoutFiles.matchAll(WORDS)];
  pieces.push(...words.map(([, , said = '']): Piece => ({ type: 'words', text: said })));
  if (result)
    pieces.unshift({ type: 'result', tool: result[1]!, output: words.length > 0 ? withoutWords(withoutFiles) : body });
  else if (words.length > 0) {
    if (withoutWords(withoutFiles) !== '') pieces.push({ type: 'injected', kind: 'introduction' });
  } else if (FILES_GIVEN.test(trimmed)) pieces.push({ type: 'injected', kind: 'introduction' });
  else if (withoutFiles.trim() !== '') pieces.push({ type: 'other', text: withoutFiles.trim() });
  return pieces;
}

/** What a tool read may hold such tags too: a person speaks in answers alone, or where he refuses a call and says why. */
function mayHaveWords(tool: string, body: string): boolean {
  return speaks(tool) || /^The user (?:denied|provided)/.test(body);
}

/** The contents of files that were given with a prompt are not its words. */
function withoutContents(body: string, pieces: Piece[]): string {
  return body.replace(FILE, (_, kind: string, name: string | undefined) => {
    pieces.push({ type: 'file', name: name ?? kind }, { type: 'injected', kind: 'file' });
    return '';
  });
}

const withoutWords = (body: string) => body.replace(WORDS, '').trim();

const FOLDER = /# Current (?:Working|Workspace) Directory \((.+?)\) Files/;
const NOW =
  /# Current Time\n(\d{1,2}\/\d{1,2}\/\d{4}, \d{1,2}:\d{2}:\d{2} [AP]M) \([^()\n]*?,? ?UTC([+-]\d{1,2}):(\d{2})\)/;

/** The folder that is worked in, as the program tells the model. */
export function folderIn(environment: string): string | undefined {
  return FOLDER.exec(environment)?.[1];
}

/** When it was said, as the program tells the model in American form. */
export function timeIn(environment: string): number | undefined {
  const found = NOW.exec(environment);
  if (!found) return undefined;
  const hours = Number(found[2]);
  const zone = `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}${found[3]}`;
  return time(Date.parse(`${found[1]} GMT${zone}`));
}
