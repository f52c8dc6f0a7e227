import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Survey, surveyClaude, transcriptPaths } from '../oracle/claude.ts';
import { copyOfHome, homeOf, type IndexReport, openProduct, type Product, SHARED, shared } from '../oracle/product.ts';

/** Every file of a history is read, or it is said why not; and what has not changed is not read again. */

const SOURCE = 'claude-code';
const SLOW = 300_000;

const unitsOf = (home: string) => {
  const history = join(home, '.claude', 'history.jsonl');
  return [...transcriptPaths(join(home, '.claude', 'projects')), ...(existsSync(history) ? [history] : [])];
};

const reportOf = (report: IndexReport) => {
  const source = report.sources[SOURCE];
  if (source === undefined) throw new Error(`the report has no ${SOURCE}`);
  return source;
};

for (const name of ['homes/claude', 'natural/cli', 'live/claude/home']) {
  describe.skipIf(SHARED === undefined)(`the files of ${name}`, () => {
    let product: Product;
    let survey: Survey;
    let first: IndexReport;
    let second: IndexReport;
    beforeAll(async () => {
      product = openProduct(copyOfHome(shared('corpus', name)));
      survey = surveyClaude(product.home);
      first = await product.index();
      second = await product.index();
    }, SLOW);
    afterAll(() => product?.remove());

    it('are all read, or listed with a reason', async () => {
      const report = reportOf(first);
      // None of these files has a line that is no JSON.
      expect(survey.transcripts.flatMap(({ broken }) => broken)).toEqual([]);
      expect(report.failed).toEqual([]);
      expect(report.units).toBe(unitsOf(product.home).length);
      expect(report.read).toBe(report.units);
      const paths = new Set((await product.sessions()).map((session) => session.path));
      const missing = survey.transcripts.filter(({ path }) => !paths.has(path));
      expect(missing.map(({ name: file }) => file)).toEqual([]);
    });

    it('are read whole, each byte once', () => {
      const bytes = unitsOf(product.home).reduce((sum, path) => sum + statSync(path).size, 0);
      // Sidecars and spilled outputs may be counted besides.
      expect(reportOf(first).bytes_read).toBeGreaterThanOrEqual(bytes);
      expect(reportOf(first).bytes_read).toBeLessThan(bytes * 1.1 + 2_000_000);
    });

    it('are not read again', () => {
      const { units, read, unchanged, bytes_read } = reportOf(second);
      expect({ read, bytes_read }).toEqual({ read: 0, bytes_read: 0 });
      expect(unchanged).toBe(units);
    });

    it('are listed by the record types that nobody knows, with their counts', () => {
      const counts: Record<string, number> = {};
      for (const { types } of survey.transcripts) {
        for (const [type, count] of Object.entries(types)) counts[type] = (counts[type] ?? 0) + count;
      }
      for (const [type, count] of Object.entries(reportOf(first).unknown_records)) {
        // A type may be listed with its subtype, `system:api_refusal`.
        if (counts[type] !== undefined) expect([type, count]).toEqual([type, counts[type]]);
        else expect(Object.keys(counts)).toContain(type.split(/[:/]/)[0]);
      }
      for (const type of ['user', 'assistant', 'system', 'attachment', 'summary', 'progress', 'queue-operation']) {
        expect(Object.keys(reportOf(first).unknown_records)).not.toContain(type);
      }
    });
  });
}

describe.skipIf(SHARED === undefined)('a format that has drifted', () => {
  it(
    'has its unknown records counted',
    async () => {
      const drift = shared('corpus', 'fixtures', 'agent-sessions', 'stage0', 'agents', 'claude', 'schema_drift.jsonl');
      const product = openProduct(homeOf({ '-fixture/0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f.jsonl': drift }));
      const { unknown_records: unknown, failed } = reportOf(await product.index());
      product.remove();
      expect(unknown).toMatchObject({ tool_use: 1, tool_result: 1 });
      expect(failed).toEqual([]);
    },
    SLOW,
  );
});

