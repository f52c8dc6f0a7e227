import type { Where } from '../../transcript/index.ts';
import { type Fields, fields, list, number, text, time } from '../fields.ts';
import { NotShownCounter } from '../not-shown.ts';
import { plainPath } from '../plain-path.ts';
import { type Said, SessionTeller } from '../session-teller.ts';
import type { SnapshotReader } from '../snapshot.ts';
import type { SourceEvent } from '../source.ts';
import type { Stored } from './database.ts';
import { editorCall, editorResult } from './tools.ts';
import { EDITOR } from './units.ts';

/** Reads a conversation of the editor: what was said, thought and done is a bubble each. */
export class Conversation implements SnapshotReader {
  readonly events: SourceEvent[] = [];
  readonly notShown = new NotShownCounter();
  private readonly tell: SessionTeller;

  constructor({ id, head, data, left }: Stored) {
    this.tell = new SessionTeller(id, this.events);
    const { workspaceIdentifier, trackedGitRepos, createdAt } = head;
    const title = text(head.name) ?? text(data.name);
    const cwd = text(fields(fields(workspaceIdentifier).uri).fsPath);
    const branch = list(trackedGitRepos).flatMap(
      (one) => text(fields(list(fields(one).branches)[0]).branchName) ?? [],
    )[0];
    const parent = text(fields(data.subagentInfo).parentComposerId) ?? text(data.parentComposerId);
    this.tell.facts({
      client: { name: 'cursor', surface: EDITOR },
      ...(title !== undefined && { titles: { generated: title } }),
      ...(cwd !== undefined && { cwd }),
      ...(branch !== undefined && { branch }),
      ...(parent !== undefined && { parent: { nativeId: parent, relation: 'subagent' } }),
    });
    this.tell.time(time(createdAt) ?? time(data.createdAt));
    this.model(text(fields(data.modelConfig).modelName));
    for (let n = 0; n < left; n++) this.notShown.add('bubble left behind');
  }

  record(bubble: Fields, where: Where): string | undefined {
    const said: Said = {
      where,
      at: time(bubble.createdAt) ?? time(fields(bubble.timingInfo).clientRpcSendTime),
      record: text(bubble.bubbleId),
    };
    const { type } = bubble;
    if (type !== 1 && type !== 2) return `bubble:${number(type) ?? text(type) ?? 'untyped'}`;
    this.model(text(fields(bubble.modelInfo).modelName));
    if (type === 1) this.asked(bubble, said);
    else this.answered(bubble, said);
    this.spent(bubble, said);
    return undefined;
  }

  private asked(bubble: Fields, said: Said): void {
    this.tell.turn(said);
    const { fileSelections, folderSelections } = fields(bubble.context);
    for (const selection of [...list(fileSelections), ...list(folderSelections)].map(fields)) {
      const name = text(fields(selection.uri).fsPath) ?? text(selection.relativePath) ?? text(selection.path);
      this.tell.attached({ kind: 'file', ...(name !== undefined && { name: plainPath(name) }) }, said);
    }
    for (const _ of list(bubble.images)) this.tell.attached({ kind: 'image' }, said);
    this.tell.text('user', text(bubble.text), said);
  }

  private answered(bubble: Fields, said: Said): void {
    this.tell.thought(text(fields(bubble.thinking).text), said);
    this.tell.text('assistant', text(bubble.text), said);
    const tool = bubble.toolFormerData;
    if (text(fields(tool).name) !== undefined) this.called(fields(tool), said);
    const { message, detail } = fields(fields(bubble.errorDetails).error ?? bubble.errorDetails);
    this.tell.notice('system', text(message) ?? text(detail), said);
    if (said.record !== undefined) this.tell.link(said.record);
  }

  private called(data: Fields, said: Said): void {
    const call = editorCall(data);
    const at = time(fields(data.additionalData).startedAtMs) ?? said.at;
    this.tell.called({ ...call, callId: call.callId ?? said.record }, { ...said, at });
    const result = editorResult(data);
    if (result) this.tell.result(call.callId ?? said.record ?? '', result, said);
    if (text(data.toolCallBinary) !== undefined) this.notShown.add('tool binary');
  }

  /** Where nothing is counted it is not known what a request cost: the editor then writes 0. */
  private spent(bubble: Fields, said: Said): void {
    const { inputTokens, outputTokens } = fields(bubble.tokenCount);
    const [input, output] = [number(inputTokens) ?? 0, number(outputTokens) ?? 0];
    if (input + output === 0 || said.record === undefined) return;
    this.tell.spent({ key: said.record, input, output, ...(said.at !== undefined && { at: said.at }) });
  }

  private model(model: string | undefined): void {
    if (model !== 'default') this.tell.model(model);
  }
}
