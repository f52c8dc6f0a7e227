import { BRANCHES_SCHEMA } from './branches.ts';
import { COUNTS_SCHEMA } from './counts.ts';
import { LINEAGES_SCHEMA } from './lineages.ts';
import { TOTALS_SCHEMA } from './totals.ts';
import { WORKED_SCHEMA } from './worked.ts';

/** Raised when the tables, the tokens or the passages change: the index is then made anew from the archive. */
export const CATALOG_VERSION = 8;

/** index/gen-N.db, the derived half: what listing and searching need. */
export const CATALOG_SCHEMA = `
CREATE TABLE IF NOT EXISTS sessions (
  id INTEGER PRIMARY KEY,           -- the archive's
  revision INTEGER NOT NULL,        -- of the archive that this row stands for
  key TEXT NOT NULL UNIQUE, source TEXT NOT NULL, native_id TEXT NOT NULL, kind TEXT NOT NULL,
  title TEXT, title_from TEXT, cwd TEXT, project TEXT, branch TEXT, remote TEXT,
  started INTEGER, ended INTEGER, active INTEGER,
  parent TEXT, relation TEXT, parent_turn INTEGER,
  hidden INTEGER NOT NULL DEFAULT 0, -- prompts whose transcript is here
  gone INTEGER NOT NULL DEFAULT 0,
  path TEXT NOT NULL,
  turns INTEGER NOT NULL DEFAULT 0, messages INTEGER NOT NULL DEFAULT 0,
  tool_calls INTEGER NOT NULL DEFAULT 0, errors INTEGER NOT NULL DEFAULT 0,
  tokens TEXT,                      -- JSON by model
  more TEXT NOT NULL                -- JSON: roots, models, client, pull requests
);
CREATE INDEX IF NOT EXISTS sessions_by_time ON sessions (active);
CREATE INDEX IF NOT EXISTS sessions_by_parent ON sessions (parent);
CREATE INDEX IF NOT EXISTS sessions_by_call ON sessions (json_extract(more, '$.startedBy'))
  WHERE json_extract(more, '$.startedBy') IS NOT NULL;
CREATE INDEX IF NOT EXISTS sessions_by_folder ON sessions (cwd, remote, branch);
CREATE INDEX IF NOT EXISTS sessions_by_source ON sessions (source, kind, hidden);
-- All that filters ask of sessions, so that their wide rows need not be read.
CREATE INDEX IF NOT EXISTS sessions_asked ON sessions
  (source COLLATE NOCASE, project COLLATE NOCASE, branch, kind, relation, started, active, errors, cwd);
CREATE TABLE IF NOT EXISTS turns (
  session INTEGER NOT NULL, turn INTEGER NOT NULL,
  anchor TEXT NOT NULL, started INTEGER, ended INTEGER, prompt TEXT,
  rewound INTEGER NOT NULL DEFAULT 0,
  superseded INTEGER NOT NULL DEFAULT 0, -- no file of the session holds it any more
  replay_of INTEGER,                -- the session that shows it
  own_parts INTEGER,                -- which of its parts are not replayed: null: all, 1: some, 0: none
  PRIMARY KEY (session, turn)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS turns_superseded ON turns (session) WHERE superseded = 1; -- fewer still
CREATE INDEX IF NOT EXISTS turns_rewound ON turns (session, turn) WHERE rewound = 1; -- few, so quick to ask
CREATE INDEX IF NOT EXISTS turns_replayed ON turns (session, turn) WHERE own_parts IS NOT NULL;
CREATE TABLE IF NOT EXISTS chunks (
  session INTEGER NOT NULL, turn INTEGER NOT NULL, chunk INTEGER NOT NULL,
  messages INTEGER NOT NULL, tool_calls INTEGER NOT NULL, errors INTEGER NOT NULL,
  PRIMARY KEY (session, turn, chunk)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS passages (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL, turn INTEGER NOT NULL, chunk INTEGER NOT NULL, -- chunk -1: the title
  first_part INTEGER NOT NULL, from_char INTEGER NOT NULL,
  last_part INTEGER NOT NULL, to_char INTEGER NOT NULL,
  at INTEGER, flags INTEGER NOT NULL, bytes INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS passages_by_chunk ON passages (session, turn, chunk);
CREATE INDEX IF NOT EXISTS passages_failed ON passages (session, flags) WHERE flags & 1; -- in which a tool failed: PassageFlag.error
CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS titles (
  session INTEGER PRIMARY KEY, turn INTEGER NOT NULL,
  title TEXT NOT NULL               -- all names of the session, a line each
);
CREATE TABLE IF NOT EXISTS touches (
  path TEXT NOT NULL, session INTEGER NOT NULL, turn INTEGER NOT NULL, chunk INTEGER NOT NULL, kind TEXT NOT NULL,
  PRIMARY KEY (session, turn, chunk, path, kind)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS work (    -- folders in which tools worked, of sessions whose own folder says nothing
  session INTEGER NOT NULL, folder TEXT NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (session, folder)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tools (
  session INTEGER NOT NULL, turn INTEGER NOT NULL, chunk INTEGER NOT NULL,
  name TEXT NOT NULL, kind TEXT NOT NULL, is_error INTEGER NOT NULL,
  PRIMARY KEY (session, turn, chunk, name, kind, is_error)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS tools_by_name ON tools (name COLLATE NOCASE);
${BRANCHES_SCHEMA}${LINEAGES_SCHEMA}${COUNTS_SCHEMA}${WORKED_SCHEMA}${TOTALS_SCHEMA}`;
