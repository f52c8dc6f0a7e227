import { isDeepStrictEqual } from 'node:util';
import { ABSENT, type CodexSurvey, FORBIDDEN, type Item, OPTIONAL, type Rollout } from './codex.ts';
import { isRedacted, type Verdict } from './compare.ts';
import type { Json } from './jsonl.ts';
import type { Shown, ShownPart } from './product.ts';

/** What only Codex's tests look at. */
export interface CodexPart extends ShownPart {
  readonly command?: string;
  readonly paths?: readonly string[];
  readonly exit_code?: number;
}

/** A part with its place in the session, and what of it no item has claimed yet. */
interface Place {
  readonly part: CodexPart;
  readonly turn: number;
  readonly position: number;
  taken: boolean;
  rest: string;
  outputTaken: boolean;
  /** Lines that the items that it shows may stand in. */
  lines?: readonly number[];
}

type Draft = { found: number; faults: string[]; ways: Record<string, number>; prompts: number };

/** Holds everything that a home's sessions show against what its rollouts hold. */
export function compareCodex(survey: CodexSurvey, shown: readonly Shown[]): Verdict {
  const byId = new Map(shown.map((each) => [each.session.id, each]));
  const verdict: Draft = { found: 0, faults: [], ways: {}, prompts: 0 };
  for (const rollout of survey.rollouts) {
    const here = byId.get(`codex:${rollout.id}`);
    if (here === undefined) verdict.faults.push(`${rollout.name}: no session`);
    else holdSession(rollout, here, verdict);
  }
  return verdict;
}

function holdSession(rollout: Rollout, { turns }: Shown, verdict: Draft): void {
  const places: Place[] = turns.flatMap((turn, index) =>
    turn.parts.map((part) => ({
      part,
      turn: index,
      position: 0,
      taken: false,
      rest: part.text ?? '',
      outputTaken: false,
    })),
  );
  const fault = (item: Item, what: string) =>
    verdict.faults.push(
      `${rollout.name}:${item.lines.join('/')}: ${item.type} (${item.kind}) ${what}: ${clip(describe(item))}`,
    );
  const opened = new Map<number, Item>();
  for (const item of rollout.items) {
    if (item.type === 'output' && item.kind === 'blank text') allowOutput(item, places);
    if (FORBIDDEN.has(item.kind) && isShown(item, places)) fault(item, 'is shown');
    if (ABSENT.has(item.kind)) continue;
    // The summary is the model's answer to a call of the program's own: it is shown as that, or by the notice.
    const answer = find(item, places);
    if (answer === undefined) {
      if (!OPTIONAL.has(item.kind)) fault(item, 'is not there');
      continue;
    }
    verdict.found += 1;
    if (answer.way !== 'letter by letter') verdict.ways[answer.way] = (verdict.ways[answer.way] ?? 0) + 1;
    for (const complaint of answer.complaints ?? []) fault(item, complaint);
    const { place } = answer;
    const where = item.type === 'output' ? (place.part.output_where ?? place.part.where) : place.part.where;
    const isOwn = item.type !== 'work' && where !== undefined && where.path === undefined;
    if (isOwn && !item.lines.includes(where.line) && answer.way !== 'blocks joined')
      fault(item, `is said to stand in line ${where.line}`);
    if (item.type === 'output' || item.type === 'work') continue;
    place.lines = [...(place.lines ?? []), ...item.lines];
    if (!item.opens) continue;
    if (opened.has(place.turn)) fault(item, 'does not open a turn');
    opened.set(place.turn, item);
    if (!squash(turns[place.turn]?.prompt ?? '').includes(squash(item.texts.join('\n'))))
      if (!isRedacted(item.texts.join('\n'), turns[place.turn]?.prompt ?? ''))
        fault(item, 'is not the prompt of its turn');
  }
  verdict.prompts += opened.size;
  for (const [index, { prompt }] of turns.entries()) {
    if (prompt !== undefined && !opened.has(index))
      verdict.faults.push(`${rollout.name}: no prompt, but opens a turn: ${clip(prompt)}`);
  }
  verdict.faults.push(...outOfOrder(rollout, places), ...surplus(rollout, places));
}

/** Whether a text that is no content is shown, in a part of its own or within one. */
function isShown(item: Item, places: readonly Place[]): boolean {
  const words = squash(item.texts.join('\n'));
  const isHere = ({ part }: Place) => part.type === 'notice' && item.lines.includes(part.where?.line ?? 0);
  return places.some((place) => isHere(place) && squash(place.part.text ?? '').includes(words));
}

