import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ABSENT, FORBIDDEN, type Item, type Kind, QUEUED, type Survey, type Transcript } from './claude.ts';
import type { Shown, ShownPart } from './product.ts';

/** What came of holding a product's sessions against the survey of the same home. */
export interface Verdict {
  /** Items that were looked for and found in their place. */
  readonly found: number;
  /** One line each, with file and line number, the first of them enough to begin with. */
  readonly faults: readonly string[];
  /** How many items were found otherwise than letter by letter, by the way they were. */
  readonly ways: Readonly<Record<string, number>>;
  /** Turns that a prompt opened. */
  readonly prompts: number;
}

/** A part with its place in the session, and what of its text no item has claimed yet. */
interface Place {
  readonly part: ShownPart;
  readonly turn: number;
  readonly position: number;
  taken: boolean;
  rest: string;
  outputTaken: boolean;
}

/** Holds everything that a home's sessions show against what its files hold. `home` is where the product read them. */
export function compare(survey: Survey, home: string, shown: readonly Shown[]): Verdict {
  const root = join(home, '.claude', 'projects');
  const byPath = Map.groupBy(shown, ({ session }) => session.path);
  const verdict = { found: 0, faults: [] as string[], ways: {} as Record<string, number>, prompts: 0 };
  for (const transcript of survey.transcripts) {
    const here = byPath.get(join(root, ...transcript.name.split('/'))) ?? [];
    const main = here.find(({ session }) => session.native_id.endsWith(transcript.stem));
    if (main === undefined) {
      verdict.faults.push(`${transcript.name}: no session`);
      continue;
    }
    const side = here.filter((each) => each !== main);
    const items = Object.groupBy(transcript.items, (item) => (item.inline ? 'inline' : 'own'));
    holdSession(transcript, items.own ?? [], [main], verdict);
    if (items.inline !== undefined) holdSession(transcript, items.inline, side, verdict);
  }
  return verdict;
}

type Draft = { found: number; faults: string[]; ways: Record<string, number>; prompts: number };

function holdSession(transcript: Transcript, items: readonly Item[], shown: readonly Shown[], verdict: Draft): void {
  const places: Place[] = [];
  const prompts: string[] = [];
  for (const { turns } of shown) {
    for (const turn of turns) {
      const number = prompts.push(turn.prompt ?? '') - 1;
      for (const part of turn.parts) {
        places.push({
          part,
          turn: number,
          position: places.length,
          taken: false,
          rest: part.text ?? '',
          outputTaken: false,
        });
      }
    }
  }
  const fault = (item: Item, what: string) =>
    verdict.faults.push(
      `${transcript.name}:${item.line}: ${item.type} (${item.kind}) ${what}: ${clip(describe(item))}`,
    );
  const way = (name: string) => {
    verdict.ways[name] = (verdict.ways[name] ?? 0) + 1;
  };
  let cursor = 0;
  const opened = new Set<number>();
  for (const item of items) {
    if (item.type === 'output' && item.kind === 'blank text') allowOutput(item, places);
    if (FORBIDDEN.has(item.kind) && isShown(item, places)) fault(item, 'is shown');
    if (ABSENT.has(item.kind)) continue;
    const answer = item.type === 'output' ? findOutput(item, places) : findPart(item, places, cursor);
    if (answer === undefined) {
      fault(item, 'is not there');
      continue;
    }
    verdict.found += 1;
    if (answer.way !== 'letter by letter') way(answer.way);
    if (answer.complaint !== undefined) fault(item, answer.complaint);
    const { place } = answer;
    const where = item.type === 'output' ? (place.part.output_where ?? place.part.where) : place.part.where;
    // A spilled output stands in a file of its own.
    if (where !== undefined && where.path === undefined && where.line !== item.line)
      fault(item, `is said to stand in line ${where.line}`);
    if (item.type === 'output') continue;
    if (place.position < cursor) fault(item, 'is out of order');
    cursor = Math.max(cursor, place.position);
    if (item.opens) {
      if (opened.has(place.turn)) fault(item, 'does not open a turn');
      opened.add(place.turn);
      if (!squash(prompts[place.turn] ?? '').includes(squash(place.part.text ?? '')))
        fault(item, 'is not the prompt of its turn');
    }
  }
  verdict.prompts += opened.size;
  for (const [turn, prompt] of prompts.entries()) {
    if (prompt !== '' && !opened.has(turn))
      verdict.faults.push(`${transcript.name}: no prompt, but opens a turn: ${clip(prompt)}`);
  }
  // Notices tell of records besides; but none says again what a part of the same line says.
  const saying = ({ part }: Place) => `${part.where?.line}:${squash(part.text ?? '')}`;
  const said = new Set(places.filter((place) => place.taken && place.part.text !== undefined).map(saying));
  for (const place of places) {
    const { part } = place;
    const isEcho = part.type === 'notice' && !place.taken && said.has(saying(place));
    const line = `${transcript.name}:${part.where?.line ?? '?'}`;
    const isContent = part.type === 'text' || part.type === 'thinking' || part.type === 'tool_call';
    if ((isContent && !place.taken) || isEcho)
      verdict.faults.push(`${line}: shown, but not in the file or twice: ${clip(JSON.stringify(part))}`);
    else if (part.type === 'text' && place.rest.trim() !== '')
      verdict.faults.push(`${line}: shown, but not in the file: ${clip(place.rest)}`);
    else if (
      part.type === 'tool_call' &&
      part.output !== undefined &&
      part.output.trim() !== '' &&
      !place.outputTaken
    ) {
      verdict.faults.push(`${line}: an output that is not in the file: ${clip(part.output)}`);
    }
  }
}