describe.skipIf(SHARED === undefined)('a collage of all shapes, with placeholders for ids and times', () => {
  it(
    'fails nothing',
    async () => {
      const small = shared('corpus', 'fixtures', 'agent-sessions', 'stage0', 'agents', 'claude', 'small.jsonl');
      const product = openProduct(homeOf({ '-fixture/0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f.jsonl': small }));
      const { failed, read, units } = reportOf(await product.index());
      const [session] = (await product.sessions()).filter((each) => each.parent === undefined);
      product.remove();
      expect(failed).toEqual([]);
      expect([read, units]).toEqual([1, 1]);
      expect(session?.title).toBe('Stage0 small fixture');
    },
    SLOW,
  );
});

describe('a transcript of our own', () => {
  const SESSION = '5f0c2f0e-7c1b-4c57-9d5e-0a4f6d1b2c3d';
  const record = (n: number, type: string, message: unknown) =>
    JSON.stringify({
      type,
      uuid: `00000000-0000-4000-8000-00000000000${n}`,
      parentUuid: n === 1 ? null : `00000000-0000-4000-8000-00000000000${n - 1}`,
      sessionId: SESSION,
      cwd: '/home/dev/projects/pier',
      version: '2.1.332',
      timestamp: `2026-11-21T10:00:0${n}.000Z`,
      message,
    });
  const prompt = (n: number, text: string) => record(n, 'user', { role: 'user', content: text });
  const answer = (n: number, text: string) =>
    record(n, 'assistant', {
      id: `msg_${n}`,
      role: 'assistant',
      model: 'claude-opus-5-5',
      content: [{ type: 'text', text }],
    });
  const fileOf = (product: Product) =>
    join(product.home, '.claude', 'projects', '-home-dev-projects-pier', `${SESSION}.jsonl`);
  const write = (product: Product, text: string) => {
    mkdirSync(dirname(fileOf(product)), { recursive: true });
    writeFileSync(fileOf(product), text);
  };
  const textsOf = async (product: Product) =>
    (await product.show(`${SOURCE}:${SESSION}`)).turns.flatMap((turn) =>
      turn.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
    );

  it('tells how often it met a type that nobody knows', async () => {
    const product = openProduct();
    const strange = JSON.stringify({ type: 'barnacle-count', sessionId: SESSION, count: 7 });
    write(
      product,
      `${[prompt(1, 'Count the barnacles.'), strange, strange, answer(2, 'Seven.'), strange].join('\n')}\n`,
    );
    expect(reportOf(await product.index()).unknown_records).toEqual({ 'barnacle-count': 3 });
    expect(await textsOf(product)).toEqual(['Count the barnacles.', 'Seven.']);
    product.remove();
  });

  it('is read over a line of garbage, which is listed by its number', async () => {
    const product = openProduct();
    write(product, `${prompt(1, 'Paint the pier.')}\n{"type":"user","mess\n${answer(2, 'Painted.')}\n`);
    const { failed } = reportOf(await product.index());
    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatchObject({ path: fileOf(product), line: 2 });
    expect(await textsOf(product)).toEqual(['Paint the pier.', 'Painted.']);
    product.remove();
  });

  it('is read where two records are glued on a line and no newline ends the file', async () => {
    const product = openProduct();
    write(product, `${prompt(1, 'Mend the rail.')}${answer(2, 'Mended.')}\n${prompt(3, 'And the lamp?')}`);
    expect(reportOf(await product.index()).failed).toEqual([]);
    expect(await textsOf(product)).toEqual(['Mend the rail.', 'Mended.', 'And the lamp?']);
    product.remove();
  });

  it('is read from where it was torn, once the rest of the line is there', async () => {
    const product = openProduct();
    const last = answer(2, 'Gefegt, bis auf die Möwe 🐦.');
    const bytes = Buffer.from(`${prompt(1, 'Sweep the pier.')}\n${last}\n`);
    // Torn inside a character of several bytes.
    const torn = bytes.indexOf(Buffer.from('ö')) + 1;
    write(product, '');
    appendFileSync(fileOf(product), bytes.subarray(0, torn));
    await product.index();
    expect(await textsOf(product)).toEqual(['Sweep the pier.']);
    appendFileSync(fileOf(product), bytes.subarray(torn));
    const { bytes_read } = reportOf(await product.index());
    expect(bytes_read).toBeLessThanOrEqual(Buffer.byteLength(last) + 1);
    expect(await textsOf(product)).toEqual(['Sweep the pier.', 'Gefegt, bis auf die Möwe 🐦.']);
    expect(readFileSync(fileOf(product))).toEqual(bytes);
    product.remove();
  });
});
