import type { Where } from '../../transcript/index.ts';
import { type Fields, fields, list, text, time } from '../fields.ts';
import { parsedJson } from '../json.ts';
import { NotShownCounter } from '../not-shown.ts';
import type { Said, SessionTeller } from '../session-teller.ts';
import type { SnapshotReader } from '../snapshot.ts';
import type { SourceEvent } from '../source.ts';
import { kindOf, tellCost } from './requests.ts';
import { callOf, wordsOf } from './tools.ts';

/** Messages that say nothing to a person, or again what another one says. */
export const QUIET_MESSAGES: ReadonlySet<string> = new Set([
  'api_req_finished',
  'api_req_retried',
  'api_req_deleted',
  'checkpoint_created',
  'checkpoint_saved',
  'task_progress',
  'resume_task',
  'resume_completed_task',
  'load_mcp_documentation',
  'generate_explanation',
  'shell_integration_warning',
]);
/** The tools that the screen has a name of its own for. */
const TOOLS: ReadonlyMap<string, string> = new Map([
  ['readFile', 'read_file'],
  ['newFileCreated', 'write_to_file'],
  ['editedExistingFile', 'replace_in_file'],
  ['appliedDiff', 'apply_diff'],
  ['insertContent', 'insert_content'],
  ['searchAndReplace', 'search_and_replace'],
  ['fileDeleted', 'delete_file'],
  ['searchFiles', 'search_files'],
  ['codebaseSearch', 'codebase_search'],
  ['listFilesTopLevel', 'list_files'],
  ['listFilesRecursive', 'list_files'],
  ['listCodeDefinitionNames', 'list_code_definition_names'],
  ['webFetch', 'web_fetch'],
  ['webSearch', 'web_search'],
  ['newTask', 'new_task'],
  ['switchMode', 'switch_mode'],
  ['updateTodoList', 'update_todo_list'],
]);
/** Behind a command that waits for a person's leave, and behind an answer that changed files. */
const MARKS = /(?:REQ_APP|HAS_CHANGES)$/;

/** Reads what was on the screen, where that is all that is left of a task. */
export class Screen implements SnapshotReader {
  readonly events: SourceEvent[];
  readonly notShown = new NotShownCounter();
  private readonly tell: SessionTeller;
  private isFirst = true;
  private running: { readonly id: string; output: string; readonly said: Said } | undefined;

  constructor(tell: SessionTeller) {
    this.tell = tell;
    this.events = tell.events;
  }

  record(message: Fields, where: Where): string | undefined {
    const kind = kindOf(message);
    const said: Said = { where, at: time(message.ts) };
    const words = text(message.text) ?? '';
    const isFirst = this.isFirst;
    this.isFirst = false;
    switch (kind) {
      case 'task':
      case 'user_feedback':
        this.asked(message, words, said);
        return undefined;
      case 'text':
        if (isFirst) this.asked(message, words, said);
        else this.tell.text('assistant', words, said);
        return undefined;
      case 'reasoning':
        this.tell.thought(text(message.reasoning) ?? words, said);
        return undefined;
      case 'completion_result':
        this.tell.text('assistant', words.replace(MARKS, ''), said);
        return undefined;
      case 'followup':
        this.tell.text('assistant', wordsOf('ask_followup_question', parsedJson(words)) || words, said);
        return undefined;
      case 'plan_mode_respond':
        this.tell.text('assistant', wordsOf('plan_mode_respond', parsedJson(words)) || words, said);
        return undefined;
      case 'api_req_started':
        tellCost(this.tell, message);
        this.requested(fields(parsedJson(words)), said);
        return undefined;
      case 'tool':
        this.called(fields(parsedJson(words)), words, said);
        return undefined;
      case 'command':
        this.ran(words.replace(MARKS, ''), said);
        return undefined;
      case 'command_output':
        if (this.running) this.running.output += words;
        else this.tell.notice('system', words, said);
        return undefined;
      case 'use_mcp_server': {
        const { toolName, uri, ...input } = fields(parsedJson(words));
        const name = text(toolName) ?? text(uri) ?? 'use_mcp_tool';
        this.tell.called({ ...callOf(`${where.line}`, name, input), kind: 'mcp' }, said);
        return undefined;
      }
      case 'browser_action':
      case 'browser_action_launch':
        this.tell.called(callOf(`${where.line}`, 'browser_action', parsedJson(words) ?? { url: words }), said);
        return undefined;
      default:
        if (QUIET_MESSAGES.has(kind)) this.notShown.add(`screen/${kind}`);
        else if (words.trim() === '') return `screen:${kind}`;
        else this.tell.notice('system', words, said);
        return undefined;
    }
  }

  private asked(message: Fields, words: string, said: Said): void {
    this.tell.turn(said);
    for (const image of list(message.images)) {
      const mime = /^data:([\w/+.-]+);/.exec(text(image) ?? '')?.[1];
      this.tell.attached({ kind: 'image', ...(mime !== undefined && { mime }) }, said);
    }
    for (const file of list(message.files)) this.tell.attached({ kind: 'file', name: String(file) }, said);
    this.tell.text('user', words, said);
  }

  private requested({ request, cancelReason, streamingFailedMessage }: Fields, said: Said): void {
    if (text(request) !== undefined) this.notShown.add('screen/request');
    const reason = text(streamingFailedMessage) ?? text(cancelReason);
    if (reason !== undefined) this.tell.notice('interruption', reason, said);
  }

  private called({ tool, ...input }: Fields, words: string, said: Said): void {
    const shown = text(tool) ?? 'unknown';
    const given = Object.keys(input).length > 0 ? input : { text: words };
    this.tell.called(callOf(`${said.where.line}`, TOOLS.get(shown) ?? shown, given), said);
  }

  private ran(command: string, said: Said): void {
    this.ended();
    const id = `${said.where.line}`;
    this.tell.called(callOf(id, 'execute_command', { command }), said);
    this.running = { id, output: '', said };
  }

  /** The pieces of a command's output come one after the other, and between other messages, until the next one runs. */
  private ended(): void {
    if (this.running === undefined) return;
    const { id, output, said } = this.running;
    this.running = undefined;
    this.tell.result(id, { isError: false, ...(output !== '' && { output }) }, said);
  }

  settle(): void {
    this.ended();
  }
}
