import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { tokensOf } from '../../src/lexical/words/tokens.ts';
import { redactText } from '../../src/redact/redact.ts';
import type { Group } from '../group.ts';
import { formatMegabytes, formatMs, formatNumber, median, megabytesPerSecond } from '../measure.ts';
import { secretlint } from '../secretlint.ts';
import { limited, type Row, reached, told, unbuilt } from '../table.ts';
import { stringsOf } from '../transcripts.ts';
import type { Workshop } from '../workshop.ts';

const REDACTION_MB_S = 40;
const HOSTILE_MS = 1000;
const REPEATS = 3;
const MOST_BYTES = 40e6;
const SECRETLINT_BYTES = 8e6;

/** The median pass over all strings, in MB/s: one core, after a pass that warms up. */
function rateOf(strings: readonly string[], bytes: number, work: (text: string) => unknown): number {
  const pass = () => {
    const begin = performance.now();
    for (const text of strings) work(text);
    return performance.now() - begin;
  };
  pass();
  return megabytesPerSecond(bytes, median(Array.from({ length: REPEATS }, pass)));
}

interface Texts {
  readonly name: string;
  readonly strings: readonly string[];
  readonly bytes: number;
}

/** Decoded strings: of the generated history, and of real ones where they are here. */
async function textsOf(workshop: Workshop): Promise<Texts[]> {
  const homes = [
    { name: 'gen.mjs', path: (await workshop.generated()).home },
    { name: 'corpus/homes/claude', path: join(workshop.shared, 'corpus', 'homes', 'claude') },
  ];
  return homes
    .filter(({ path }) => existsSync(join(path, '.claude', 'projects')))
    .map(({ name, path }) => ({ name, ...stringsOf(path, MOST_BYTES) }));
}

/** The hostile text that takes longest. */
async function worstHostile(workshop: Workshop): Promise<{ readonly name: string; readonly ms: number }> {
  const url = pathToFileURL(join(workshop.shared, 'redaction', 'hostile.mjs')).href;
  const { hostile } = (await import(url)) as { hostile(length?: number): Record<string, string> };
  const times = Object.entries(hostile(1_000_000)).map(([name, text]) => {
    const begin = performance.now();
    redactText(text);
    return { name, ms: performance.now() - begin };
  });
  return times.reduce((worst, one) => (one.ms > worst.ms ? one : worst));
}

/** secretlint's recommended rules on the beginning of the same strings: each call of theirs is a promise. */
async function besideSecretlint(name: string, strings: readonly string[]): Promise<Row> {
  const some: string[] = [];
  let bytes = 0;
  for (const text of strings) {
    if (bytes >= SECRETLINT_BYTES) break;
    some.push(text);
    bytes += Buffer.byteLength(text);
  }
  for (const text of some.slice(0, 200)) await secretlint(text);
  const begin = performance.now();
  for (const text of some) await secretlint(text);
  const rate = megabytesPerSecond(bytes, performance.now() - begin);
  return told({
    what: 'redaction: secretlint',
    measured: `${formatNumber(rate)} MB/s`,
    on: `the first ${formatMegabytes(bytes)} of ${name}, its recommended rules, which only find`,
    figures: { rate },
  });
}

export const redactionGroup: Group = {
  id: 'redaction',
  async measure(workshop): Promise<Row[]> {
    workshop.say('redaction');
    const rows: Row[] = [];
    for (const { name, strings, bytes } of await textsOf(workshop)) {
      const rate = rateOf(strings, bytes, redactText);
      const row = {
        what: 'redaction',
        goal: '40 MB/s a core',
        measured: `${formatNumber(rate)} MB/s`,
        on: `decoded strings of ${name}, ${formatMegabytes(bytes)}, median of ${REPEATS}`,
        figures: { rate },
      };
      rows.push(reached(row, rate, REDACTION_MB_S));
      rows.push(await besideSecretlint(name, strings));
    }
    const worst = await worstHostile(workshop);
    rows.push(
      limited(
        {
          what: 'redaction of 1 MB of hostile input',
          goal: 'under 1 s',
          measured: formatMs(worst.ms),
          on: `the worst of hostile.mjs: ${worst.name}`,
          figures: { ms: worst.ms },
        },
        worst.ms,
        HOSTILE_MS,
      ),
    );
    return rows;
  },
};

export const tokensGroup: Group = {
  id: 'tokens',
  async measure(workshop): Promise<Row[]> {
    workshop.say('tokeniser');
    return (await textsOf(workshop)).map(({ name, strings, bytes }) => {
      const rate = rateOf(strings, bytes, tokensOf);
      return told({
        what: 'tokeniser',
        measured: `${formatNumber(rate)} MB/s`,
        on: `the same strings of ${name}`,
        figures: { rate },
      });
    });
  },
};

/** Rows of the table that nothing stands behind yet. */
export const unbuiltGroup: Group = {
  id: 'unbuilt',
  async measure(): Promise<Row[]> {
    return [unbuilt('hook', 'node -e 0 + 25 ms, never fails the agent')];
  },
};
