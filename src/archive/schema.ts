import { Database, type Functions, type Steps } from '../store/database.ts';
import { isBodyWhole, LOST, sealBody } from './bodies.ts';
import { LISTINGS } from './listings.ts';
import { NOT_SHOWN } from './not-shown.ts';
import { SPENDING, SPENDING_OF_BEFORE } from './spending.ts';
import { SUM_FUNCTIONS, SUMMED_TABLES, type SummedTable, sumsOf } from './sums.ts';
import { LATER_RECORDS } from './turns.ts';

/** Raised with every change of the schema: the archive is durable, so a step below makes the new one out of the old. */
export const ARCHIVE_VERSION = 9;

const WITHHELD = `
CREATE TABLE IF NOT EXISTS withheld ( -- what is not kept: sessions, and records whose summaries are not
  hash INTEGER PRIMARY KEY,         -- of the session's key, or of the record's name: no word of it stays
  unit INTEGER NOT NULL,            -- where it was met
  cause INTEGER                     -- the hash of the session that was forgotten with it; null: by the configuration
);
`;

const FOLDERS = `
CREATE TABLE IF NOT EXISTS folders (  -- what was seen of folders on disk, at several times
  path TEXT NOT NULL,
  root TEXT NOT NULL,               -- the main repository's folder; empty where there is none
  remote TEXT NOT NULL,             -- //host/owner/name, or empty
  born INTEGER NOT NULL,            -- hash of the first line of the repository's log; 0 where there is none
  at INTEGER NOT NULL,
  PRIMARY KEY (path, root, remote, born)
) WITHOUT ROWID;
`;

const PLACES = `
CREATE TABLE IF NOT EXISTS places (   -- units in whose path something was hidden
  unit INTEGER PRIMARY KEY,
  place INTEGER NOT NULL            -- hash of the path as it is on disk
);
`;

const COPIES = `
CREATE INDEX IF NOT EXISTS sessions_by_native_id ON sessions (source, native_id);
CREATE TABLE IF NOT EXISTS aside (    -- what a unit held before, while it is read anew
  session INTEGER PRIMARY KEY,
  unit INTEGER NOT NULL,
  same INTEGER NOT NULL             -- 1: the file is as it was, only its reader is another
);
CREATE INDEX IF NOT EXISTS aside_by_unit ON aside (unit);
CREATE TABLE IF NOT EXISTS outside (  -- turns that the session's own file does not hold
  session INTEGER NOT NULL, turn INTEGER NOT NULL,
  since INTEGER,                    -- when no file held it any more, epoch ms; null: a copy of the file holds it
  copy INTEGER, copy_turn INTEGER,  -- where it stands; null: the session's own file held it
  PRIMARY KEY (session, turn)
) WITHOUT ROWID;
`;

const LATER_TABLES: ReadonlySet<SummedTable> = new Set(['later_records', 'aside', 'outside']);

/** Tables that were there when sums came. */
const SUMMED_AT_FIRST = SUMMED_TABLES.filter((table) => !LATER_TABLES.has(table));

const STEPS: Steps = {
  2: `${WITHHELD} UPDATE units SET gone = unixepoch() * 1000 WHERE gone <> 0;`,
  3: FOLDERS,
  4: PLACES,
  5: `UPDATE chunks SET body = sealed(session, turn, chunk, first, body); ${SUMMED_AT_FIRST.map(sumsOf).join('')}`,
  6: `${LATER_RECORDS}${sumsOf('later_records')}${SPENDING}${SPENDING_OF_BEFORE}`,
  7: LISTINGS,
  8: NOT_SHOWN,
  9: `${COPIES}${sumsOf('aside')}${sumsOf('outside')}`,
};

/** What the steps and the triggers call. */
const FUNCTIONS: Functions = {
  ...SUM_FUNCTIONS,
  sealed: (session, turn, chunk, first, body) => {
    const place = { session: Number(session), turn: Number(turn), chunk: Number(chunk), first: Number(first) };
    const packed = body instanceof Uint8Array ? body : LOST;
    return isBodyWhole(packed, place) ? sealBody(packed, place) : LOST;
  },
};

