import { existsSync, readFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { environmentOf } from '../agents/environment.ts';
import { sourceOf } from '../agents/registry.ts';
import { placeOf } from '../archive/mask.ts';
import type { CatalogSession } from '../catalog/listed.ts';
import type { Stores } from '../holdings/stores.ts';
import { homeOf } from '../home/paths.ts';
import { listUnits } from '../ingest/changes/listing.ts';
import { redactDeep, redactText } from '../redact/redact.ts';
import { turnsOf } from '../search/transcripts/transcript.ts';
import { type Context, EXIT, UserError } from './command.ts';
import { print, printJson } from './output.ts';

/** Which records of an agent's file are asked for. */
interface Asked {
  readonly session: CatalogSession;
  /** The hash of the file's path, where a part of that is hidden. */
  readonly place?: number;
  /** Lines of the file, from 1; all where there are none. */
  readonly lines?: ReadonlySet<number>;
}

/** The records that some turns of a session stand in. */
export function recordsAsked(
  stores: Stores,
  session: CatalogSession,
  range: readonly [number, number] | undefined,
): Asked {
  const unit = stores.archive.session(session.id)?.unit;
  const place = unit === undefined ? undefined : stores.archive.placeOf(unit);
  const asked = { session, ...(place !== undefined && { place }) };
  if (!range) return asked;
  const lines = new Set<number>();
  for (const turn of turnsOf(stores, session, { withParent: true, range }))
    for (const part of turn.parts) {
      lines.add(part.where.line);
      if (part.type === 'tool_call' && part.outputWhere && part.outputWhere.path === undefined)
        lines.add(part.outputWhere.line);
    }
  return { ...asked, lines };
}

/** Prints the agent's own records, each line through the redactor. @throws UserError where the file cannot be read */
export async function printRecords(context: Context, asked: Asked): Promise<number> {
  const { session, lines } = asked;
  const content = contentAt(await pathOf(context, asked), session);
  const records = content.split('\n').filter((line, i) => line !== '' && (!lines || lines.has(i + 1)));
  const clean = records.map(cleanRecord);
  if (context.json) printJson(context, { session: session.key, records: clean });
  else for (const record of clean) print(context, record);
  return records.length > 0 ? EXIT.ok : EXIT.nothingFound;
}

/** Where the file lies. A path in which something is hidden is looked for among those that are there. */
async function pathOf(context: Context, { session, place }: Asked): Promise<string> {
  const source = sourceOf(session.source);
  if (place === undefined || !source) return session.path;
  const { units } = await listUnits(source, environmentOf(homeOf(context.variables), context.variables));
  return units.find((unit) => placeOf(unit.path) === place)?.path ?? session.path;
}

function contentAt(path: string, session: CatalogSession): string {
  try {
    // A unit keeps its name when its agent compresses it.
    const packed = `${path}.zst`;
    const isPacked = !existsSync(path) && existsSync(packed);
    return (isPacked ? zstdDecompressSync(readFileSync(packed)) : readFileSync(path)).toString('utf8');
  } catch (error) {
    const { code = 'damaged' } = error as NodeJS.ErrnoException;
    throw new UserError(
      'gone',
      code === 'ENOENT'
        ? `The agent’s own file is gone: ${session.path}`
        : `The agent’s own file cannot be read (${code}): ${session.path}`,
      `What was kept of it: portolan show ${session.key}`,
      EXIT.nothingSearched,
    );
  }
}

/** A record without its secrets: decoded, where it can be, since escapes hide what a secret is; else as it stands. */
function cleanRecord(record: string): string {
  let decoded = record;
  try {
    const { value, count } = redactDeep<unknown>(JSON.parse(record));
    if (count > 0) decoded = JSON.stringify(value);
  } catch {
    // A line that is no JSON is a text like any other.
  }
  return redactText(decoded).text;
}
