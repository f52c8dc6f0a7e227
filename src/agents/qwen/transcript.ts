import { basename, dirname } from 'node:path';
import type { Where } from '../../transcript/index.ts';
import { type Fields, fields, isFields, list, number, text, time } from '../fields.ts';
import { promptIn, unknownPart } from '../gemini/prompts.ts';
import { kindOf, pathsOf } from '../gemini/tools.ts';
import { fieldsAt } from '../json.ts';
import type { RecordReader } from '../jsonl/reading.ts';
import { NotShownCounter } from '../not-shown.ts';
import { type Said, SessionTeller } from '../session-teller.ts';
import type { SourceEvent, Unit } from '../source.ts';

/** Records of the program about itself, counted as `system/<subtype>` (`ChatRecordingService` of 0.24.4). */
const QUIET_SYSTEM: ReadonlySet<string> = new Set([
  'ui_telemetry',
  'attribution_snapshot',
  'at_command',
  'session_source',
  'session_sources_snapshot',
  'session_model',
  'session_artifact_event',
  'session_artifact_snapshot',
  'session_recording_degraded',
  'file_history_snapshot',
  'branch_checkpoint',
  'user_text_elements',
  'turn_result',
  'goal_state',
  'goal_turn_end',
  'omni_recall',
]);

/** Reads the records of one transcript: a session, or a sub-agent with a file of its own. */
export class Transcript implements RecordReader {
  readonly events: SourceEvent[] = [];
  readonly notShown = new NotShownCounter();
  private readonly tell: SessionTeller;
  private readonly unit: Unit;
  private hasBegun: boolean;
  /** The record that the next prompt follows, where the conversation went back to it. */
  private rewound: string | undefined;

  constructor(unit: Unit, from: unknown) {
    this.unit = unit;
    // The records may name another session: the file's name is the one that the program knows.
    this.tell = new SessionTeller(basename(unit.path, '.jsonl'), this.events);
    this.rewound = text(fields(from).rewound);
    this.hasBegun = isFields(from);
  }

  isRecord(object: Fields, isValue: boolean): boolean {
    return !isValue && text(object.uuid) !== undefined && text(object.type) !== undefined;
  }

  record(record: Fields, where: Where): string | undefined {
    if (!this.hasBegun) this.begun(record);
    const type = text(record.type) ?? 'untyped';
    const said: Said = { where, at: time(record.timestamp), record: text(record.uuid) };
    const parts = list(fields(record.message).parts).map(fields);
    switch (type) {
      case 'user':
        return this.asked(record, said);
      case 'assistant':
        this.answered(record, parts, said);
        return unknownPart(parts);
      case 'tool_result':
        this.result(record, parts, said);
        return unknownPart(parts);
      case 'system':
        return this.system(record, said);
      default:
        return `record:${type}`;
    }
  }

  private begun(record: Fields): void {
    this.hasBegun = true;
    const cwd = text(record.cwd);
    const branch = text(record.gitBranch);
    const version = text(record.version);
    this.tell.facts({
      client: { name: 'qwen', ...(version !== undefined && { version }) },
      ...(cwd !== undefined && { cwd }),
      ...(branch !== undefined && { branch }),
      ...(this.unit.layout === 'agent' && this.parent()),
    });
    // Before the first prompt, so that a turn can follow it.
    this.tell.link(this.beginning());
  }

  /** A name of its own, since records with one name are copies. */
  private beginning(): string {
    return `${this.tell.session} beginning`;
  }

  /** A sub-agent lies in the folder of its session; a file beside it names the call that started it. */
  private parent() {
    const meta = fieldsAt(this.unit.path.replace(/\.jsonl$/, '.meta.json'));
    const title = text(meta.description);
    const startedBy = text(meta.toolUseId);
    return {
      parent: { nativeId: basename(dirname(this.unit.path)), relation: 'subagent' as const },
      ...(title !== undefined && { titles: { generated: title } }),
      ...(startedBy !== undefined && { startedBy }),
    };
  }

  private asked(record: Fields, said: Said): string | undefined {
    const { parts } = fields(record.message);
    const { prompt, notices, attachments, results, injected } = promptIn(parts, { isReminded: true });
    for (const kind of injected) this.notShown.add(kind);
    const isPerson = record.provenance === undefined || record.provenance === 'real_user';
    const isPrompt = isPerson && (record.subtype === undefined || record.subtype === 'realtime_message');
    // Typed while the agent was busy, and handed to the turn that runs.
    const isAdded = isPerson && record.subtype === 'mid_turn_user_message';
    if (isAdded) this.tell.text('user', prompt, said);
    else if (prompt !== undefined && isPrompt) this.tell.prompt(prompt, said, this.follows(record));
    else if (prompt !== undefined) this.tell.notice('system', prompt, said);
    else if (attachments.length > 0) this.tell.turn(said, this.follows(record));
    if (said.record !== undefined && (isAdded || prompt === undefined)) this.tell.link(said.record);
    for (const notice of notices) this.tell.notice('system', notice, said);
    for (const attachment of attachments) this.tell.attached(attachment, said);
    for (const { id, response } of results) this.tell.result(id, response, said);
    return unknownPart(parts);
  }

