import { basename } from 'node:path';
import type { Where } from '../../transcript/index.ts';
import { textOfContent } from '../content.ts';
import { type Fields, fields, list, text } from '../fields.ts';
import type { RecordReader } from '../jsonl/reading.ts';
import { NotShownCounter } from '../not-shown.ts';
import { type Said, SessionTeller } from '../session-teller.ts';
import type { SourceEvent, Unit } from '../source.ts';
import { callOf } from './tools.ts';
import { parentOf, projectOf } from './units.ts';

const QUERY = /<user_query>\n?([\s\S]*?)\n?<\/user_query>/g;
/** What the program puts before a person's words. */
const INJECTED = /^\s*<[a-z_]+[ >]/;

/** Reads a transcript of the agent: it has no times, no ids and no results. */
export class Transcript implements RecordReader {
  readonly events: SourceEvent[] = [];
  readonly notShown = new NotShownCounter();
  private readonly tell: SessionTeller;
  private readonly path: string;
  private readonly project: string;

  constructor(unit: Unit) {
    this.tell = new SessionTeller(basename(unit.path, '.jsonl'), this.events);
    this.path = unit.path;
    this.project = projectOf(unit.path);
  }

  begin(): void {
    const parent = parentOf(this.path);
    this.tell.facts({
      client: { name: 'cursor' },
      ...(parent !== undefined && { parent: { nativeId: parent, relation: 'subagent' } }),
    });
  }

  isRecord(object: Fields, isValue: boolean): boolean {
    return !isValue && (text(object.role) !== undefined || text(object.type) !== undefined);
  }

  record(entry: Fields, where: Where): string | undefined {
    const said: Said = { where };
    const { content } = fields(entry.message);
    const parts = list(typeof content === 'string' ? [{ type: 'text', text: content }] : content).map(fields);
    if (entry.role === 'user') return this.asked(parts, said);
    if (entry.role === 'assistant') return this.answered(parts, said);
    if (entry.type !== 'turn_ended') return `record:${text(entry.role) ?? text(entry.type) ?? 'untyped'}`;
    this.notShown.add('turn_ended');
    return undefined;
  }

  private asked(parts: readonly Fields[], said: Said): string | undefined {
    const words = parts.flatMap((part) => (part.type === 'text' ? this.wordsIn(text(part.text) ?? '') : []));
    const others = parts.filter(({ type }) => type !== 'text');
    if (words.length + others.length > 0) this.tell.turn(said);
    for (const part of others) this.tell.attached({ kind: text(part.type) ?? 'file' }, said);
    for (const word of words) this.tell.text('user', word, said);
    return undefined;
  }

  private wordsIn(sent: string): string[] {
    const queries = [...sent.matchAll(QUERY)].map(([, words = '']) => words);
    if (queries.length > 0) {
      if (sent.replace(QUERY, '').trim() !== '') this.notShown.add('injected/context');
      return queries;
    }
    if (!INJECTED.test(sent)) return sent.trim() === '' ? [] : [sent];
    this.notShown.add('injected/context');
    return [];
  }

  private answered(parts: readonly Fields[], said: Said): string | undefined {
    let unknown: string | undefined;
    for (const part of parts) {
      if (part.type === 'text') this.tell.text('assistant', text(part.text), said);
      else if (part.type === 'thinking') this.tell.thought(text(part.thinking) ?? text(part.text), said);
      else if (part.type === 'tool_use') this.called(part, said);
      else if (part.type === 'tool_result')
        this.tell.result(
          text(part.tool_use_id) ?? '',
          { isError: part.is_error === true, output: textOfContent(part.content) ?? '' },
          said,
        );
      else unknown ??= `part:${text(part.type) ?? 'untyped'}`;
    }
    return unknown;
  }

  /** Its folder's name is that of the folder worked in, which lost characters: a touched file tells which it was. */
  private called(part: Fields, said: Said): void {
    const call = callOf(text(part.id), text(part.name) ?? 'unknown', part.input);
    this.tell.called(call, said);
    const inside = [...(call.paths ?? []), ...folderOf(part.input)];
    const cwd = inside.map((path) => folderNamed(this.project, path)).find((path) => path !== undefined);
    if (cwd !== undefined) this.tell.facts({ cwd });
  }

  settle(): void {}

  state(): undefined {}
}

function folderOf(input: unknown): string[] {
  const { working_directory: named, cwd, target_directory: target } = fields(input);
  return [named, cwd, target].flatMap((folder) => text(folder) ?? []);
}

/** The folder on the way to a path whose name is written so. */
function folderNamed(project: string, path: string): string | undefined {
  for (
    let end = path.length;
    end > 0;
    end = Math.max(path.lastIndexOf('/', end - 1), path.lastIndexOf('\\', end - 1))
  ) {
    const folder = path.slice(0, end);
    if (
      folder
        .replace(/[^A-Za-z0-9]+/g, '-')
        .replace(/^-|-$/g, '')
        .toLowerCase() === project.toLowerCase()
    )
      return folder;
  }
  return undefined;
}
