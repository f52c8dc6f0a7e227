import type { SpawnSyncOptions } from 'node:child_process';

/** Programs that set the system's clipboard, by what shows that they are of use here. */
function programFor(variables: NodeJS.ProcessEnv, platform: NodeJS.Platform): readonly string[] | undefined {
  if (platform === 'darwin') return ['pbcopy'];
  if (platform === 'win32') return ['clip'];
  // Over SSH the clipboard is on the other machine: only the terminal can reach it.
  if (variables.SSH_TTY) return undefined;
  if (variables.WAYLAND_DISPLAY) return ['wl-copy'];
  if (variables.DISPLAY) return ['xclip', '-selection', 'clipboard'];
  return undefined;
}

/** Terminals drop a longer sequence, some of them silently (xterm, tmux). */
const LONGEST_SEQUENCE = 74_994;

/**
 * Copies a text: by the terminal itself (OSC 52), which also works over SSH, and by the system's program where there
 * is one. Gives what was done, in words.
 */
export function copyText(
  text: string,
  send: (sequence: string) => void,
  variables: NodeJS.ProcessEnv,
  platform = process.platform,
): 'copied' | 'sent' | 'too long' {
  const program = programFor(variables, platform);
  const isCopied = program !== undefined && runWith(program, text, variables);
  const sequence = Buffer.from(text).toString('base64');
  if (sequence.length > LONGEST_SEQUENCE) return isCopied ? 'copied' : 'too long';
  send(`\x1b]52;c;${sequence}\x07`);
  return isCopied ? 'copied' : 'sent';
}

function runWith([program, ...args]: readonly string[], text: string, env: NodeJS.ProcessEnv): boolean {
  const options: SpawnSyncOptions = { input: text, env, timeout: 1000, stdio: ['pipe', 'ignore', 'ignore'] };
  // Not imported: the picker would wait for it to open, and most who open it copy nothing.
  const { status } = process.getBuiltinModule('node:child_process').spawnSync(program!, args, options);
  return status === 0;
}
