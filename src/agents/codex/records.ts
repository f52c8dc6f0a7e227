/**
 * What is known but not shown: each is counted under its name, and `docs/sources.md` tells of it. Seen from 0.34 to 0.171;
 * what is in no list here is counted as unknown.
 */

/** Bookkeeping that is recognised at the beginning of its line and not parsed: some of it is large. */
export const UNPARSED: ReadonlySet<string> = new Set([
  'world_state',
  'inter_agent_communication_metadata',
  'event_msg/thread_settings_applied',
  'response_item/additional_tools',
  'response_item/ghost_snapshot',
]);

export const QUIET_RECORDS: ReadonlySet<string> = new Set([
  'world_state',
  'inter_agent_communication_metadata',
  'state',
]);

export const QUIET_ITEMS: ReadonlySet<string> = new Set(['additional_tools', 'ghost_snapshot', 'compaction', 'other']);

export const QUIET_EVENTS: ReadonlySet<string> = new Set([
  'thread_settings_applied',
  'guardian_assessment',
  'context_compacted',
  'deprecation_notice',
  'mcp_startup_complete',
  'mcp_startup_update',
  'shutdown_complete',
  'turn_diff',
  'background_event',
  'get_history_entry_response',
  'session_configured',
  'stream_error',
  'exec_command_begin',
  'exec_command_output_delta',
  'mcp_tool_call_begin',
  'patch_apply_begin',
  'web_search_begin',
  'item_started',
  'agent_message_delta',
  'agent_reasoning_delta',
  'agent_reasoning_section_break',
  'plan_update',
  'raw_response_item',
  'undo_started',
  // What was called stands in the response items.
  'web_search_end',
  'view_image_tool_call',
  'dynamic_tool_call_request',
  'dynamic_tool_call_response',
  'image_generation_end',
  'image_generation_begin',
  'collab_agent_spawn_begin',
  'collab_agent_interaction_begin',
  'collab_agent_interaction_end',
  'collab_waiting_begin',
  'collab_waiting_end',
  'collab_close_begin',
  'collab_close_end',
  'collab_resume_begin',
  'collab_resume_end',
]);

export const QUIET_COMPLETED: ReadonlySet<string> = new Set([
  // The `compacted` record before it is told.
  'ContextCompaction',
  // The answer holds it too.
  'Plan',
  'HookPrompt',
  'ImageView',
  'ImageGeneration',
  'EnteredReviewMode',
  'ExitedReviewMode',
]);

/** Fields of records that are not shown, by the type of the record. */
export const HIDDEN_FIELDS: Readonly<Record<'session_meta' | 'turn_context' | 'compacted', readonly string[]>> = {
  session_meta: ['base_instructions', 'instructions', 'dynamic_tools'],
  turn_context: ['collaboration_mode', 'developer_instructions', 'user_instructions'],
  // What was said before, again.
  compacted: ['replacement_history'],
};
