/**
 * The tables of the index. All segments share them: a table each would make every reader parse the whole schema again
 * after each append. A segment's rows lie together, so that it is dropped as a range.
 */
export const LEXICAL_SCHEMA = `
CREATE TABLE IF NOT EXISTS lexical_segments (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- never given again: readers remember segments by it
  state INTEGER NOT NULL,           -- see SegmentState
  first INTEGER NOT NULL, last INTEGER NOT NULL, -- the passages lie between
  documents INTEGER NOT NULL,       -- passages that are still here
  dead INTEGER NOT NULL,            -- passages that were removed since it was made
  length INTEGER NOT NULL,          -- of those still here, in words
  terms INTEGER NOT NULL,
  postings INTEGER NOT NULL, positions INTEGER NOT NULL, -- bytes
  target INTEGER,                   -- the segment that is being made of this one
  done BLOB                         -- the last term of those that are made already
);
CREATE TABLE IF NOT EXISTS lexical_terms (
  segment INTEGER NOT NULL, first BLOB NOT NULL, leaf BLOB NOT NULL, -- see leaf.ts
  PRIMARY KEY (segment, first)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS lexical_rows (id INTEGER PRIMARY KEY, data BLOB NOT NULL);    -- see streams.ts
CREATE TABLE IF NOT EXISTS lexical_lengths (id INTEGER PRIMARY KEY, codes BLOB NOT NULL); -- see lengths.ts
CREATE TABLE IF NOT EXISTS lexical_sessions (segment INTEGER PRIMARY KEY, runs BLOB NOT NULL); -- see sessions.ts
`;

export const SegmentState = { making: 0, used: 1, dropped: 2 } as const;

export interface SegmentRow {
  readonly id: number;
  readonly first: number;
  readonly last: number;
  readonly documents: number;
  readonly dead: number;
  readonly length: number;
  readonly terms: number;
  readonly postings: number;
  readonly positions: number;
}
