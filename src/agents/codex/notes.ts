import type { Notice } from '../../transcript/index.ts';
import { type Fields, text, time } from '../fields.ts';
import { askForeignDatabase } from '../foreign-database.ts';
import type { SessionFacts, SourceEvent, Unit } from '../source.ts';
import { goal } from './wording.ts';

/**
 * Reads what Codex keeps about its sessions in databases of their own: what it remembers of each
 * (`stage1_outputs` of `memories_*.sqlite`) and the goal it was given (`thread_goals` of `goals_*.sqlite`). Each is a
 * session of one turn below the one that it is about. Throws where the database cannot be read now.
 */
export function* readNotes(unit: Unit): Generator<SourceEvent> {
  const { table, noteOf } = unit.layout === 'memories' ? MEMORIES : GOALS;
  const rows = askForeignDatabase(unit.path, (ask) => {
    const isThere = ask(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '${table}'`).length > 0;
    // Columns come and go with versions: what is there is taken.
    return isThere ? ask(`SELECT * FROM ${table} ORDER BY thread_id`) : [];
  });
  if (!rows) throw new Error('the database could not be read; it is tried again when it changes');
  let unnamed = 0;
  for (const [index, row] of rows.entries()) {
    const thread = text(row.thread_id);
    if (thread === undefined) unnamed++;
    else yield* eventsOf(thread, noteOf(row), index + 1);
  }
  yield {
    type: 'checkpoint',
    checkpoint: { offset: unit.size, line: rows.length, state: undefined, headHash: '', tailHash: '' },
    tally: {
      records: rows.length,
      bytes: unit.size,
      unknown: unnamed > 0 ? { [`${table} without a thread`]: unnamed } : {},
      notShown: {},
      failures: [],
    },
    isLast: true,
  };
}

interface Note {
  /** What the session that holds it is called, before the id of the session it is about. */
  readonly prefix: string;
  readonly title: string;
  readonly texts: readonly string[];
  readonly at?: number | undefined;
}

interface Kind {
  readonly table: string;
  readonly noteOf: (row: Fields) => Note;
}

const MEMORIES: Kind = {
  table: 'stage1_outputs',
  noteOf(row) {
    const slug = text(row.rollout_slug);
    return {
      prefix: 'memory',
      title: slug === undefined ? 'Memory' : `Memory: ${slug}`,
      texts: [text(row.rollout_summary), text(row.raw_memory)].flatMap((said) => said ?? []),
      at: time(row.generated_at) ?? time(row.source_updated_at),
    };
  },
};

const GOALS: Kind = {
  table: 'thread_goals',
  noteOf(row) {
    const status = text(row.status);
    return {
      prefix: 'goal',
      title: 'Goal',
      texts: [goal(row), status === undefined ? '' : `Status: ${status}`],
      at: time(row.updated_at_ms) ?? time(row.created_at_ms),
    };
  },
};

function* eventsOf(thread: string, { prefix, title, texts, at }: Note, row: number): Generator<SourceEvent> {
  const said = texts.filter((one) => one !== '').join('\n\n');
  if (said === '') return;
  const session = `${prefix}/${thread}`;
  const time = at !== undefined && at > 0 ? { at } : {};
  const facts: SessionFacts = {
    kind: 'transcript',
    titles: { agent: title },
    parent: { nativeId: thread, relation: 'subagent' },
  };
  const part: Notice = { type: 'notice', kind: 'summary', text: said, where: { offset: 0, line: row }, ...time };
  yield { type: 'session', session, facts };
  yield { type: 'part', session, part };
}
