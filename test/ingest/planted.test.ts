import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ingest } from '../../src/ingest/run.ts';
import { SHARED, shared } from '../oracle/product.ts';
import { Maker } from '../redact/make.ts';
import { filesBelow, temporaryFolder, writeAt } from '../support/folders.ts';
import { Portolan } from '../support/portolan.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

const MARKER = 'q7zk2vx9w4hj';
const maker = new Maker(77);
/** A key of GitHub's form with a marker at its end, which no letter's case changes. */
const secretAt = (place: number) => `gh${'p'}_${maker.text(18)}x${String(place).padStart(5, '0')}${MARKER}`;

/** The places of strings in a record: the same for all records of a kind. */
function* placesIn(value: Json, path: readonly (string | number)[] = []): Generator<readonly (string | number)[]> {
  if (typeof value === 'string') yield path;
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [...path, '+'];
  for (const [key, item] of Object.entries(value))
    yield* placesIn(item, [...path, Array.isArray(value) ? Number(key) : key]);
}

/** A copy of a record with a secret at one place: behind a string, inside one that is JSON, as a member of its own. */
function planted(value: Json, [step, ...rest]: readonly (string | number)[], secret: string): Json {
  if (step === undefined) return behind(String(value), secret);
  if (step === '+') return { ...(value as { readonly [key: string]: Json }), [secret]: 1 };
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? planted(item, rest, secret) : item));
  return Object.fromEntries(
    Object.entries(value as { readonly [key: string]: Json }).map(([key, item]) => [
      key,
      key === step ? planted(item, rest, secret) : item,
    ]),
  );
}

function behind(text: string, secret: string): string {
  if (/^\{.*\}$/s.test(text)) return text.replace(/\}$/, `${text.length > 2 ? ',' : ''}"planted":"${secret}"}`);
  return /\s/.test(text) ? `${text} ${secret}` : `${text}-${secret}`;
}

/** Recorded sessions, each followed by copies of its records: one for each place of a string that no record before had. */
class Planter {
  /** Each place by the number in its secret. */
  readonly places: string[] = [];
  private readonly seen = new Set<string>();

  /** The lines of a session with the copies behind them. */
  linesOf(file: string): string[] {
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
    const copies = lines.flatMap((line) => {
      const record: Json = JSON.parse(line);
      const kind = kindOf(record);
      return [...placesIn(record)].flatMap((place) => {
        const name = `${kind} ${place.map((step) => (typeof step === 'number' ? '[]' : step)).join('.')}`;
        if (this.seen.has(name)) return [];
        this.seen.add(name);
        const number = this.places.push(name) - 1;
        return [JSON.stringify(planted(renamed(record, number), place, secretAt(number)))];
      });
    });
    return [...lines, ...copies];
  }
}

/** A record under another id: one that is known already is not read again. */
function renamed(record: Json, number: number): Json {
  const { uuid, payload, ...rest } = record as Record<string, Json>;
  const id = (text: Json) => `${String(text).slice(0, -5)}${String(number).padStart(5, '0')}`;
  return {
    ...(uuid !== undefined && { uuid: id(uuid) }),
    ...(payload !== undefined && { payload: inner(payload) }),
    ...rest,
  };

  function inner(value: Json): Json {
    const { id: own, ...others } = value as Record<string, Json>;
    return own === undefined || others.cwd !== undefined ? value : { id: id(own), ...others };
  }
}

function kindOf(record: Json): string {
  const { type, payload, subtype, attachment } = record as Record<string, Json>;
  const inner = (payload ?? attachment ?? {}) as Record<string, Json>;
  return [type, subtype, inner.type].join('/');
}

/** All that a database holds: every value of every row, unpacked where it is compressed. */
function* valuesOf(path: string): Generator<string> {
  const db = new DatabaseSync(path, { readOnly: true });
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  for (const { name } of tables)
    for (const row of db.prepare(`SELECT * FROM "${String(name)}"`).all())
      for (const value of Object.values(row)) {
        if (typeof value === 'string') yield value;
        if (value instanceof Uint8Array) yield* bytesOf(Buffer.from(value));
      }
  db.close();
}

const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

function* bytesOf(bytes: Buffer): Generator<string> {
  yield bytes.toString('latin1');
  const at = bytes.indexOf(ZSTD);
  if (at >= 0) yield zstdDecompressSync(bytes.subarray(at)).toString('utf8');
}

/** Indexes recorded sessions with secrets in them; the places whose secrets are left in what is kept, and how many are hidden there. */
async function kept(from: string, to: string) {
  const home = temporaryFolder();
  const planter = new Planter();
  const folder = shared('corpus', 'live', from);
  for (const path of filesBelow(folder).filter((each) => each.endsWith('.jsonl')))
    writeAt(join(home, to, relative(folder, path)), `${planter.linesOf(path).join('\n')}\n`);
  const portolan = new Portolan({ home, platform: 'linux', variables: {}, projects: [] });
  await portolan.write((stores) => ingest(stores, portolan.env));
  const left = new Set<string>();
  const look = (text: string) => {
    for (const [, number] of text.matchAll(new RegExp(`(\\d{5})?${MARKER}`, 'gi')))
      left.add(planter.places[Number(number)] ?? text);
  };
  for (const path of filesBelow(portolan.home.path)) {
    look(readFileSync(path, 'latin1'));
    if (path.endsWith('.db')) for (const text of valuesOf(path)) look(text);
  }
  const content = JSON.stringify(portolan.content());
  look(content);
  return { left: [...left], hidden: content.split('[GH_TOKEN]').length - 1, places: planter.places.length };
}

describe.skipIf(SHARED === undefined)('a secret in every string of recorded sessions', () => {
  it('of Claude Code is nowhere in what is kept', async () => {
    const { left, hidden, places } = await kept('claude/home/.claude/projects', '.claude/projects');
    expect(left).toEqual([]);
    expect(places).toBeGreaterThan(600);
    expect(hidden).toBeGreaterThan(50);
  });

  it('of Codex is nowhere in what is kept', async () => {
    const { left, hidden, places } = await kept('codex/home/.codex/sessions', '.codex/sessions');
    expect(left).toEqual([]);
    expect(places).toBeGreaterThan(300);
    expect(hidden).toBeGreaterThan(50);
  });
});
