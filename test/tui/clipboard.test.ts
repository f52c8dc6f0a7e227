import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyText } from '../../src/tui/clipboard.ts';
import { temporaryFolder, writeAt } from '../support/folders.ts';

/** A machine with a clipboard program that writes down what it is given; with another exit code it fails. */
function machine(program: string, variables: NodeJS.ProcessEnv, code = 0) {
  const folder = temporaryFolder();
  const copied = join(folder, 'copied');
  chmodSync(writeAt(join(folder, program), `#!/bin/sh\n/bin/cat >"${copied}"\nexit ${code}\n`), 0o755);
  return { env: { PATH: folder, ...variables }, copied: () => readFileSync(copied, 'utf8') };
}

const OSC = `\x1b]52;c;${Buffer.from('a “tide”').toString('base64')}\x07`;

describe('copying', () => {
  it.each([
    ['xclip', { DISPLAY: ':0' }, 'linux'],
    ['wl-copy', { WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' }, 'linux'],
    ['pbcopy', {}, 'darwin'],
  ] as const)('goes to %s and to the terminal', (program, variables, platform) => {
    const { env, copied } = machine(program, variables);
    const sent: string[] = [];
    expect(copyText('a “tide”', (sequence) => sent.push(sequence), env, platform)).toBe('copied');
    expect(copied()).toBe('a “tide”');
    expect(sent).toEqual([OSC]);
  });

  it.each([
    ['there is no display', {}],
    ['the display is that of another machine', { DISPLAY: ':0', SSH_TTY: '/dev/pts/1' }],
  ])('goes to the terminal alone where %s', (_, variables) => {
    const { env } = machine('xclip', variables);
    const sent: string[] = [];
    expect(copyText('a “tide”', (sequence) => sent.push(sequence), env, 'linux')).toBe('sent');
    expect(sent).toEqual([OSC]);
  });

  it('does not say that it was copied where the program fails', () => {
    const { env } = machine('xclip', { DISPLAY: ':0' }, 1);
    expect(copyText('x', () => {}, env, 'linux')).toBe('sent');
  });

  it('sends nothing that a terminal would drop', () => {
    const sent: string[] = [];
    expect(copyText('x'.repeat(100_000), (sequence) => sent.push(sequence), {}, 'linux')).toBe('too long');
    expect(sent).toEqual([]);
  });
});
