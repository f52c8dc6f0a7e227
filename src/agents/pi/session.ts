import type { ToolKind, Where } from '../../transcript/index.ts';
import { textOfContent } from '../content.ts';
import { type Fields, fields, isFields, list, number, text, time } from '../fields.ts';
import type { RecordReader } from '../jsonl/reading.ts';
import { NotShownCounter } from '../not-shown.ts';
import { type Said, SessionTeller } from '../session-teller.ts';
import type { SourceEvent, Unit } from '../source.ts';
import { idOf } from './units.ts';

/** Entries that say nothing to a person. */
export const QUIET_ENTRIES: ReadonlySet<string> = new Set(['thinking_level_change', 'custom', 'label', 'title']);
const KINDS: ReadonlyMap<string, ToolKind> = new Map([
  ['bash', 'shell'],
  ['read', 'read'],
  ['edit', 'edit'],
  ['write', 'write'],
  ['ls', 'search'],
  ['find', 'search'],
  ['grep', 'search'],
  ['web_fetch', 'web'],
  ['web_search', 'web'],
  ['task', 'agent'],
  ['todo', 'plan'],
]);
/** Seen in 0.73. */
const GIVEN_FILE = /^<file name="([^"]*)">([\s\S]*?)<\/file>\n/g;

/** Reads the entries of one session: a tree, whose last entry is where it goes on. Those of the first versions have no ids. */
export class Session implements RecordReader {
  readonly events: SourceEvent[] = [];
  readonly notShown = new NotShownCounter();
  private readonly tell: SessionTeller;

  constructor(unit: Unit) {
    this.tell = new SessionTeller(idOf(unit.path), this.events);
  }

  isRecord(object: Fields, isValue: boolean): boolean {
    return !isValue && text(object.type) !== undefined && object.timestamp !== undefined;
  }

  record(entry: Fields, where: Where): string | undefined {
    const type = text(entry.type) ?? 'untyped';
    const message = fields(entry.message);
    const said: Said = {
      where,
      at: time(entry.timestamp) ?? time(message.timestamp),
      record: text(entry.id) ?? (type === 'message' ? `${entry.timestamp} ${message.role}` : undefined),
    };
    switch (type) {
      case 'session':
        this.header(entry);
        return undefined;
      case 'message':
        return this.message(message, said, text(entry.parentId));
      case 'model_change':
        this.tell.model(text(entry.modelId));
        this.link(said);
        return undefined;
      case 'session_info': {
        const title = text(entry.name);
        if (title !== undefined) this.tell.facts({ titles: { user: title } });
        this.link(said);
        return undefined;
      }
      case 'compaction':
        this.tell.notice('compaction', text(entry.summary) ?? 'compacted', said);
        return undefined;
      case 'branch_summary':
        this.tell.notice('summary', text(entry.summary), said);
        return undefined;
      case 'custom_message':
        this.tell.notice('system', textOfContent(entry.content), said);
        return undefined;
      default:
        this.link(said);
        if (!QUIET_ENTRIES.has(type)) return `entry:${type}`;
        this.notShown.add(`entry/${type}`);
        return undefined;
    }
  }

  private header(header: Fields): void {
    const cwd = text(header.cwd);
    const from = text(header.parentSession) ?? text(header.branchedFrom);
    this.tell.facts({
      client: { name: 'pi', ...(text(header.provider) !== undefined && { provider: String(header.provider) }) },
      ...(cwd !== undefined && { cwd }),
      ...(from !== undefined && { parent: { nativeId: idOf(from), relation: 'fork' } }),
    });
    this.tell.time(time(header.timestamp));
    this.tell.model(text(header.modelId));
  }

  private message(message: Fields, said: Said, parent: string | undefined): string | undefined {
    switch (message.role) {
      case 'user':
        this.asked(message, said, parent);
        return undefined;
      case 'assistant':
        return this.answered(message, said);
      case 'toolResult':
        this.result(message, said);
        return undefined;
      case 'bashExecution': {
        const { command, output, exitCode } = message;
        const end = number(exitCode) === undefined ? '' : `\nexit ${exitCode}`;
        this.tell.notice('command', `$ ${text(command) ?? ''}${end}\n${text(output) ?? ''}`, said);
        return undefined;
      }
      case 'custom':
      case 'hookMessage':
      case 'branchSummary':
      case 'compactionSummary':
        this.tell.notice('system', text(message.summary) ?? textOfContent(message.content), said);
        return undefined;
      default:
        this.link(said);
        return `message:${text(message.role) ?? 'untyped'}`;
    }
  }

