import { describe, expect, it } from 'vitest';
import type { Fields } from '../../../src/agents/fields.ts';
import { recordsBehind } from '../../../src/agents/jsonl/resuming.ts';
import { valuesOf } from '../../../src/agents/jsonl/values.ts';

/** A shape for tests: records have a name, parts of records have none. */
const isRecord = (object: Fields) => typeof object.name === 'string';

describe('the values on a line', () => {
  it.each<[string, string, unknown[], boolean]>([
    ['one record', '{"a":1}', [{ a: 1 }], false],
    ['two records glued', '{"a":1}{"b":2}', [{ a: 1 }, { b: 2 }], false],
    ['three, blanks between', '{"a":1} {"b":2}\t{"c":3}', [{ a: 1 }, { b: 2 }, { c: 3 }], false],
    ['braces inside strings', '{"a":"}{"}{"b":"\\"}{"}', [{ a: '}{' }, { b: '"}{' }], false],
    ['an escaped backslash at the end of a string', '{"a":"\\\\"}{"b":2}', [{ a: '\\' }, { b: 2 }], false],
    ['objects in objects', '{"a":{"b":[{}]}}{"c":[]}', [{ a: { b: [{}] } }, { c: [] }], false],
    ['a torn record', '{"a":1,"b":"tor', [], true],
    ['a record and a torn one', '{"a":1}{"b":"tor', [{ a: 1 }], true],
    ['what is no JSON at all', 'hello', [], true],
    ['a closing brace too many', '{"a":1}}', [{ a: 1 }], true],
    ['a record that is no JSON, glued to one that is', '{a:1}{"b":2}', [{ b: 2 }], true],
    ['garbage between two records', '{"a":1}xyz{"b":2}', [{ a: 1 }, { b: 2 }], true],
    ['garbage after a record', '{"a":1} xyz', [{ a: 1 }], true],
    ['a string before a record', '"xyz" {"a":1}', [{ a: 1 }], true],
    ['blanks alone', '  \t', [], false],
    ['a byte order mark before a record', '\u{feff}{"a":1}', [{ a: 1 }], false],
  ])('%s', (_, line, values, torn) => {
    expect(valuesOf(line)).toEqual({ values, torn });
  });
});

describe('a record behind a piece of another one', () => {
  const whole = JSON.stringify({ name: 'é }{ " \\ \u0000', list: [{ a: '{"' }, '\\"'], deep: { deeper: {} } });
  const other = JSON.stringify({ name: 'other', text: 'what {"name":"x"} looks like', parts: [{ kind: 'text' }] });

  it('is found wherever the piece was cut off', () => {
    for (let cut = 1; cut < other.length; cut++)
      expect(valuesOf(other.slice(0, cut) + whole, isRecord), `cut at ${cut}`).toEqual({
        values: [JSON.parse(whole)],
        torn: true,
      });
  });

  it('is found wherever the piece begins', () => {
    for (let cut = 1; cut < other.length; cut++)
      expect(valuesOf(other.slice(cut) + whole, isRecord).values.at(-1), `from ${cut}`).toEqual(JSON.parse(whole));
  });

  it('is found between other records and pieces', () => {
    const line = `${whole}${other.slice(0, 30)}${whole}${whole}${other.slice(0, 25)}${whole}`;
    expect(valuesOf(line, isRecord).values).toEqual(Array(4).fill(JSON.parse(whole)));
    expect(valuesOf(`${other.slice(0, 30)}${whole}${other.slice(0, 25)}`, isRecord).values).toHaveLength(1);
    expect(valuesOf(`${other.slice(0, 30)}${whole}${other.slice(0, 25)}${whole}`, isRecord).values).toHaveLength(2);
  });

  it('is no part of the torn one', () => {
    const nested = '{"name":"torn","message":{"role":"user","content":"x"}';
    expect(valuesOf(nested, isRecord)).toEqual({ values: [], torn: true });
    const asked: [string, boolean][] = [];
    valuesOf(`{"a":{"b":1}`, (object, isValue) => asked.push([JSON.stringify(object), isValue]) < 0);
    valuesOf(`{"a":"b{"b":1}`, (object, isValue) => asked.push([JSON.stringify(object), isValue]) < 0);
    expect(asked).toEqual([
      ['{"b":1}', true],
      ['{"b":1}', false],
    ]);
  });
});

describe('a line made to be slow', () => {
  it.each<[string, string]>([
    ['records glued', '{"name":"a"}'.repeat(100_000)],
    ['openings', '{'.repeat(1_000_000)],
    ['closings', '}'.repeat(1_000_000)],
    ['ends that open strings', '}{"'.repeat(400_000)],
    ['ends and beginnings', `{"a":"${'}{'.repeat(500_000)}`],
    ['backslashes', `{"a":${'\\'.repeat(1_000_001)}"}{"}`],
    ['backslashes before quotes', `{"a":"${'\\\\\\"}{'.repeat(200_000)}`],
    ['lists in lists', `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}`],
  ])('%s', (_, line) => {
    let looks = 0;
    const counting = {
      length: line.length,
      charCodeAt(at: number) {
        looks++;
        return line.charCodeAt(at);
      },
      slice: (from: number, to: number) => line.slice(from, to),
      lastIndexOf: (what: string, at?: number) => line.lastIndexOf(what, at),
    };
    // Counted where the work is: whole lines are read by the same code.
    recordsBehind(counting as unknown as string, 0, isRecord);
    expect(looks).toBeLessThan(line.length * 20);
    expect(valuesOf(line, isRecord).values.length).toBe(line.startsWith('{"name"') ? 100_000 : 0);
  });
});
