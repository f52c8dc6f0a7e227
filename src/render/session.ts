import type { Session, Tokens } from '../transcript/session.ts';
import { fromInside, tilde } from './folder.ts';
import { formatCount, formatDuration, formatTokens, plural } from './numbers.ts';
import { oneLine } from './safe.ts';
import { type Line, lineWidth, prefixed, print, type Span, span, wrapLine } from './spans.ts';
import { glyphs, type Mark, measure, type Style } from './style.ts';
import { ageBeside, localClock, localDate, localTime, relativeAge } from './times.ts';
import { displayWidth, pad, truncate, truncateStart } from './width.ts';

export interface SessionHeaderOptions {
  /** What people call the agent; else what its client calls itself. */
  readonly label?: string;
  /** With it the header also says how long ago the session was. */
  readonly now?: number;
  /** The user's home: shown as ~ in paths. */
  readonly home?: string;
}

const UNTITLED = '(no title)';
const FIELD = 10;

/** All that is known of a session, above its turns. Lines without a final newline. */
export function renderSessionHeader(session: Session, style: Style, options: SessionHeaderOptions = {}): string {
  const width = measure(style);
  const { dot, rule } = glyphs(style);
  const title = oneLine(session.title ?? '') || UNTITLED;
  const out: Line[] = [...wrapLine([span(title, 'bold')], width)];
  const id: Span[] = [span(oneLine(session.id), 'dim')];
  if (session.gone) id.push(span('  gone: kept in the archive only', 'yellow'));
  if (session.inside !== undefined) id.push(span(`  ${fromInside(session.inside, options.home)}`, 'yellow'));
  out.push(...wrapLine(id, width), []);
  const field = (name: string, ...values: (string | undefined)[]) => {
    const known = values.filter((value) => value !== undefined && value !== '').map((value) => oneLine(value!));
    if (known.length === 0) return;
    const lines = wrapLine([span(known.join(` ${dot} `))], width - FIELD);
    out.push(...prefixed(lines, [span(pad(name, FIELD), 'dim')], [span(' '.repeat(FIELD))]));
  };
  field('agent', agentOf(session, options), session.client.surface, session.client.provider, statusOf(session));
  field(
    'project',
    session.project,
    session.cwd === undefined ? undefined : tilde(session.cwd, options.home),
    session.machine,
  );
  field('branch', session.branch, session.remote);
  field(session.models.length === 1 ? 'model' : 'models', ...session.models);
  field('time', ...timesOf(session, options.now));
  field('size', ...countsOf(session));
  field('tokens', ...tokensOf(session.tokens));
  if (session.parent) {
    const relation = { subagent: 'sub-agent of', fork: 'fork of', continuation: 'continues' }[session.parent.relation];
    field(
      'parent',
      `${relation} ${session.parent.id}${session.parent.at === undefined ? '' : `, at ${session.parent.at}`}`,
    );
  }
  const children = session.children.slice(0, 5);
  if (session.children.length > 0) {
    for (const [i, child] of children.entries()) field(i === 0 ? 'children' : '', child);
    if (session.children.length > children.length)
      field(' ', `${formatCount(session.children.length - children.length)} more`);
  }
  for (const [i, { url, number }] of session.pullRequests.entries()) {
    field(i === 0 ? 'pulls' : '', number === undefined ? undefined : `#${number}`, url);
  }
  out.push([span(rule.repeat(width), 'dim')]);
  return print(style, out);
}

function agentOf(session: Session, options: SessionHeaderOptions): string {
  const name = options.label ?? session.client.name ?? session.source;
  return session.client.version === undefined ? name : `${name} ${session.client.version}`;
}

const statusOf = ({ status }: Session) => (status === 'ended' || status === 'idle' ? undefined : status);

function timesOf(session: Session, now: number | undefined): (string | undefined)[] {
  const { startedAt: start, endedAt: end } = session;
  const last = end ?? session.activeAt;
  if (start === undefined) return [last === undefined ? undefined : localTime(last)];
  const range =
    last === undefined || last - start < 60_000
      ? localTime(start)
      : `${localTime(start)} – ${localDate(start) === localDate(last) ? localClock(last) : localTime(last)}`;
  const took = last !== undefined && last > start ? formatDuration(last - start) : undefined;
  return [range, took, now === undefined ? undefined : ageBeside(last ?? start, now)];
}

function countsOf({ counts, supersededTurns = 0 }: Session): (string | undefined)[] {
  return [
    supersededTurns > 0
      ? `${plural(counts.turns, 'turn')}, ${supersededTurns} of them superseded`
      : plural(counts.turns, 'turn'),
    plural(counts.messages, 'message'),
    counts.toolCalls > 0 ? plural(counts.toolCalls, 'tool call') : undefined,
    counts.errors > 0 ? plural(counts.errors, 'error') : undefined,
  ];
}

function tokensOf(tokens: Tokens): (string | undefined)[] {
  const write = tokens.cacheWrite5m + tokens.cacheWrite1h;
  const some = (n: number, name: string) => (n > 0 ? `${formatTokens(n)} ${name}` : undefined);
  return [
    some(tokens.input, 'in'),
    some(tokens.cacheRead, 'cache read'),
    some(write, 'cache written'),
    tokens.reasoning > 0
      ? `${formatTokens(tokens.output)} out (${formatTokens(tokens.reasoning)} thought)`
      : some(tokens.output, 'out'),
  ];
}