/**
 * archive.db, the durable half: what was read, redacted, and where each reading may go on. Everything else is derived
 * from it.
 *
 * A session's parts lie in chunks of about 32 kB: one is enough to show a hit, and to change when a line is appended.
 */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS units (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL, path TEXT NOT NULL, layout TEXT NOT NULL,
  identity TEXT NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
  reader INTEGER NOT NULL,          -- version of the reader and the redactor that read it
  checkpoint TEXT,                  -- JSON; null where it could not be read
  read_to INTEGER, read_lines INTEGER, -- offset and line of the checkpoint
  records INTEGER NOT NULL DEFAULT 0,
  failures TEXT, unknown TEXT,      -- JSON
  gone INTEGER NOT NULL DEFAULT 0,  -- when it was found to be no more, epoch ms; 0: it is there
  UNIQUE (source, path)
);
CREATE INDEX IF NOT EXISTS units_by_time ON units (modified);
CREATE TABLE IF NOT EXISTS sessions (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,         -- source:nativeId; where another file's session leads, with something behind it
  source TEXT NOT NULL, native_id TEXT NOT NULL,
  unit INTEGER NOT NULL,
  kind TEXT NOT NULL,               -- transcript | prompts
  facts TEXT NOT NULL,              -- JSON, redacted
  turns INTEGER NOT NULL,           -- number of turns, turn 0 included where it has parts
  open_calls TEXT,                  -- JSON: tool calls without a result yet, by id: [turn, chunk, part]
  orphans TEXT,                     -- JSON: results without their call yet, likewise
  started INTEGER, ended INTEGER,
  first_prompt TEXT,
  ends_with_prompt INTEGER NOT NULL DEFAULT 0,
  secrets INTEGER NOT NULL DEFAULT 0,
  revision INTEGER NOT NULL         -- grows with every change
);
CREATE INDEX IF NOT EXISTS sessions_by_unit ON sessions (unit);
CREATE TABLE IF NOT EXISTS turns (
  session INTEGER NOT NULL, turn INTEGER NOT NULL,
  anchor TEXT NOT NULL, started INTEGER, ended INTEGER,
  after INTEGER,                    -- hash of the record it follows
  prompt TEXT,                      -- the beginning of the prompt
  records BLOB NOT NULL,            -- of its records in order: hash and time, two float64; those of a reading that began it
  PRIMARY KEY (session, turn)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS chunks (
  session INTEGER NOT NULL, turn INTEGER NOT NULL, chunk INTEGER NOT NULL,
  first INTEGER NOT NULL,           -- index of its first part in the turn
  body BLOB NOT NULL,               -- a seal, then zstd of JSON: { parts, records }; empty where it is lost
  kept INTEGER NOT NULL,            -- bytes before compression
  PRIMARY KEY (session, turn, chunk)
);
CREATE TABLE IF NOT EXISTS records (
  hash INTEGER NOT NULL, session INTEGER NOT NULL, turn INTEGER NOT NULL,
  PRIMARY KEY (hash, session)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS shares (  -- sessions that hold records in common
  session INTEGER NOT NULL, other INTEGER NOT NULL,
  PRIMARY KEY (session, other)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sightings (
  session INTEGER NOT NULL, key TEXT NOT NULL,
  turn INTEGER NOT NULL, model TEXT, at INTEGER,
  input INTEGER, cache_read INTEGER, cache_write_5m INTEGER, cache_write_1h INTEGER,
  output INTEGER, reasoning INTEGER, web_searches INTEGER, context_window INTEGER, reported_cost REAL,
  PRIMARY KEY (session, key)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS limits (    -- what was used of the account's limits: percent, minutes, epoch ms
  session INTEGER NOT NULL, at INTEGER NOT NULL, plan TEXT,
  primary_used REAL, primary_window INTEGER, primary_resets INTEGER,
  secondary_used REAL, secondary_window INTEGER, secondary_resets INTEGER,
  PRIMARY KEY (session, at)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS spawns (  -- which turn started which sub-agent
  child TEXT NOT NULL, session INTEGER NOT NULL, turn INTEGER NOT NULL, call_id TEXT,
  PRIMARY KEY (child, session)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS summaries (
  leaf INTEGER NOT NULL, session INTEGER NOT NULL, text TEXT NOT NULL,
  PRIMARY KEY (leaf, session)
) WITHOUT ROWID;
${WITHHELD}${FOLDERS}${PLACES}${LATER_RECORDS}${SPENDING}${LISTINGS}${NOT_SHOWN}${COPIES}${SUMMED_TABLES.map(sumsOf).join('')}`;

/** Opens or makes an archive for its writer, brought up to date; one of a newer version stays as it is. @throws Damage */
export function openArchive(path: string): Database {
  return Database.forWriting(path, SCHEMA, ARCHIVE_VERSION, STEPS, FUNCTIONS);
}
