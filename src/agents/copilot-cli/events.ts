import { basename, dirname } from 'node:path';
import type { Where } from '../../transcript/index.ts';
import { type Fields, fields, isFields, list, number, text, time } from '../fields.ts';
import type { RecordReader } from '../jsonl/reading.ts';
import { NotShownCounter } from '../not-shown.ts';
import { type Said, SessionTeller } from '../session-teller.ts';
import type { SourceEvent, Unit } from '../source.ts';
import { calledWith, exitCodeIn } from './tools.ts';
import { nameOf } from './workspace.ts';

/** Events that say nothing to a person, or again what another one says. */
export const QUIET_EVENTS: ReadonlySet<string> = new Set([
  'assistant.turn_start',
  'assistant.turn_end',
  'assistant.intent',
  'hook.start',
  'hook.end',
  'permission.requested',
  'permission.completed',
  'session.compaction_start',
  'session.permissions_changed',
  'session.truncation',
  'session.usage_checkpoint',
  'session.usage_info',
  'session.binary_asset',
  'session.context_changed',
  'session.task_complete',
  'session.title_changed',
  'session.plan_changed',
  'session.mode_changed',
  'session.handoff',
  'session.auto_mode_resolved',
  'subagent.configured',
  'subagent.selected',
  'subagent.deselected',
  'system.message',
  'tool.execution_partial_result',
  'tool.execution_progress',
  'model.message',
  'model.messages_snapshot',
  'model.model_call_started',
  'model.model_call_success',
  'model.response',
  'model.turn_started',
  'model.turn_ended',
]);

interface State {
  /** Each request is told by a record of its own, so that the sums at the end say it again. */
  readonly hasRecords: boolean;
  readonly agents: readonly string[];
  /** Calls that were told and have not ended. */
  readonly told: readonly string[];
}
const REMEMBERED = 50;

/** Reads the events of one session. Sub-agents speak in the same file, under an id of their own. */
export class Events implements RecordReader {
  readonly events: SourceEvent[] = [];
  readonly notShown = new NotShownCounter();
  private readonly unit: Unit;
  private readonly id: string;
  private readonly main: SessionTeller;
  private readonly agents = new Map<string, SessionTeller>();
  /** Calls that were told with their message and have not ended. */
  private readonly told = new Set<string>();
  private hasRecords: boolean;

  constructor(unit: Unit, from: unknown) {
    this.unit = unit;
    const name = basename(unit.path, '.jsonl');
    this.id = name === 'events' ? basename(dirname(unit.path)) : name;
    this.main = new SessionTeller(this.id, this.events);
    const state = fields(from);
    this.hasRecords = state.hasRecords === true;
    for (const agent of list(state.agents)) if (typeof agent === 'string') this.agentOf(agent);
    for (const call of list(state.told)) if (typeof call === 'string') this.told.add(call);
  }

  begin(): void {
    const named = nameOf(this.unit.path);
    if (named) this.main.facts({ titles: named.isUsers ? { user: named.name } : { generated: named.name } });
  }

  isRecord(object: Fields, isValue: boolean): boolean {
    return !isValue && text(object.type) !== undefined && isFields(object.data);
  }

  record(event: Fields, where: Where): string | undefined {
    const type = text(event.type) ?? 'untyped';
    const data = fields(event.data);
    const said: Said = { where, at: time(event.timestamp), record: text(event.id) };
    const agent = text(event.agentId);
    const tell = agent === undefined ? this.main : this.agentOf(agent);
    switch (type) {
      case 'session.start':
      case 'session.resume':
        this.began(data);
        break;
      case 'user.message':
        this.asked(tell, data, said);
        return undefined;
      case 'assistant.message':
        this.answered(tell, data, said);
        return undefined;
      case 'assistant.reasoning':
        tell.thought(text(data.content), said);
        return undefined;
      case 'tool.execution_start':
        this.started(tell, data, said);
        return undefined;
      case 'tool.execution_complete':
        this.ended(tell, data, said);
        return undefined;
      case 'subagent.started':
        this.agentStarted(agent, data);
        return undefined;
      case 'subagent.completed':
      case 'subagent.failed':
        if (text(data.error) !== undefined) tell.notice('system', text(data.error), said);
        break;
      case 'session.model_change':
        this.main.model(text(data.newModel));
        break;
      case 'session.compaction_complete':
        tell.notice('compaction', text(data.summaryContent) ?? 'compacted', said);
        return undefined;
      case 'session.error':
      case 'session.warning':
      case 'session.info':
      case 'system.notification':
        tell.notice('system', text(data.message) ?? text(data.content), said);
        return undefined;
      case 'abort':
        tell.notice('interruption', text(data.reason) ?? 'aborted', said);
        return undefined;
      case 'session.usage_record':
        this.recorded(tell, fields(data.usage), said);
        break;
      case 'session.shutdown':
        this.shutDown(data, said);
        break;
      default:
        if (said.record !== undefined) tell.link(said.record);
        if (!QUIET_EVENTS.has(type)) return `event:${type}`;
        this.notShown.add(type);
        return undefined;
    }
    if (said.record !== undefined) tell.link(said.record);
    return undefined;
  }

  private began({ context, copilotVersion, selectedModel, startTime }: Fields): void {
    const { cwd, branch, repository } = fields(context);
    const version = text(copilotVersion);
    this.main.facts({
      client: { name: 'copilot', ...(version !== undefined && version !== 'unknown' && { version }) },
      ...(text(cwd) !== undefined && { cwd: String(cwd) }),
      ...(text(branch) !== undefined && { branch: String(branch) }),
      ...(text(repository) !== undefined && { remote: `https://github.com/${repository}` }),
    });
    this.main.time(time(startTime));
    this.main.model(text(selectedModel));
  }