/** Parts stand in the order of their records; where two families tell a thing, either record's place will do. */
function outOfOrder(rollout: Rollout, places: readonly Place[]): string[] {
  const faults: string[] = [];
  let line = 0;
  for (const { part, lines } of places) {
    if (lines === undefined) continue;
    const [first, last] = [Math.min(...lines), Math.max(...lines)];
    if (last < line) faults.push(`${rollout.name}:${last}: shown behind line ${line}: ${clip(JSON.stringify(part))}`);
    line = Math.max(line, first);
  }
  return faults;
}

/** What is shown and no item has claimed. Notices tell of records besides; but none says again what another part says. */
function surplus(rollout: Rollout, places: readonly Place[]): string[] {
  const faults: string[] = [];
  const said = new Set(
    places.filter(({ taken, part }) => taken && part.text).map(({ part }) => squash(part.text ?? '')),
  );
  for (const { part, taken, rest, outputTaken } of places) {
    const line = `${rollout.name}:${part.where?.line ?? '?'}`;
    const isContent = part.type === 'text' || part.type === 'thinking' || part.type === 'tool_call';
    const isEcho =
      part.type === 'notice' && !taken && (part.text?.length ?? 0) > 40 && said.has(squash(part.text ?? ''));
    if ((isContent && !taken) || isEcho)
      faults.push(`${line}: shown, but not in the file or twice: ${clip(JSON.stringify(part))}`);
    else if (isContent && rest.trim() !== '') faults.push(`${line}: shown, but not in the file: ${clip(rest)}`);
    else if (part.type === 'tool_call' && (part.output ?? '').trim() !== '' && !outputTaken)
      faults.push(`${line}: an output that is not in the file: ${clip(part.output ?? '')}`);
  }
  return faults;
}

interface Answer {
  readonly place: Place;
  readonly way: string;
  readonly complaints?: readonly string[];
}

function find(item: Item, places: readonly Place[]): Answer | undefined {
  if (item.type === 'output') return findOutput(item, places);
  if (item.type === 'work') return findWork(item, places);
  if (item.type === 'call') return findCall(item, places);
  // What is said to stand in the item's own line comes before an equal text elsewhere.
  const near = places.filter(({ part }) => item.lines.includes(part.where?.line ?? 0));
  for (const place of [...near, ...places]) {
    if (!mayShow(item, place.part)) continue;
    const way = place.part.type === 'notice' ? noticeMatches(item, place) : textMatches(item.texts.join('\n'), place);
    if (way !== undefined) return { place, way };
  }
  return undefined;
}

function mayShow(item: Item, part: ShownPart): boolean {
  if (item.type === 'thinking') return part.type === 'thinking';
  if (item.type === 'assistant') return part.type === 'text' && part.role === 'assistant';
  if (item.type === 'user') return part.type === 'text' && part.role === 'user';
  if (item.kind === 'shell command typed by the user' && part.type === 'tool_call') return true;
  if (part.type !== 'notice') return false;
  if (item.kind === 'interruption, in a notice') return part.kind === 'interruption';
  if (item.kind === 'compaction, in a notice') return part.kind === 'compaction' || part.kind === 'summary';
  return true;
}

/** A text shows an item, or begins with it where several blocks became one text. */
function textMatches(expected: string, place: Place): string | undefined {
  if (place.taken && place.rest === '') return undefined;
  const take = (rest: string, way: string) => {
    place.taken = true;
    place.rest = rest;
    return way;
  };
  if (place.rest === expected || place.rest === expected.trim()) {
    return take('', place.rest === place.part.text ? 'letter by letter' : 'blocks joined');
  }
  if (place.part.cut !== undefined) return isCut(expected, place.part) ? take('', 'kept in part') : undefined;
  if (place.rest.trimStart().startsWith(expected.trim())) {
    return take(place.rest.trimStart().slice(expected.trim().length), 'blocks joined');
  }
  if (squash(place.rest) === squash(expected)) return take('', 'white space apart');
  const isPlan = expected.includes('<proposed_plan>') || place.rest.includes('<proposed_plan>');
  if (isPlan && plain(place.rest) === plain(expected)) return take('', 'tags apart');
  return isRedacted(expected, place.rest) ? take('', 'redacted') : undefined;
}

function noticeMatches(item: Item, place: Place): string | undefined {
  if (place.part.type === 'tool_call') return undefined;
  // Of an interruption and a compaction without a summary the words do not matter.
  if (item.texts.length === 0) {
    if (place.taken) return undefined;
    place.taken = true;
    return 'letter by letter';
  }
  const expected = item.texts.join('\n');
  if (item.kind === 'shell command typed by the user') {
    const command = /<command>\n?([\s\S]*?)\n?<\/command>/.exec(expected)?.[1] ?? expected;
    if (place.taken || !place.rest.includes(command)) return undefined;
    place.taken = true;
    return place.rest === expected ? 'letter by letter' : 'command spelled anew';
  }
  const way = textMatches(expected, place);
  if (way !== undefined) return way;
  if (place.taken) return undefined;
  // A notice may put a word before what it tells, or leave out the tags around it.
  const isLonger = place.rest.includes(expected.trim()) && place.rest.length < expected.length + 200;
  const isInterruption = item.kind === 'interruption, in a notice';
  if (!isLonger && !isInterruption && plain(place.rest) !== plain(expected)) return undefined;
  place.taken = true;
  return isInterruption ? 'letter by letter' : isLonger ? 'with a word before it' : 'tags apart';
}