  private asked(message: Fields, said: Said, parent: string | undefined): void {
    const { content } = message;
    this.tell.turn(said, parent);
    if (typeof content === 'string') this.tell.text('user', this.withoutFiles(content, said), said);
    for (const part of list(content).map(fields)) {
      if (part.type === 'text') this.tell.text('user', this.withoutFiles(text(part.text) ?? '', said), said);
      else this.tell.attached({ kind: text(part.type) ?? 'file', ...mimeOf(part) }, said);
    }
  }

  /** A prompt without the files that were given with it, whose contents the program puts before it. */
  private withoutFiles(prompt: string, said: Said): string {
    return prompt.replace(GIVEN_FILE, (_, name: string, content: string) => {
      if (content.trim() !== '') this.notShown.add('injected/file');
      this.tell.attached({ kind: 'file', name }, said);
      return '';
    });
  }

  private answered(message: Fields, said: Said): string | undefined {
    let unknown: string | undefined;
    for (const part of list(message.content).map(fields)) {
      if (part.type === 'text') this.tell.text('assistant', text(part.text), said);
      else if (part.type === 'thinking') this.tell.thought(text(part.thinking), said);
      else if (part.type === 'toolCall') this.called(part, said);
      else unknown ??= `part:${text(part.type) ?? 'untyped'}`;
    }
    this.link(said);
    const reason = text(message.errorMessage);
    if (message.stopReason === 'aborted') this.tell.notice('interruption', reason ?? 'aborted', said);
    else if (reason !== undefined) this.tell.notice('system', reason, said);
    this.spent(message, said);
    return unknown;
  }

  private called(part: Fields, said: Said): void {
    const name = text(part.name) ?? 'unknown';
    const kind = KINDS.get(name) ?? (name.startsWith('mcp') ? 'mcp' : 'other');
    const input = fields(part.arguments);
    this.tell.called(
      {
        callId: text(part.id),
        name,
        kind,
        input: part.arguments,
        paths: [input.path, input.file_path].flatMap((path) => text(path) ?? []),
        ...(kind === 'shell' && { command: text(input.command) }),
      },
      said,
    );
  }

  private result(message: Fields, said: Said): void {
    if (isFields(message.details) && Object.keys(message.details).length > 0) this.notShown.add('toolResult details');
    const output = textOfContent(message.content);
    const attachments = list(message.content)
      .map(fields)
      .filter(({ type }) => type === 'image')
      .map((image) => ({ type: 'attachment' as const, kind: 'image', where: said.where, ...mimeOf(image) }));
    const exit = output === undefined ? null : /Command exited with code (\d{1,3})\s*$/.exec(output);
    this.tell.result(
      text(message.toolCallId) ?? '',
      {
        isError: message.isError === true,
        ...(output !== undefined && { output }),
        ...(exit !== null && { exitCode: Number(exit[1]) }),
        ...(attachments.length > 0 && { attachments }),
      },
      said,
    );
  }

  /** `input` has nothing of the cache; `output` has what was thought. */
  private spent(message: Fields, said: Said): void {
    const model = text(message.model);
    this.tell.model(model);
    const usage = fields(message.usage);
    const input = number(usage.input);
    if (input === undefined || said.record === undefined) return;
    const cost = number(fields(usage.cost).total);
    this.tell.spent({
      // Ids are short, and those of answers not always one of a kind; a fork has both.
      key: `${said.record} ${said.at ?? ''}`,
      input,
      cacheRead: number(usage.cacheRead) ?? 0,
      cacheWrite5m: number(usage.cacheWrite) ?? 0,
      output: number(usage.output) ?? 0,
      ...(model !== undefined && { model }),
      ...(said.at !== undefined && { at: said.at }),
      ...(cost !== undefined && cost > 0 && { reportedCost: cost }),
    });
  }

  private link({ record }: Said): void {
    if (record !== undefined) this.tell.link(record);
  }

  settle(): void {}

  state(): undefined {}
}

function mimeOf(part: Fields): { readonly mime?: string } {
  const mime = text(part.mimeType);
  return mime === undefined ? {} : { mime };
}