interface Answer {
  readonly place: Place;
  readonly way: string;
  readonly complaint?: string;
}

/** Whether a text that is no content is shown, in a part of its own or within one. */
function isShown(item: Item, places: readonly Place[]): boolean {
  const words = squash(item.texts.join('\n'));
  const isHere = ({ part }: Place) => part.type === 'notice' && part.where?.line === item.line;
  return places.some((place) => isHere(place) && squash(place.part.text ?? '').includes(words));
}

/** The part that shows an item, from the cursor on or, which is a fault, before it. */
function findPart(item: Item, places: Place[], cursor: number): Answer | undefined {
  const isNear = ({ part }: Place) => WITHIN.has(item.kind) && part.where?.line === item.line;
  const inOrder = [...places.filter(isNear), ...places.slice(cursor), ...places.slice(0, cursor)];
  if (item.type === 'call') {
    const place = inOrder.find(({ part, taken }) => part.type === 'tool_call' && !taken && sameCall(item, part));
    if (place === undefined) return undefined;
    place.taken = true;
    const way = sameInput(item.input, place.part.input);
    if (way === undefined)
      return {
        place,
        way: 'letter by letter',
        complaint: `has other arguments ${clip(JSON.stringify(place.part.input))}`,
      };
    return { place, way };
  }
  const expected = item.texts.join('\n');
  for (const place of inOrder) {
    if (!mayShow(item, place.part)) continue;
    const way =
      place.part.type === 'notice'
        ? noticeMatches(item, place)
        : item.kind === ANSWERED
          ? commandMatches(expected, place)
          : textMatches(expected, place);
    if (way !== undefined) return { place, way };
  }
  return undefined;
}

const ANSWERED: Kind = 'command that the model answered, as a prompt';
/** A notice says in its own words what these are; one may tell several. */
const WITHIN: ReadonlySet<Kind> = new Set<Kind>([
  'typed while the agent was busy, then taken back',
  'what a hook said, in a notice',
  'details of an API error, in a notice',
]);

function commandMatches(envelope: string, place: Place): string | undefined {
  if (place.taken || !isCommand(envelope, place.rest)) return undefined;
  place.taken = true;
  place.rest = '';
  return 'command spelled anew';
}

