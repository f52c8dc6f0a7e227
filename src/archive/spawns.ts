import type { Archive } from './archive.ts';

/** The key of the session that a row is of, whichever of its files leads. */
const KEY = "sessions.source || ':' || sessions.native_id";

/** The session and turn that started a sub-agent: by the agent's id, else by the call, else the session it lies in. */
export function spawnOf(
  { db }: Archive,
  source: string,
  child: string,
  callId: string | undefined,
  parent: string,
): { readonly key: string; readonly turn: number } | undefined {
  return (
    db.row<{ key: string; turn: number }>(
      `SELECT ${KEY} AS key, spawns.turn FROM spawns JOIN sessions ON sessions.id = spawns.session
         WHERE spawns.child = ? AND sessions.source = ?
         ORDER BY sessions.key = ? DESC, sessions.key <> ${KEY}, sessions.id LIMIT 1`,
      child,
      source,
      `${source}:${parent}`,
    ) ??
    (callId === undefined
      ? undefined
      : db.row<{ key: string; turn: number }>(
          `SELECT ${KEY} AS key, spawns.turn FROM spawns JOIN sessions ON sessions.id = spawns.session
             WHERE spawns.child = ? AND sessions.source = ? ORDER BY sessions.key <> ${KEY} LIMIT 1`,
          `call ${callId}`,
          source,
        ))
  );
}
