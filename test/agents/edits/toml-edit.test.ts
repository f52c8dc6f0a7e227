import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { removeTomlTable, setTomlTable, tomlString, tomlTable } from '../../../src/agents/edits/toml-edit.ts';

const VALUES = { command: '"/bin/node"', args: '["mcp.mjs"]', env: '{ A = "b" }' };
const set = (text: string, values: Readonly<Record<string, string>> = VALUES) =>
  setTomlTable(text, 'mcp_servers', 'portolan', values);
const remove = (text: string) => removeTomlTable(text, 'mcp_servers', 'portolan');

function textOf(edit: ReturnType<typeof set>): string {
  if (!edit.ok) throw new Error(edit.reason);
  return edit.text;
}

const HARD = `# [mcp_servers.portolan] in a comment
model = "gpt-5.5" # trailing
"quoted key" = 'it''s'
prompt = """
[mcp_servers.portolan]
command = "in a text" \\"""
""two quotes before the end"""""
literal = '''
[mcp_servers.portolan]
'''
list = [ # comment ]
  "a]", 'b[',
  [1, 2], { x = "}" },
]
a.b."c.d".portolan = 1
date = 1979-05-27 07:32:00Z

[projects."/home/dev/[mcp_servers.portolan]"]
trust_level = "trusted"

[[profiles]]
name = "x"

[mcp_servers.portolan_other]
command = "theirs"
[mcp_servers."portolan.x"]
command = "theirs too"
`.replace("'it''s'", "'it'");

const FILES: readonly (readonly [what: string, text: string])[] = [
  ['empty', ''],
  ['comments', '# nothing\n'],
  ['tables', '[a]\nb = 1\n\n[mcp_servers.other]\ncommand = "x"\n'],
  ['CRLF', '[a]\r\nb = 1\r\n'],
  ['dotted keys', 'mcp_servers.other.command = "x"\n'],
  ['hard', HARD],
  ['empty lines at the end', 'a = 1\n\n\n'],
];

describe.each(FILES)('%s', (_, text) => {
  it('gets the table at its end', () => {
    const edited = textOf(set(text));
    expect(edited.startsWith(text)).toBe(true);
    const added = edited.slice(text.length).replaceAll('\r', '');
    expect(added).toMatch(/^\n?# Written by .*\n\[mcp_servers\.portolan\]\ncommand = .*\nargs = .*\nenv = .*\n$/);
  });

  it('is as it was when the table is taken out', () => {
    expect(remove(textOf(set(text)))).toEqual({ ok: true, text });
  });

  it('gets it once, and new values in its place', () => {
    const once = textOf(set(text));
    expect(set(once)).toEqual({ ok: true, text: once });
    const more = `${once}\n[mcp_servers.portolan.tools.read_turn]\napproval_mode = "approve"\n\n[later]\nx = 1\n`;
    const newer = textOf(set(more, { ...VALUES, command: '"/newer"' }));
    expect(newer).toBe(more.replace('"/bin/node"', '"/newer"'));
    expect(textOf(remove(newer))).toBe(`${text}\n[later]\nx = 1\n`);
  });
});

it.each([
  ['[mcp_servers.portolan]\ncommand = "old"\n\n[mcp_servers.portolan.env]\nA = "old"\nB = "c"\n\n[later]\nx = 1\n'],
  ['[mcp_servers.portolan.env]\nA = "old"\n[mcp_servers.portolan]\ncommand = "old"\n[later]\nx = 1\n'],
  ['[mcp_servers.portolan]\ncommand = "old"\n[mcp_servers.portolan."env".deep]\nA = "old"\n[later]\nx = 1\n'],
  ['[mcp_servers.portolan]\nargs.x = 1\nenv.A = "old"\ncommand = "old"\n[later]\nx = 1'],
])('replaces a value that is written as a table of its own: %j', (text) => {
  expect(parse(textOf(set(text)))).toEqual({
    mcp_servers: { portolan: { command: '/bin/node', args: ['mcp.mjs'], env: { A: 'b' } } },
    later: { x: 1 },
  });
  expect(parse(textOf(remove(text)))).toEqual({ later: { x: 1 } });
});

it('is read by a TOML parser with all else as it was, in every one of these files', () => {
  for (const [, text] of FILES) {
    const { mcp_servers, ...rest } = parse(text.replace('a.b."c.d".portolan = 1', '')) as Record<string, object>;
    const edited = parse(textOf(set(text.replace('a.b."c.d".portolan = 1', '')))) as Record<string, object>;
    expect(edited).toEqual({
      ...rest,
      mcp_servers: { ...mcp_servers, portolan: { command: '/bin/node', args: ['mcp.mjs'], env: { A: 'b' } } },
    });
  }
});

it('ends a last line that has no end', () => {
  expect(textOf(set('a = 1'))).toMatch(/^a = 1\n\n# Written/);
});

it('keeps other keys of the table', () => {
  const text =
    '[mcp_servers.portolan]\ncommand = "old" # mine\nenv.A = "x"\nenv.B = "y"\nstartup_timeout_sec = 60\n[z]\n';
  expect(textOf(set(text))).toBe(
    '[mcp_servers.portolan]\nargs = ["mcp.mjs"]\ncommand = "/bin/node" # mine\nenv = { A = "b" }\nstartup_timeout_sec = 60\n[z]\n',
  );
});

it.each([
  '[mcp_servers."portolan"]\ncommand = "x"\n',
  "[ mcp_servers . 'portolan' ]\ncommand = 'x'\n",
  '[mcp_servers]\nportolan = { command = "x" }\nother = { command = "y" }\n',
  '[mcp_servers]\nportolan.command = "x"\nportolan.args = []\n',
  'mcp_servers.portolan.command = "x"\n',
  '["mcp_servers"."\\u0070ortolan"]\ncommand = "x"\n',
])('sees the table in the spelling %j', (text) => {
  expect(tomlTable(text, 'mcp_servers', 'portolan')).toBeDefined();
  const edited = textOf(set(text));
  expect(edited).toContain('/bin/node');
  expect(edited).not.toMatch(/"x"|'x'/);
  expect(textOf(remove(text))).not.toMatch(/"x"|'x'/);
});

it.each([
  ['mcp_servers = { a = { command = "x" } }\n', 'no table can be added to it'],
  ['a = "open\n', 'line 1'],
  ['a = 1\nb = """\nopen', 'line 2'],
  ['a = [1,\n', 'line 1'],
  ['a = 1 b = 2 \n [c\n', 'valid TOML'],
  ['just words\n', 'line 1'],
  ['{"json": true}', 'line 1'],
  ['a =\n', 'line 1'],
])('%j is refused', (text, reason) => {
  expect(set(text)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
});

it('writes strings that TOML reads', () => {
  expect(tomlString('C:\\Users\\x "y"\n\u007f')).toBe('"C:\\\\Users\\\\x \\"y\\"\\n\\u007F"');
});
