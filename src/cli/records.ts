import { existsSync, readFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { environmentOf } from '../agents/environment.ts';
import { sourceOf } from '../agents/registry.ts';
import type { Unit } from '../agents/source.ts';
import { placeOf } from '../archive/mask.ts';
import type { CatalogSession } from '../catalog/listed.ts';
import type { Stores } from '../holdings/stores.ts';
import { homeOf } from '../home/paths.ts';
import { listUnits } from '../ingest/changes/listing.ts';
import { toldOutputs } from '../ingest/reading/told.ts';
import { redactDeep, redactText } from '../redact/redact.ts';
import { turnsOf } from '../search/transcripts/transcript.ts';
import { printableJson } from '../transcript/index.ts';
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
  for (const turn of turnsOf(stores, session, { withParent: true, range })) {
    if (turn.superseded)
      throw new UserError(
        'gone',
        `The agent’s own file does not hold this turn any more: ${session.path}`,
        `What was kept of it: portolan show ${turn.id}`,
        EXIT.nothingSearched,
      );
    for (const part of turn.parts) {
      if (part.where.path === undefined) lines.add(part.where.line);
      if (part.type === 'tool_call' && part.outputWhere && part.outputWhere.path === undefined)
        lines.add(part.outputWhere.line);
    }
  }
  return { ...asked, lines };
}

/** Prints the agent's own records, each line through the redactor. @throws UserError where the file cannot be read */
export async function printRecords(context: Context, asked: Asked): Promise<number> {
  const { session, lines } = asked;
  const unit = await unitOf(context, asked);
  const source = sourceOf(session.source);
  const told = unit && source ? await toldOutputs(source, unit) : [];
  const all = (unit && source?.records?.(unit)) ?? contentAt(unit?.path ?? session.path, session).split('\n');
  const records = [...all].filter((line, i) => line !== '' && (!lines || lines.has(i + 1)));
  const clean = records.map((record) => cleanRecord(record, told));
  if (context.json) printJson(context, { session: session.key, records: clean });
  else for (const record of clean) print(context, printableJson(record));
  return records.length > 0 ? EXIT.ok : EXIT.nothingFound;
}

/** The file, where it is there: one in whose path something is hidden is known by the path's hash. */
async function unitOf(context: Context, { session, place }: Asked): Promise<Unit | undefined> {
  const source = sourceOf(session.source);
  if (!source) return undefined;
  const { units } = await listUnits(source, environmentOf(homeOf(context.variables), context.variables));
  return units.find(({ path }) => (place === undefined ? path === session.path : placeOf(path) === place));
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

/**
 * A record without its secrets and without what commands told: decoded, where it can be, since escapes hide what a secret
 * is; else as it stands.
 */
function cleanRecord(record: string, told: readonly string[]): string {
  let isTold = false;
  const withoutTold = (text: string) => {
    const clean = told.reduce((rest, secret) => rest.replaceAll(secret, '[SECRET]'), text);
    isTold ||= clean !== text;
    return clean;
  };
  let decoded = record;
  try {
    const { value, count } = redactDeep<unknown>(
      JSON.parse(record, (_, item) => (typeof item === 'string' ? withoutTold(item) : item)),
    );
    if (isTold || count > 0) decoded = JSON.stringify(value);
  } catch {
    // A line that is no JSON is a text like any other.
    decoded = withoutTold(record);
  }
  return redactText(decoded).text;
}
