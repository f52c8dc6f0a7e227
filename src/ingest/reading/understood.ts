import { addCounts, type Counts, capped, failureCount } from '../../agents/bounds.ts';
import { whyUnread } from '../../agents/folders.ts';
import type { Failure, Source, Unit } from '../../agents/source.ts';
import { redactDeep } from '../../redact/redact.ts';
import type { ToolKind } from '../../transcript/index.ts';
import { keptFailures, keptPath } from './protect.ts';

/** What a source made of a unit. */
export interface Understood {
  readonly path: string;
  readonly layout: string;
  readonly sessions: number;
  readonly turns: number;
  readonly texts: number;
  readonly thoughts: number;
  readonly notices: number;
  readonly attachments: number;
  readonly toolCalls: Readonly<Partial<Record<ToolKind, number>>>;
  readonly results: number;
  /** Results that failed. */
  readonly errors: number;
  /** Requests to models whose cost is told. */
  readonly modelCalls: number;
  readonly records: number;
  readonly bytes: number;
  readonly tookMs: number;
  readonly unknownRecords: Counts;
  readonly notShown: Counts;
  readonly failed: readonly Failure[];
}

/**
 * Reads a unit with its source, keeps nothing, and tells what was understood, secrets hidden. Never throws: what stops it is
 * a failure.
 */
export async function understand(source: Source, unit: Unit): Promise<Understood> {
  const begun = performance.now();
  const sessions = new Set<string>();
  const parts = { text: 0, thinking: 0, notice: 0, attachment: 0 };
  const kinds = new Map<ToolKind, number>();
  const counts = { turns: 0, results: 0, errors: 0, modelCalls: 0, records: 0, bytes: 0 };
  let unknownRecords: Counts = {};
  let notShown: Counts = {};
  const failed: Failure[] = [];
  try {
    for await (const event of unit.format === 'listing' ? [] : source.read(unit)) {
      if (event.type !== 'checkpoint') sessions.add(event.session);
      if (event.type === 'turn') counts.turns++;
      else if (event.type === 'call') counts.modelCalls++;
      else if (event.type === 'result') {
        counts.results++;
        if (event.result.isError) counts.errors++;
      } else if (event.type === 'part') {
        const { part } = event;
        if (part.type === 'tool_call') kinds.set(part.kind, (kinds.get(part.kind) ?? 0) + 1);
        else parts[part.type]++;
      } else if (event.type === 'checkpoint') {
        const { tally } = event;
        counts.records += tally.records;
        counts.bytes += tally.bytes;
        unknownRecords = addCounts(unknownRecords, tally.unknown);
        notShown = addCounts(notShown, tally.notShown);
        failed.push(...tally.failures);
      }
    }
  } catch (error) {
    failed.push({ path: unit.path, reason: whyUnread(error) });
  }
  return redactDeep({
    path: keptPath(unit.path),
    layout: unit.layout,
    sessions: sessions.size,
    texts: parts.text,
    thoughts: parts.thinking,
    notices: parts.notice,
    attachments: parts.attachment,
    toolCalls: Object.fromEntries(kinds),
    ...counts,
    tookMs: performance.now() - begun,
    unknownRecords,
    notShown,
    failed: keptFailures(capped(failed)),
  }).value;
}

/** The sum of what was understood of several units. */
export function understoodOf(
  all: readonly Understood[],
): Omit<Understood, 'path' | 'layout'> & { readonly units: number } {
  const sum = (of: (one: Understood) => number) => all.reduce((total, one) => total + of(one), 0);
  return {
    units: all.length,
    sessions: sum((one) => one.sessions),
    turns: sum((one) => one.turns),
    texts: sum((one) => one.texts),
    thoughts: sum((one) => one.thoughts),
    notices: sum((one) => one.notices),
    attachments: sum((one) => one.attachments),
    toolCalls: all.reduce<Counts>((total, one) => addCounts(total, one.toolCalls as Counts), {}),
    results: sum((one) => one.results),
    errors: sum((one) => one.errors),
    modelCalls: sum((one) => one.modelCalls),
    records: sum((one) => one.records),
    bytes: sum((one) => one.bytes),
    tookMs: sum((one) => one.tookMs),
    unknownRecords: all.reduce<Counts>((total, one) => addCounts(total, one.unknownRecords), {}),
    notShown: all.reduce<Counts>((total, one) => addCounts(total, one.notShown), {}),
    failed: all.flatMap((one) => one.failed),
  };
}

/** How many failures of units there are. */
export const failuresIn = (all: readonly Understood[]) => failureCount(all.flatMap(({ failed }) => failed));
