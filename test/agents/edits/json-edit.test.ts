import { describe, expect, it } from 'vitest';
import { jsonMember, removeJsonMember, setJsonMember } from '../../../src/agents/edits/json-edit.ts';

const VALUE = '{"type":"stdio","args":["a b","}"]}';
const set = (text: string, value = VALUE) => setJsonMember(text, 'mcpServers', 'portolan', value);

/** The edited text. */
function textOf(edit: ReturnType<typeof set>): string {
  if (!edit.ok) throw new Error(edit.reason);
  return edit.text;
}

const FILES: readonly (readonly [what: string, text: string])[] = [
  ['empty object', '{}'],
  ['empty object with space', ' {\n} \n'],
  ['compact', '{"a":1.0,"b":[1,2,{"mcpServers":{}}]}'],
  ['indented by two', '{\n  "a": 1e400,\n  "b": "\\u00e9 \\" }"\n}\n'],
  ['indented by tabs, CRLF', '{\r\n\t"a": true,\r\n\t"mcpServers": {\r\n\t\t"x": {"command":"y"}\r\n\t}\r\n}\r\n'],
  ['empty servers', '{\n  "mcpServers": {},\n  "z": null\n}'],
  ['servers with space', '{"mcpServers" : { } , "z":-0}'],
  [
    'other servers',
    '{"mcpServers":{"a":{"command":"x","env":{"portolan":"no"}},"b":{}},"numStartups":12345678901234567890}',
  ],
  ['a key in escapes', '{"mcp\\u0053ervers":{"other":{}}}'],
  ['keys that stand twice', '{"mcpServers":{"first":{}},"mcpServers":{"second":{}}}'],
  ['a byte order mark', '\uFEFF{\n    "a": 1\n}'],
  ['projects with servers of their own', '{"projects":{"/x":{"mcpServers":{"portolan":{"command":"theirs"}}}}}'],
];

describe.each(FILES)('%s', (_, text) => {
  it('gets the entry, and nothing else changes', () => {
    const edited = textOf(set(text));
    const plain = (json: string) => JSON.parse(json.replace(/^\uFEFF/, ''));
    const before = plain(text);
    expect(plain(edited)).toEqual({
      ...before,
      mcpServers: { ...before.mcpServers, portolan: JSON.parse(VALUE) },
    });
    expect(jsonMember(edited, 'mcpServers', 'portolan')).toBe(VALUE);
    // What was there is there still, in its own spelling: the entry was put in at one place.
    let same = 0;
    while (text[same] === edited[same] && same < text.length) same++;
    expect(edited.endsWith(text.slice(same))).toBe(true);
  });

  it('is as it was when the entry is taken out', () => {
    const hadServers =
      jsonMember(text, 'mcpServers', 'x') !== undefined ||
      /mcp(S|\\u0053)ervers" ?:/.test(text.replace(/.*projects.*|"b":\[.*\]/, ''));
    expect(removeJsonMember(textOf(set(text)), 'mcpServers', 'portolan', !hadServers)).toEqual({ ok: true, text });
  });

  it('is set once', () => {
    const once = textOf(set(text));
    expect(set(once)).toEqual({ ok: true, text: once });
    expect(set(textOf(set(text, '{"old":[1,{}]}')))).toEqual({ ok: true, text: once });
  });
});

it.each([
  ['', 'not valid JSON'],
  ['{"a":1,}', 'not valid JSON'],
  ['// comment\n{}', 'not valid JSON'],
  ['[]', 'no JSON object'],
  ['null', 'no JSON object'],
  ['{"mcpServers":[]}', 'not an object'],
  ['{"mcpServers":null}', 'not an object'],
])('%j is refused', (text, reason) => {
  expect(set(text)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
});

it('takes the entry out from between others', () => {
  const text = '{"mcpServers":{ "a":1, "portolan" : {"x":[]} , "b":2}}';
  expect(removeJsonMember(text, 'mcpServers', 'portolan', true)).toEqual({
    ok: true,
    text: '{"mcpServers":{ "a":1 , "b":2}}',
  });
  expect(removeJsonMember('{"mcpServers":{"portolan":{}, "b":2}}', 'mcpServers', 'portolan', true)).toEqual({
    ok: true,
    text: '{"mcpServers":{"b":2}}',
  });
});
