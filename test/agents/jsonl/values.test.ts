import { describe, expect, it } from 'vitest';
import { valuesOf } from '../../../src/agents/jsonl/values.ts';

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
    ['blanks alone', '  \t', [], false],
    ['a byte order mark before a record', '\u{feff}{"a":1}', [{ a: 1 }], false],
  ])('%s', (_, line, values, torn) => {
    expect(valuesOf(line)).toEqual({ values, torn });
  });

  it('are found in time that grows with the line alone', () => {
    const started = performance.now();
    expect(valuesOf('{"a":1}'.repeat(100_000)).values).toHaveLength(100_000);
    expect(valuesOf('{'.repeat(1_000_000))).toEqual({ values: [], torn: true });
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
