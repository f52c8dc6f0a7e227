import { jsonl } from './claude-records.ts';

/** The id of the session in `rollout`. */
export const ROLLOUT = '01a22bac-9d56-7763-96eb-cb87413a76f8';

/** A small session of Codex, as its file holds it. */
export function rollout(): string {
  const timestamp = '2026-11-30T08:57:42.000Z';
  const meta = { id: ROLLOUT, timestamp, cwd: '/home/dev/pier', originator: 'codex_cli_rs', cli_version: '0.171.0' };
  const said = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Find the quay.' }] };
  return jsonl([
    { timestamp, type: 'session_meta', payload: meta },
    { timestamp, type: 'response_item', payload: said },
    { timestamp, type: 'event_msg', payload: { type: 'user_message', message: 'Find the quay.' } },
  ]);
}