function mayShow(item: Item, part: ShownPart): boolean {
  if (item.kind === ANSWERED) return part.type === 'text' && part.role === 'user';
  if (item.type === 'thinking') return part.type === 'thinking';
  if (item.type === 'assistant') return part.type === 'text' && part.role === 'assistant';
  if (item.kind === 'word for word') return part.type === 'text' && part.role === 'user';
  if (item.kind === 'sub-agent known from agent_progress alone') return part.type === 'text' && part.role === 'user';
  if (item.kind === 'text beside a tool result' || item.kind === QUEUED)
    return part.type === 'notice' || part.role === 'user';
  if (item.kind === 'interruption, in a notice') return part.type === 'notice' && part.kind === 'interruption';
  if (item.kind === 'summary of a compaction, in a notice') {
    return part.type === 'notice' && (part.kind === 'compaction' || part.kind === 'summary');
  }
  return part.type === 'notice';
}

const sameCall = (item: Item, part: ShownPart) =>
  part.name === item.name && (item.callId === undefined || part.call_id === item.callId);

/** A text shows an item, or begins with it where several blocks of a message became one text. */
function textMatches(expected: string, place: Place): string | undefined {
  if (place.taken && place.rest === '') return undefined;
  const take = (rest: string, way: string) => {
    place.taken = true;
    place.rest = rest;
    return way;
  };
  if (place.rest === expected || place.rest === expected.trim()) return take('', 'letter by letter');
  if (place.part.cut !== undefined) return isCut(expected, place.part) ? take('', 'kept in part') : undefined;
  if (place.rest.trimStart().startsWith(expected.trim())) {
    return take(place.rest.trimStart().slice(expected.trim().length), 'blocks joined');
  }
  if (squash(place.rest) === squash(expected)) return take('', 'white space apart');
  return isRedacted(expected, place.rest) ? take('', 'redacted') : undefined;
}

/** A notice shows an item if their words are the same, tags and colours apart; a command may be spelled anew. */
function noticeMatches(item: Item, place: Place): string | undefined {
  const expected = item.texts.join('\n');
  if (WITHIN.has(item.kind)) {
    if (!squash(place.rest).includes(squash(expected))) return undefined;
    place.taken = true;
    return 'within a notice';
  }
  if (place.taken) return undefined;
  const shown = place.rest;
  let way: string | undefined;
  if (shown === expected || shown === expected.trim()) way = 'letter by letter';
  else if (place.part.cut !== undefined) way = isCut(expected, place.part) ? 'kept in part' : undefined;
  else if (plain(shown) === plain(expected)) way = 'tags and colours apart';
  else if (item.kind === 'command envelope, in a notice' && isCommand(expected, shown)) way = 'command spelled anew';
  else if (item.kind.startsWith('shell command') && plain(shown) === plain(`! ${expected}`))
    way = 'command spelled anew';
  else if (isRedacted(expected, shown)) way = 'redacted';
  if (way !== undefined) place.taken = true;
  return way;
}

function findOutput(item: Item, places: readonly Place[]): Answer | undefined {
  if (item.kind === 'result without its call') {
    const expected = item.texts.join('\n');
    const isFree = (place: Place) => (place.part.type === 'tool_call' ? !place.outputTaken : !place.taken);
    const place = places.find(
      (each) => isFree(each) && squash(each.part.output ?? each.part.text ?? '') === squash(expected),
    );
    if (place === undefined) return undefined;
    place.taken = true;
    place.outputTaken = true;
    return { place, way: 'letter by letter' };
  }
  const place = places.find(({ part }) => part.type === 'tool_call' && part.call_id === item.callId);
  if (place === undefined || place.part.output === undefined || place.outputTaken) return undefined;
  const way = outputMatches(item, place.part, place.part.output);
  if (way === undefined) return undefined;
  place.outputTaken = true;
  const isError = place.part.is_error === true;
  // A command that ended with an error may be known by its exit code; a call that failed never is a success.
  const complaint = item.isError === true && !isError ? 'is not marked as an error' : undefined;
  return { place, way, ...(complaint === undefined ? {} : { complaint }) };
}

