import { type Fields, text } from '../fields.ts';

/** Record types that are told. */
const TOLD = [
  'user',
  'assistant',
  'attachment',
  'system',
  'progress',
  'summary',
  'custom-title',
  'agent-name',
  'ai-title',
  'queue-operation',
  'pr-link',
] as const;

/**
 * What is known and has no part of its own in the transcript: each is counted under its name, and `docs/sources.md`
 * tells of it. Seen up to 2.1.332; a type that is in none of these lists is counted as unknown.
 */

/** Bookkeeping that stands at the beginning of its line: counted without being parsed. About two thirds of a new file's bytes. */
const UNPARSED: ReadonlySet<string> = new Set([
  'api-request',
  'api-request-shape',
  // Copies of prompts and answers that stand elsewhere in the file.
  'api-request-blob',
  'tools-used',
  'atis-latch',
  'cost-state',
  'file-history-snapshot',
  'file-history-delta',
  'permission-mode',
  'mode',
  'last-prompt',
]);

export const BOOKKEEPING: ReadonlySet<string> = new Set([
  ...UNPARSED,
  'agent-setting',
  'bridge-session',
  'relocated',
  'result',
  'started',
  'teleported-from',
  'worktree-state',
]);

/** Blocks of an answer that hold nothing to read. */
export const QUIET_BLOCKS: ReadonlySet<string> = new Set(['redacted_thinking', 'fallback']);

/** `system.subtype` that only link the tree. */
export const QUIET_SYSTEM: ReadonlySet<string> = new Set(['turn_duration', 'session_start', 'bridge_status']);

/** Fields of `system` records that are not shown. */
export const HIDDEN_SYSTEM_FIELDS = ['hookInfos'] as const;

/** `attachment.type` that remind the model of what it was told elsewhere. */
export const QUIET_ATTACHMENTS: ReadonlySet<string> = new Set([
  'agent_listing_delta',
  'auto_mode',
  'auto_mode_exit',
  'budget_usd',
  'command_permissions',
  'compact_file_reference',
  'companion_intro',
  'date',
  'date_change',
  'deferred_tools_delta',
  'deferred_tools_record',
  'diagnostics',
  'dynamic_skill',
  'environment',
  'invoked_skills',
  'mcp_instructions_delta',
  'model',
  'nested_memory',
  'plan_file_reference',
  'plan_mode',
  'plan_mode_exit',
  'plan_mode_reentry',
  'prompt_snapshot',
  'read_truncation_notice',
  'remote_session_change',
  'session_context',
  'skill_listing',
  'task_reminder',
  'task_status',
  'todo_reminder',
  'total_tokens_reminder',
  'ultra_effort_enter',
]);

export const QUIET_PROGRESS: ReadonlySet<string> = new Set([
  'bash_progress',
  'powershell_progress',
  'hook_progress',
  'mcp_progress',
  'query_update',
  'search_results_received',
  'waiting_for_task',
]);

/** Whether an object is a record, whole. What is part of a record never names the session. */
export function isRecord(object: Fields): boolean {
  return text(object.type) !== undefined && [object.sessionId, object.leafUuid, object.messageId].some(text);
}

/**
 * The type of bookkeeping that need not be parsed, undefined of any other line. Another record on it would be lost, so there
 * must be none: neither behind it nor behind a piece of it.
 */
export function unparsedType(bytes: Buffer): string | undefined {
  const type = TYPE_FIRST.exec(bytes.toString('latin1', 0, 48))?.[1];
  if (type === undefined || !UNPARSED.has(type) || bytes[bytes.length - 1] !== 125) return undefined;
  return BEGINNINGS.some((beginning) => bytes.includes(beginning, 1)) ? undefined : type;
}

const TYPE_FIRST = /^\{"type":"([a-z-]+)"/;
/** What no bookkeeping holds inside: two records, or the beginning of one that is told. */
const BEGINNINGS = ['}{"', '{"parentUuid":', '{"isSidechain":', ...TOLD.map((type) => `{"type":"${type}",`)].map(
  (beginning) => Buffer.from(beginning),
);
