import type { Database } from '../store/database.ts';
import type { ToolCall } from '../transcript/index.ts';

/** What the tables know of a call: with it stand the paths that calls of its kind touched in the same chunk. */
type Call = Pick<ToolCall, 'name' | 'kind' | 'isError' | 'paths'>;

interface Row extends Pick<ToolCall, 'name' | 'kind'> {
  readonly chunk: number;
  readonly is_error: number;
  /** JSON. */
  readonly paths: string;
}

/** The chunks of a turn in which there may be a call that is asked for, in their order. */
export function chunksWithCalls(
  db: Database,
  session: number,
  turn: number,
  isAsked: (call: Call) => boolean,
): readonly number[] {
  const rows = db.rows<Row & Record<string, string | number>>(
    `SELECT chunk, name, kind, is_error, (SELECT json_group_array(path) FROM touches
       WHERE session = t.session AND turn = t.turn AND chunk = t.chunk AND kind = t.kind) AS paths
     FROM tools t WHERE session = ? AND turn = ? ORDER BY chunk`,
    session,
    turn,
  );
  const chunks = rows
    // Paths were written as an array of strings.
    .filter((row) => isAsked({ ...row, isError: row.is_error === 1, paths: JSON.parse(row.paths) as string[] }))
    .map(({ chunk }) => chunk);
  return [...new Set(chunks)];
}