  private asked(tell: SessionTeller, data: Fields, said: Said): void {
    const content = text(data.content);
    if (data.transformedContent !== undefined && data.transformedContent !== content)
      this.notShown.add('user.message transformedContent');
    const isSkill = text(data.source)?.startsWith('skill-') === true || content?.startsWith('<skill-context') === true;
    if (isSkill) tell.notice('system', content, said);
    else tell.turn(said);
    for (const raw of list(data.attachments)) {
      const { displayName, path, mimeType, byteLength, type } = fields(raw);
      const name = text(displayName) ?? text(path);
      const [mime, bytes] = [text(mimeType), number(byteLength)];
      const kind = mime?.split('/')[0] ?? text(type) ?? 'file';
      tell.attached(
        {
          kind,
          ...(name !== undefined && { name }),
          ...(mime !== undefined && { mime }),
          ...(bytes !== undefined && { bytes }),
        },
        said,
      );
    }
    if (!isSkill) tell.text('user', content, said);
  }

  private answered(tell: SessionTeller, data: Fields, said: Said): void {
    tell.thought(text(data.reasoningText), said);
    tell.text('assistant', text(data.content), said);
    for (const raw of list(data.toolRequests)) {
      const { toolCallId, name, arguments: input } = fields(raw);
      this.called(tell, text(toolCallId), text(name) ?? 'unknown', input, said);
    }
    if (said.record !== undefined) tell.link(said.record);
    this.main.model(text(data.model));
  }

  private called(tell: SessionTeller, callId: string | undefined, name: string, input: unknown, said: Said): void {
    if (callId !== undefined) this.told.add(callId);
    tell.called(calledWith(callId, name, input, fields(input)), said);
  }

  private started(tell: SessionTeller, data: Fields, said: Said): void {
    const callId = text(data.toolCallId);
    if (said.record !== undefined) tell.link(said.record);
    // It says again what the message asked for, but in files that were cut or are of other versions.
    if (callId !== undefined && !this.told.has(callId))
      this.called(tell, callId, text(data.toolName) ?? 'unknown', data.arguments, said);
  }

  private ended(tell: SessionTeller, data: Fields, said: Said): void {
    const result = fields(data.result);
    const output = text(result.content) ?? text(fields(data.error).message);
    const exitCode = number(fields(data.shellExecution).exitCode) ?? exitCodeIn(output);
    if (text(result.detailedContent) !== undefined && result.detailedContent !== output)
      this.notShown.add('result detailedContent');
    if (isFields(data.toolTelemetry) && Object.keys(data.toolTelemetry).length > 0)
      this.notShown.add('result toolTelemetry');
    const callId = text(data.toolCallId) ?? '';
    this.told.delete(callId);
    tell.result(
      callId,
      {
        isError: data.success === false || (exitCode !== undefined && exitCode !== 0),
        ...(output !== undefined && { output }),
        ...(exitCode !== undefined && { exitCode }),
        paths: list(data.fileEdits).flatMap((edit) => text(fields(edit).path) ?? []),
      },
      said,
    );
  }

  private agentOf(agent: string): SessionTeller {
    const known = this.agents.get(agent);
    if (known) return known;
    const tell = new SessionTeller(`${this.id}/${agent}`, this.events);
    this.agents.set(agent, tell);
    tell.facts({ parent: { nativeId: this.id, relation: 'subagent' } });
    return tell;
  }

  private agentStarted(agent: string | undefined, data: Fields): void {
    const [title, startedBy] = [text(data.agentDescription), text(data.toolCallId)];
    if (agent === undefined) return;
    this.agentOf(agent).facts({
      ...(title !== undefined && { titles: { generated: title } }),
      ...(startedBy !== undefined && { startedBy }),
    });
  }

  /** `inputTokens` holds what was read from and written to the cache, `outputTokens` what was thought. */
  private recorded(tell: SessionTeller, usage: Fields, said: Said): void {
    this.hasRecords = true;
    const key = text(fields(usage.accounting).usageId) ?? text(usage.apiCallId) ?? said.record;
    if (key !== undefined) this.spent(tell, key, text(usage.model), usage, said);
  }

  /** The sums of a run, where no record tells its requests. */
  private shutDown(data: Fields, said: Said): void {
    for (const [model, metrics] of Object.entries(fields(data.modelMetrics)))
      if (!this.hasRecords)
        this.spent(this.main, `${said.record} ${model}`, model, fields(fields(metrics).usage), said);
    const paths = list(fields(data.codeChanges).filesModified);
    if (paths.length > 0) this.notShown.add('session.shutdown codeChanges');
  }

  private spent(tell: SessionTeller, key: string, model: string | undefined, usage: Fields, said: Said): void {
    const input = number(usage.inputTokens);
    if (input === undefined) return;
    const cacheRead = number(usage.cacheReadTokens) ?? 0;
    const cacheWrite5m = number(usage.cacheWriteTokens) ?? 0;
    tell.spent({
      key,
      input: Math.max(0, input - cacheRead - cacheWrite5m),
      cacheRead,
      cacheWrite5m,
      output: number(usage.outputTokens) ?? 0,
      reasoning: number(usage.reasoningTokens) ?? 0,
      ...(model !== undefined && { model }),
      ...(said.at !== undefined && { at: said.at }),
    });
  }

  settle(): void {}

  state(): State {
    return {
      hasRecords: this.hasRecords,
      agents: [...this.agents.keys()].slice(-REMEMBERED),
      told: [...this.told].slice(-REMEMBERED),
    };
  }
}