/** A result of images or references to tools may be told in words. */
function allowOutput(item: Item, places: readonly Place[]): void {
  const place = places.find(({ part }) => part.type === 'tool_call' && part.call_id === item.callId);
  if (place !== undefined) place.outputTaken = true;
}

function outputMatches(item: Item, part: ShownPart, output: string): string | undefined {
  for (const glue of ['\n', '', '\n\n']) {
    if (output === item.texts.join(glue) || output === item.texts.join(glue).trim()) return 'letter by letter';
    if (part.cut !== undefined && isCut(item.texts.join(glue), { ...part, text: output })) return 'kept in part';
  }
  if (squash(output) === squash(item.texts.join(''))) return 'white space apart';
  return isRedacted(item.texts.join('\n'), output) ? 'redacted' : undefined;
}

// ------------------------------------------------------------------------------------------------ sameness

/** 256 kB, less a character that would have been torn. */
const KEPT_AT_LEAST = 250_000;
const TAGS =
  /<\/?(?:system-reminder|ide_opened_file|ide_selection|ide_diagnostics|local-command-(?:stdout|stderr|caveat)|bash-(?:input|stdout|stderr)|command-(?:name|message|args)|task-notification)>/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals' colours are control characters
const COLOURS = /\x1b\[[0-9;]*m/g;
/** What stands where a secret stood. */
const MARK =
  /\[(?:AWS_KEY|GH_TOKEN|GL_TOKEN|API_KEY|SLACK_TOKEN|GOOGLE_KEY|JWT|PEM_BLOCK|SECRET|PASSWORD|TOKEN|[A-Z]+(?:_[A-Z]+)+|REDACTED[^\]]*)\]/g;

const squash = (text: string) => text.replace(/\s+/g, '');
const plain = (text: string) => squash(text.replace(TAGS, '').replace(COLOURS, ''));

function isCut(whole: string, part: ShownPart): boolean {
  const text = part.text ?? '';
  if (part.cut === undefined || part.cut.length !== whole.length || part.cut.kept !== text.length) return false;
  return Buffer.byteLength(text) >= KEPT_AT_LEAST && whole.startsWith(text);
}

/** Whether a text is another one with marks for some of its characters. */
export function isRedacted(whole: string, shown: string): boolean {
  const pieces = shown.split(MARK);
  if (pieces.length < 2) return false;
  const [first = '', ...others] = pieces;
  const last = others.pop() ?? '';
  if (!whole.startsWith(first) || !whole.endsWith(last)) return false;
  let from = first.length;
  for (const piece of others) {
    const at = whole.indexOf(piece, from + 1);
    if (at === -1) return false;
    from = at + piece.length;
  }
  return from < whole.length - last.length;
}

function isCommand(envelope: string, shown: string): boolean {
  const tag = (name: string) => new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(envelope)?.[1] ?? '';
  const [name, args] = [tag('command-name'), tag('command-args')];
  return name !== '' && squash(shown) === squash(name + args);
}

/** How the arguments of a call are shown: as they are, or with secrets taken out; undefined if they are others. */
function sameInput(expected: unknown, shown: unknown): string | undefined {
  if (isDeepStrictEqual(expected, shown)) return 'letter by letter';
  return sameButRedacted(expected, shown) ? 'redacted' : undefined;
}

function sameButRedacted(expected: unknown, shown: unknown): boolean {
  if (typeof expected === 'string' && typeof shown === 'string')
    return expected === shown || isRedacted(expected, shown);
  if (expected === null || shown === null || typeof expected !== 'object' || typeof shown !== 'object')
    return expected === shown;
  const keys = Object.keys(expected);
  if (!isDeepStrictEqual(keys, Object.keys(shown))) return false;
  return keys.every((key) =>
    sameButRedacted((expected as Record<string, unknown>)[key], (shown as Record<string, unknown>)[key]),
  );
}

const describe = (item: Item) =>
  item.type === 'call' ? `${item.name} ${JSON.stringify(item.input)}` : item.texts.join('\n');
const clip = (text: string) => (text.length > 160 ? `${text.slice(0, 160)}…` : text).replaceAll('\n', '\\n');
