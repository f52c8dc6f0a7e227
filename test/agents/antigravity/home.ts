import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import type { Environment } from '../../../src/agents/source.ts';
import { ingest } from '../../../src/ingest/run.ts';
import { temporaryFolder, writeAt } from '../../support/folders.ts';
import { Portolan } from '../../support/portolan.ts';
import { type Fields, message } from './messages.ts';

const SCHEMA = `
PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
CREATE TABLE trajectory_meta (trajectory_id text, cascade_id text, trajectory_type integer, source integer, PRIMARY KEY (trajectory_id));
CREATE TABLE steps (idx integer, step_type integer NOT NULL DEFAULT 0, status integer NOT NULL DEFAULT 0, has_subtrajectory numeric,
  metadata blob, error_details blob, permissions blob, task_details blob, render_info blob, step_payload blob, step_format integer, PRIMARY KEY (idx));
CREATE TABLE gen_metadata (idx integer, data blob, size integer NOT NULL DEFAULT 0, PRIMARY KEY (idx));
CREATE TABLE parent_references (idx integer, data blob, PRIMARY KEY (idx));
CREATE TABLE trajectory_metadata_blob (id text DEFAULT "main", data blob, PRIMARY KEY (id));`;

export const START = Date.parse('2026-11-20T09:00:00Z') / 1000;
export const ID = '0f0e0d0c-0b0a-4908-8706-050403020100';
export const OTHER = '1f0e0d0c-0b0a-4908-8706-050403020100';

/** A home in which Antigravity's programs write, in our own words. */
export class Home {
  readonly home = temporaryFolder();
  readonly env: Environment = { home: this.home, platform: 'linux', variables: {}, projects: [] };
  readonly portolan = new Portolan(this.env);

  path(...below: readonly string[]): string {
    return join(this.home, '.gemini', ...below);
  }

  write(content: string | Uint8Array, ...below: readonly string[]): string {
    return writeAt(this.path(...below), content);
  }

  log(program: string, id: string, ...records: readonly object[]): string {
    const lines = records.map((record, step_index) => `${JSON.stringify({ step_index, status: 'DONE', ...record })}\n`);
    return this.write(lines.join(''), program, 'brain', id, '.system_generated', 'logs', 'transcript_full.jsonl');
  }

  database(program = 'antigravity', id = ID): Conversation {
    return new Conversation(this.path(program, 'conversations'), id);
  }

  index() {
    return this.portolan.write(async (stores) => (await ingest(stores, this.env)).antigravity!);
  }
}

/** A conversation's database that its program has open. */
export class Conversation {
  readonly database: DatabaseSync;
  private readonly id: string;
  private steps = 0;

  constructor(folder: string, id: string) {
    this.id = id;
    mkdirSync(folder, { recursive: true });
    this.database = new DatabaseSync(join(folder, `${id}.db`));
    this.database.exec(SCHEMA);
    this.put('trajectory_metadata_blob', 'id', 'main', { 7: 'file:///quay', 2: { 1: START } });
    onTestFinished(() => {
      if (this.database.isOpen) this.database.close();
    });
  }

  /** Writes a step, or writes it anew. */
  step(type: number, fields: Fields, { index = this.steps, status = 3, metadata = {} }: Written = {}): this {
    this.steps = index + 1;
    const about = { 1: { 1: START + index }, 20: { 2: index, 4: this.id }, ...metadata };
    this.database
      .prepare('INSERT OR REPLACE INTO steps (idx, step_type, status, step_payload) VALUES (?, ?, ?, ?)')
      .run(index, type, status, message({ 1: type, 4: status, 5: about, ...fields }));
    return this;
  }

  prompt(words: string, written?: Written): this {
    return this.step(14, { 19: { 2: words } }, written);
  }

  answer(words: string, ...calls: readonly Fields[]): this {
    return this.step(15, { 20: { 1: words, 8: words, 7: calls } });
  }

  request(index: number, data: Fields): this {
    this.put('gen_metadata', 'idx', index, data);
    return this;
  }

  private put(table: string, key: string, value: string | number, data: Fields): void {
    this.database.prepare(`INSERT INTO ${table} (${key}, data) VALUES (?, ?)`).run(value, message(data));
  }
}

interface Written {
  readonly index?: number;
  readonly status?: number;
  readonly metadata?: Fields;
}