export interface SessionListOptions {
  /** What people call a source. */
  readonly labelOf?: (source: string) => string;
}

/** From here on everything fits into one row. */
const WIDE = 150;
const WIDEST = 220;
const GAP = span('  ');

/** Sessions as an aligned list: two lines each, one where the terminal is wide. Lines without a final newline. */
export function renderSessionList(
  sessions: readonly Session[],
  style: Style,
  now: number,
  options: SessionListOptions = {},
): string {
  const rows = sessions.map((session) => rowOf(session, now, options));
  const lines = style.width >= WIDE ? wideRows(rows, style) : narrowRows(rows, style);
  return print(style, lines);
}

type Row = ReturnType<typeof rowOf>;
type Column = 'age' | 'label' | 'project' | 'turns' | 'branch' | 'id';

const widest = (rows: readonly Row[], name: Column, most: number) =>
  rows.reduce((width, row) => Math.max(width, Math.min(most, displayWidth(row[name]))), 0);

function fitted(text: string, width: number, style: Style, align: 'left' | 'right' = 'left'): string {
  return pad(truncate(text, width, glyphs(style).ellipsis), width, align);
}

/** The title and, behind it, what is special about the session, in just `width` columns. */
function titleCell(row: Row, width: number, style: Style): Span[] {
  const marks = row.marks.length > 0 ? `  ${row.marks.join(', ')}` : '';
  const title = truncate(row.title, Math.max(8, width - displayWidth(marks)), glyphs(style).ellipsis);
  const rest = Math.max(0, width - displayWidth(title) - displayWidth(marks));
  return [span(title, row.titled ? 'bold' : 'dim'), span(marks, 'yellow'), span(' '.repeat(rest))];
}

function narrowRows(rows: readonly Row[], style: Style): Line[] {
  const { dot } = glyphs(style);
  const age = widest(rows, 'age', 12);
  const project = widest(rows, 'project', Math.max(8, Math.min(20, style.width / 5)));
  const turns = widest(rows, 'turns', 12);
  const title = Math.max(12, style.width - age - turns - 4 - (project > 0 ? project + 2 : 0));
  return rows.flatMap((row): Line[] => {
    const place = project > 0 ? [span(fitted(row.project, project, style), 'green'), GAP] : [];
    const count = span(fitted(row.turns, turns, style, 'right'), 'dim');
    const id: Span[] = [span(row.label, 'cyan'), span(` ${dot} ${row.id}`, 'dim')];
    const room = style.width - age - 2 - lineWidth(id) - 3;
    if (row.branch !== '' && room >= 4)
      id.push(span(` ${dot} ${truncate(row.branch, room, glyphs(style).ellipsis)}`, 'dim'));
    return [
      [span(fitted(row.age, age, style), 'dim'), GAP, ...place, ...titleCell(row, title, style), GAP, count],
      [span(' '.repeat(age)), GAP, ...id],
    ];
  });
}

function wideRows(rows: readonly Row[], style: Style): Line[] {
  const columns: [Column, number, Mark][] = [
    ['age', 12, 'dim'],
    ['label', 18, 'cyan'],
    ['project', 26, 'green'],
    ['turns', 12, 'dim'],
    ['branch', 20, 'dim'],
    ['id', 60, 'dim'],
  ];
  const known = columns
    .map(([name, most, mark]) => ({ name, mark, width: widest(rows, name, most) }))
    .filter(({ width }) => width > 0);
  const title = Math.min(style.width, WIDEST) - known.reduce((sum, { width }) => sum + width + 2, 0);
  return rows.map((row) =>
    known.flatMap(({ name, mark, width }, i): Line => {
      const text =
        name === 'id'
          ? truncateStart(row.id, width)
          : fitted(row[name], width, style, name === 'turns' ? 'right' : 'left');
      const before = name === 'turns' ? [...titleCell(row, Math.max(16, title), style), GAP] : [];
      return [...(i > 0 ? [GAP] : []), ...before, span(text, mark)];
    }),
  );
}

function rowOf(session: Session, now: number, { labelOf }: SessionListOptions) {
  const at = session.activeAt ?? session.endedAt ?? session.startedAt;
  const title = oneLine(session.title ?? '');
  const marks: string[] = [];
  if (session.gone) marks.push('gone');
  else if (session.supersededTurns !== undefined) marks.push(`${session.supersededTurns} superseded`);
  if (session.inside !== undefined) marks.push(fromInside(session.inside));
  if (session.parent)
    marks.push({ subagent: 'sub-agent', fork: 'fork', continuation: 'continuation' }[session.parent.relation]);
  if (session.status === 'working' || session.status === 'waiting') marks.push(session.status);
  return {
    age: at === undefined ? '' : relativeAge(at, now),
    label: oneLine(labelOf?.(session.source) ?? session.source),
    project: oneLine(session.project ?? ''),
    title: title || UNTITLED,
    titled: title !== '',
    turns: plural(session.counts.turns, 'turn'),
    id: oneLine(session.id),
    branch: oneLine(session.branch ?? ''),
    marks,
  };
}