// ------------------------------------------------------------------------------------------------ calls

function findCall(item: Item, places: readonly Place[]): Answer | undefined {
  const isCall = ({ part, taken }: Place) => part.type === 'tool_call' && !taken;
  const place =
    places.find((each) => isCall(each) && each.part.call_id === item.callId && item.callId !== undefined) ??
    places.find((each) => isCall(each) && item.lines.includes(each.part.where?.line ?? 0));
  if (place === undefined) return undefined;
  place.taken = true;
  const { part } = place;
  const way = sameInput(item.input ?? null, part.input);
  const complaints: string[] = [];
  if (way === undefined) complaints.push(`has other arguments ${clip(JSON.stringify(part.input) ?? '')}`);
  if (item.names?.includes(part.name ?? '') === false) complaints.push(`is called ${part.name}`);
  return { place, way: way ?? 'letter by letter', complaints };
}

/** How the arguments of a call are shown; undefined if they are others. */
function sameInput(expected: Json, shown: unknown): string | undefined {
  if (isDeepStrictEqual(expected, shown)) return 'letter by letter';
  if (sameButRedacted(expected, shown)) return 'redacted';
  if (typeof expected !== 'string') return undefined;
  const parsed = parse(expected);
  if (parsed !== undefined && isDeepStrictEqual(parsed, shown)) return 'arguments parsed';
  if (parsed !== undefined && sameButRedacted(parsed, shown)) return 'redacted';
  // A free text is the one argument of its call.
  const only = typeof shown === 'object' && shown !== null ? Object.values(shown) : [];
  if (only.length !== 1) return undefined;
  if (only[0] === expected) return 'text given a name';
  return sameButRedacted(expected, only[0]) ? 'redacted' : undefined;
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

function findOutput(item: Item, places: readonly Place[]): Answer | undefined {
  if (item.kind === 'result without its call') {
    const expected = squash(item.texts.join(''));
    const isFree = (place: Place) => (place.part.type === 'tool_call' ? !place.outputTaken : !place.taken);
    const place = places.find((each) => isFree(each) && squash(each.part.output ?? each.part.text ?? '') === expected);
    if (place === undefined) return undefined;
    place.taken = true;
    place.rest = '';
    place.outputTaken = true;
    return { place, way: 'letter by letter' };
  }
  const place = places.find(({ part }) => part.type === 'tool_call' && part.call_id === item.callId);
  const { part } = place ?? {};
  if (place === undefined || part === undefined || place.outputTaken) return undefined;
  const forms = formsOf(item);
  const { output = '' } = part;
  const isApart = part.output === undefined && forms.some(({ text }) => text.trim() === '');
  const way = isApart ? 'header apart' : (outputMatches(forms, part, output) ?? toldByItsCalls(forms, place, places));
  if (way === undefined) return undefined;
  place.outputTaken = true;
  const code = item.exitCode;
  const complaints =
    code === undefined || part.exit_code === code ? [] : [`has the exit code ${part.exit_code}, not ${code}`];
  return { place, way, complaints };
}

/** A script's output is what the calls that it made gave out: it may be shown with those alone. */
function toldByItsCalls(
  forms: readonly { text: string; way: string }[],
  script: Place,
  places: readonly Place[],
): string | undefined {
  if (script.part.output !== undefined) return undefined;
  const behind = places.slice(places.indexOf(script) + 1);
  const next = behind.findIndex(({ part }) => part.type !== 'tool_call' || part.call_id?.startsWith('exec-') !== true);
  const outputs = behind.slice(0, next === -1 ? behind.length : next).map(({ part }) => part.output ?? '');
  const told = squash(outputs.join(''));
  return told !== '' && forms.some(({ text }) => squash(text) === told) ? 'told by the calls of its script' : undefined;
}

function allowOutput(item: Item, places: readonly Place[]): void {
  const place = places.find(({ part }) => part.type === 'tool_call' && part.call_id === item.callId);
  if (place !== undefined) place.outputTaken = true;
}

/** The forms that an output may be shown in, with the way of each: as recorded, or what is left without the record's wrapping. */
function formsOf(item: Item): { text: string; way: string }[] {
  const forms = ['\n', '', '\n\n'].map((glue) => ({ text: item.texts.join(glue), way: 'letter by letter' }));
  const [first = '', ...others] = item.texts;
  if (/^Script (?:completed|failed|running)[\s\S]*Output:\n?$/.test(first)) {
    for (const glue of ['\n', '']) forms.push({ text: others.join(glue), way: 'header apart' });
  }
  const whole = item.texts.join('\n');
  if (/^(?:Command: |Chunk ID: |Exit code: |Wall time|Process )/.test(whole)) {
    const at = whole.indexOf('\nOutput:\n');
    const body = whole.slice(at + '\nOutput:\n'.length);
    // What a process that still runs is known by may be kept: it is written to under this number.
    const running = /^Process running with session ID .*\n/m.exec(whole.slice(0, at + 1))?.[0] ?? '';
    if (at !== -1) forms.push(...[body, running + body].map((text) => ({ text, way: 'header apart' })));
  }
  const parsed = parse(whole) ?? parse(others.join('\n'));
  const inner = (parsed as { output?: unknown } | undefined)?.output;
  if (typeof inner === 'string') forms.push({ text: inner, way: 'read out of its JSON' });
  const blocks = Array.isArray(parsed) ? parsed : (parsed as { content?: unknown } | undefined)?.content;
  if (Array.isArray(blocks)) {
    const texts = blocks.flatMap((block: { text?: unknown } | null) =>
      typeof block?.text === 'string' ? block.text : [],
    );
    if (texts.length > 0) forms.push({ text: texts.join('\n'), way: 'read out of its JSON' });
  }
  return forms;
}

function outputMatches(
  forms: readonly { text: string; way: string }[],
  part: CodexPart,
  output: string,
): string | undefined {
  for (const { text, way } of forms) {
    if (output === text || output === text.trim()) return way;
    if (part.cut !== undefined && isCut(text, { ...part, text: output })) return 'kept in part';
  }
  for (const { text } of forms) {
    if (squash(output) === squash(text)) return 'white space apart';
    if (isRedacted(text, output)) return 'redacted';
  }
  return undefined;
}

/** What a script called is a call of its own, or told by the call of the script: its command and its paths are. */
function findWork(item: Item, places: readonly Place[]): Answer | undefined {
  const { work } = item;
  if (work === undefined) return undefined;
  const isOwn = ({ part }: Place) => part.type === 'tool_call' && part.call_id === item.callId;
  const own = places.find((place) => isOwn(place) && !place.taken);
  const place = own ?? places.find(({ part }) => part.type === 'tool_call' && part.call_id === work.outer);
  if (place === undefined) return undefined;
  const { part } = place;
  const complaints: string[] = [];
  if (work.command !== undefined && !saysCommand(part, work.command))
    complaints.push(`has the command ${clip(part.command ?? '(none)')}`);
  const missing = (work.paths ?? []).filter((path) => part.paths?.includes(path) !== true);
  if (missing.length > 0) complaints.push(`has not the path ${missing[0]}`);
  if (work.tool !== undefined && !`${part.name} ${JSON.stringify(part.input)}`.includes(work.tool))
    complaints.push(`does not name the tool ${work.tool}`);
  if (own === undefined) return { place, way: 'told by the call of its script', complaints };
  own.taken = true;
  own.outputTaken = true;
  if (work.output !== undefined) {
    const text = work.output;
    const isSame = outputMatches([{ text, way: 'letter by letter' }], part, part.output ?? '') !== undefined;
    if (!isSame) complaints.push(`has the output ${clip(part.output ?? '(none)')}`);
  }
  if (work.exitCode !== undefined && part.exit_code !== work.exitCode)
    complaints.push(`has the exit code ${part.exit_code}, not ${work.exitCode}`);
  return { place, way: 'a call of its own', complaints };
}

const saysCommand = (part: CodexPart, command: string) =>
  part.command !== undefined && (part.command.includes(command) || isRedacted(command, part.command));

// ------------------------------------------------------------------------------------------------ sameness

/** 256 kB, less a character that would have been torn. */
const KEPT_AT_LEAST = 250_000;
const squash = (text: string) => text.replace(/\s+/g, '');
const plain = (text: string) => squash(text.replace(/<\/?[A-Za-z_]+(?: [^>]*)?>/g, ''));

function isCut(whole: string, part: ShownPart): boolean {
  const text = part.text ?? '';
  if (part.cut === undefined || part.cut.length !== whole.length || part.cut.kept !== text.length) return false;
  return Buffer.byteLength(text) >= KEPT_AT_LEAST && whole.startsWith(text);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const describe = (item: Item) => {
  if (item.type === 'call') return `${item.names?.[0]} ${JSON.stringify(item.input)}`;
  return item.work === undefined ? item.texts.join('\n') : JSON.stringify(item.work);
};
const clip = (text: string) => (text.length > 160 ? `${text.slice(0, 160)}…` : text).replaceAll('\n', '\\n');
