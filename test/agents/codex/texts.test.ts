import { describe, expect, it } from 'vitest';
import { outputOf } from '../../../src/agents/codex/outputs.ts';
import { tellApart } from '../../../src/agents/codex/prompts.ts';
import { argumentsOf, commandLine, commandOf, nameOf, pathsOf } from '../../../src/agents/codex/tools.ts';

describe('a text under the user’s name', () => {
  it.each([
    '<skill>\nx</skill>',
    '<subagent_notification>x</subagent_notification>',
    '<codex_internal_context source="goal">x</codex_internal_context>',
  ])('is the program’s: %s', (said) => {
    expect(tellApart(said)).toEqual([{ as: 'notice', kind: 'system', text: said }]);
  });

  it.each(['Paint the pier.', '# A heading', '<div>what is this?</div>', '/compact', '<skills> are good'])(
    'is a prompt: %s',
    (said) => {
      expect(tellApart(said)).toEqual([{ as: 'prompt', text: said }]);
    },
  );

  it('is told apart from what an editor puts before it', () => {
    const context = '# Context from my IDE setup:\n\n## Open tabs:\n- a.ts';
    expect(tellApart(`${context}\n\n## My request for Codex:\nPaint.\n`)).toEqual([
      { as: 'notice', kind: 'system', text: context },
      { as: 'prompt', text: 'Paint.\n' },
    ]);
  });

  it('is nothing where it is blank', () => {
    expect(tellApart(' \n')).toEqual([]);
  });
});

describe('an output', () => {
  const of = (written: unknown) => {
    const { texts, exitCode, isError, images } = outputOf(written);
    return [texts.join('\n'), exitCode, isError, images.length];
  };

  it.each([
    ['Exit code: 1\nWall time: 0.4 seconds\nOutput:\nno\n', ['no\n', 1, true, 0]],
    ['Exit code: 0\nWall time: 0.4 seconds\nTotal output lines: 3\nOutput:\n\nyes', ['\nyes', 0, false, 0]],
    [
      'Chunk ID: a1\nWall time: 0.0 seconds\nProcess exited with code 2\nOriginal token count: 4\nOutput:\nno',
      ['no', 2, true, 0],
    ],
    [
      "Command: /bin/zsh -lc 'a\nb'\nChunk ID: a1\nWall time: 1.0 seconds\nProcess exited with code 0\nOutput:\nyes",
      ['yes', 0, false, 0],
    ],
    [
      'Chunk ID: a1\nWall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\nwait',
      ['wait', undefined, false, 0],
    ],
    ['Wall time: 3.1 seconds\nOutput:\n[1]', ['[1]', undefined, false, 0]],
    ['{"output":"no","metadata":{"exit_code":3,"duration_seconds":0.1}}', ['no', 3, true, 0]],
    ['[{"type":"text","text":"one"},{"type":"text","text":"two"}]', ['one\ntwo', undefined, false, 0]],
    ['[{"a":1}]', ['[{"a":1}]', undefined, false, 0]],
    ['{"answers":1}', ['{"answers":1}', undefined, false, 0]],
    ['exec command rejected by user', ['exec command rejected by user', undefined, true, 0]],
    ['Exit code is what I ask for', ['Exit code is what I ask for', undefined, false, 0]],
    [[{ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }], ['', undefined, false, 1]],
    [
      [{ type: 'input_text', text: 'Script failed\nWall time 0.1 seconds\nOutput:\nno' }],
      ['Script failed\nWall time 0.1 seconds\nOutput:\nno', undefined, true, 0],
    ],
    [{ content: 'no', success: false }, ['no', undefined, true, 0]],
    [undefined, ['', undefined, false, 0]],
  ])('is told apart from its header: %j', (written, expected) => {
    expect(of(written)).toEqual(expected);
  });
});

describe('a call', () => {
  it('has its arguments parsed where they are JSON', () => {
    expect(argumentsOf('{"cmd":"ls"}')).toEqual({ cmd: 'ls' });
    expect(argumentsOf('{"cmd":')).toBe('{"cmd":');
    expect(argumentsOf('*** Begin Patch')).toBe('*** Begin Patch');
    expect(argumentsOf(undefined)).toEqual({});
  });

  it('has the command that its shell runs', () => {
    expect(commandLine(['bash', '-lc', 'ls | wc'])).toBe('ls | wc');
    expect(commandLine(['powershell.exe', '-Command', 'dir'])).toBe('dir');
    expect(commandLine(['git', 'commit', '-m', "it's"])).toBe("git commit -m 'it'\\''s'");
    expect(commandOf('shell', { command: ['bash', '-lc', 'ls'] })).toBe('ls');
    expect(commandOf('shell', { cmd: 'ls' })).toBe('ls');
    expect(commandOf('edit', { command: 'ls' })).toBeUndefined();
  });

  it('has the paths of its patch, also where a shell applies it', () => {
    const patch =
      '*** Begin Patch\n*** Add File: a.txt\n+x\n*** Update File: /b.txt\n*** Move to: c.txt\n*** Delete File: d.txt\n*** End Patch';
    const expected = ['/w/a.txt', '/b.txt', '/w/c.txt', '/w/d.txt'];
    expect(pathsOf('apply_patch', patch, undefined, '/w')).toEqual(expected);
    expect(pathsOf('apply_patch', { input: patch }, undefined, '/w')).toEqual(expected);
    expect(pathsOf('shell', { workdir: '/w' }, `apply_patch <<'EOF'\n${patch}\nEOF`, '/x')).toEqual([
      ...expected,
      '/w',
    ]);
  });

  it('has the folder it ran in, where that is not the session’s', () => {
    expect(pathsOf('shell', { workdir: '/w/pier' }, 'ls', '/w')).toEqual(['/w/pier']);
    expect(pathsOf('shell', { workdir: 'pier' }, 'ls', '/w')).toEqual(['/w/pier']);
    expect(pathsOf('shell', { workdir: '/w' }, 'ls', '/w')).toEqual([]);
  });

  it('is called by its server’s name too', () => {
    expect(nameOf({ name: 'ask', namespace: 'mcp__tides' })).toBe('mcp__tides__ask');
    expect(nameOf({ name: 'spawn_agent', namespace: 'collaboration' })).toBe('spawn_agent');
  });
});