  /** Behind a `rewind` the program links records to that one, and that one to where it went back to. */
  private follows(record: Fields): string | undefined {
    const follows = this.rewound ?? text(record.parentUuid);
    this.rewound = undefined;
    return follows;
  }

  private answered(record: Fields, parts: readonly Fields[], said: Said): void {
    for (const part of parts) {
      if (isFields(part.functionCall)) this.called(part.functionCall, said);
      else if (part.thought === true) this.tell.thought(text(part.text), said);
      else this.tell.text('assistant', text(part.text), said);
    }
    if (said.record !== undefined) this.tell.link(said.record);
    this.spent(record, said);
  }

  /** A tool that the model was not given at first is called through another one: it is told as itself. */
  private called(call: Fields, said: Said): void {
    const args = fields(call.args);
    const isBridged = call.name === 'tool_call' && text(args.name) !== undefined;
    const name = (isBridged ? text(args.name) : text(call.name)) ?? 'unknown';
    const given = isBridged ? args.arguments : call.args;
    const input = fields(given);
    const kind = name === 'agent' ? 'agent' : kindOf(name);
    this.tell.called(
      {
        callId: text(call.id),
        name,
        kind,
        input: given,
        paths: pathsOf(input),
        ...(kind === 'shell' && { command: text(input.command) }),
      },
      said,
    );
  }

  private result(record: Fields, parts: readonly Fields[], said: Said): void {
    const told = fields(record.toolCallResult);
    const display = told.resultDisplay;
    if (display !== undefined && display !== '') this.notShown.add('toolCallResult resultDisplay');
    const exitCode = number(fields(display).exitCode);
    for (const { functionResponse } of parts) {
      if (!isFields(functionResponse)) continue;
      const response = fields(functionResponse.response);
      const output = text(response.output) ?? text(response.error);
      this.tell.result(
        text(functionResponse.id) ?? text(told.callId) ?? '',
        {
          isError:
            told.status === 'error' || response.error !== undefined || (exitCode !== undefined && exitCode !== 0),
          ...(output !== undefined && { output }),
          ...(exitCode !== undefined && { exitCode }),
        },
        said,
      );
    }
  }

  private system(record: Fields, said: Said): string | undefined {
    const subtype = text(record.subtype) ?? 'untyped';
    const payload = fields(record.systemPayload);
    if (said.record !== undefined) this.tell.link(said.record);
    switch (subtype) {
      case 'chat_compression': {
        const [summary] = list(payload.compressedHistory);
        const parts = list(fields(summary).parts);
        if (parts.length > 0) this.tell.notice('compaction', text(fields(parts[0]).text), said);
        this.notShown.add('system/chat_compression compressedHistory');
        return undefined;
      }
      case 'custom_title': {
        const title = text(payload.customTitle);
        const by = payload.titleSource === 'auto' ? 'generated' : 'user';
        if (title !== undefined) this.tell.facts({ titles: { [by]: title } });
        return undefined;
      }
      case 'parent_session': {
        const parent = text(payload.parentSessionId);
        if (parent !== undefined) this.tell.facts({ parent: { nativeId: parent, relation: 'subagent' } });
        return undefined;
      }
      case 'rewind':
        this.rewound = text(record.parentUuid) ?? this.beginning();
        return undefined;
      case 'slash_command':
        if (payload.phase !== 'result') this.tell.notice('command', text(payload.rawCommand), said);
        if (payload.outputHistoryItems !== undefined) this.notShown.add('system/slash_command outputHistoryItems');
        return undefined;
      default:
        if (!QUIET_SYSTEM.has(subtype)) return `system:${subtype}`;
        this.notShown.add(`system/${subtype}`);
        return undefined;
    }
  }

  /** `promptTokenCount` holds what was cached, `candidatesTokenCount` what was thought (total = prompt + candidates). */
  private spent(record: Fields, said: Said): void {
    const model = text(record.model);
    this.tell.model(model);
    const usage = fields(record.usageMetadata);
    const input = number(usage.promptTokenCount);
    if (input === undefined || said.record === undefined) return;
    const cacheRead = number(usage.cachedContentTokenCount) ?? 0;
    this.tell.spent({
      key: said.record,
      input: Math.max(0, input - cacheRead),
      cacheRead,
      output: number(usage.candidatesTokenCount) ?? 0,
      reasoning: number(usage.thoughtsTokenCount) ?? 0,
      ...(model !== undefined && { model }),
      ...(said.at !== undefined && { at: said.at }),
    });
  }

  settle(): void {}

  state(): unknown {
    return {
      ...(this.rewound !== undefined && { rewound: this.rewound }),
    };
  }
}
