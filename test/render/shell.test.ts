import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine, isPrintable, shellOf, shellWord } from '../../src/render/shell.ts';
import { temporaryFolder } from '../support/folders.ts';

/** Words that a shell would take apart, or obey. */
const HOSTILE = [
  "it's",
  `say "hello"`,
  '$(touch pwned)',
  '`touch pwned`',
  'a; touch pwned',
  'a && b || c | d > e < f &',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: for a shell
  '$HOME ${HOME} $env:HOME',
  '*.ts ?[a-z] {a,b}',
  '~/x',
  '=ls',
  '#no comment',
  '!history !!',
  '%1 ^x',
  "back\\slash \\' \\\\ \\n end\\",
  'trailing\\',
  '',
  ' ',
  '-rf',
  '--',
  '‘curly’ ‚quotes‛',
  'Zeichen äöü 路径 🚢',
];
const CLEAN_LINES = [
  ['\u001b[31mred\u001b[0m', 'red'],
  ['one\ntwo\r\nthree', 'one two three'],
  ['a\u202eb', 'a<U+202E>b'],
] as const;

/** A shell that runs a line, if it is installed. */
const SHELLS = [
  { shell: 'posix', program: 'bash', args: ['--norc', '-c'] },
  { shell: 'posix', program: 'sh', args: ['-c'] },
  { shell: 'posix', program: 'zsh', args: ['-f', '-c'] },
  { shell: 'posix', program: 'fish', args: ['--no-config', '-c'] },
  { shell: 'powershell', program: 'pwsh', args: ['-NoProfile', '-NonInteractive', '-Command'] },
] as const;

describe.each(SHELLS)('in $program', ({ shell, program, args }) => {
  const isThere = spawnSync(program, ['-c', 'exit 0'], { timeout: 20_000 }).error === undefined;
  const echo = ['node', '-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--'];

  it.skipIf(!isThere)('every word of a command arrives as it is, in its folder', () => {
    const cwd = join(temporaryFolder(), `-a $(b) 'c' \\d "e"`);
    mkdirSync(cwd);
    const line = commandLine({ argv: [process.execPath, ...echo.slice(1), ...HOSTILE], cwd }, shell);
    const ran = spawnSync(program, [...args, `${line}; pwd`], { encoding: 'utf8', timeout: 20_000 });
    expect(ran.stderr).toBe('');
    const [told, folder] = ran.stdout.trimEnd().split('\n');
    expect(JSON.parse(told!)).toEqual(HOSTILE);
    expect(folder).toBe(cwd);
  });
});

describe('a printed command', () => {
  it.each(CLEAN_LINES)('has no control in it: %j', (word, clean) => {
    for (const shell of ['posix', 'powershell'] as const) expect(shellWord(word, shell)).toContain(clean);
    expect(isPrintable({ argv: ['claude', word] })).toBe(false);
    expect(isPrintable({ argv: ['claude'], cwd: `/tmp/${word}` })).toBe(false);
    expect(isPrintable({ argv: ['claude', '--resume'], cwd: '/tmp/it’s' })).toBe(true);
  });

  it('is one that PowerShell understands, where that is the shell', () => {
    const command = { argv: ['claude', '--resume', '5e95', "it's"], cwd: 'C:\\Users\\A B\\x' };
    expect(commandLine(command, 'powershell')).toBe(
      "Set-Location -LiteralPath 'C:\\Users\\A B\\x'; if ($?) { claude --resume 5e95 'it''s' }",
    );
    expect(commandLine({ argv: ['C:\\Program Files\\x.exe', 'a'] }, 'powershell')).toBe(
      "& 'C:\\Program Files\\x.exe' a",
    );
  });

  it('is for the shell in use', () => {
    expect(shellOf({ SHELL: '/bin/zsh' }, 'linux')).toBe('posix');
    expect(shellOf({ SHELL: '/bin/bash', PSModulePath: '/opt/x' }, 'linux')).toBe('powershell');
    expect(shellOf({ PSModulePath: 'C:\\x' }, 'win32')).toBe('powershell');
    expect(shellOf({ MSYSTEM: 'MINGW64' }, 'win32')).toBe('posix');
  });
});
