import { isRaw, oneLine } from './safe.ts';

/** Whose rules a printed command follows: bash, zsh and fish read a word alike where it is quoted as here. */
export type Shell = 'posix' | 'powershell';

/** A command, and the folder to run it in. */
export interface FolderCommand {
  readonly argv: readonly string[];
  readonly cwd?: string;
}

/** The shell in which a command would be pasted: PowerShell tells its children where its modules lie. */
export function shellOf(variables: NodeJS.ProcessEnv, platform = process.platform): Shell {
  if (platform === 'win32') return variables.SHELL || variables.MSYSTEM ? 'posix' : 'powershell';
  return variables.PSModulePath === undefined ? 'posix' : 'powershell';
}

/** The command as one line for a shell, in its folder. What a terminal might obey is not in it. */
export function commandLine({ argv, cwd }: FolderCommand, shell: Shell): string {
  const command = argv.map((word) => shellWord(word, shell)).join(' ');
  if (cwd === undefined) return startOf(argv[0] ?? '', shell) + command;
  const folder = shellWord(cwd, shell);
  return shell === 'powershell'
    ? `Set-Location -LiteralPath ${folder}; if ($?) { ${startOf(argv[0] ?? '', shell)}${command} }`
    : `cd ${cwd.startsWith('-') ? '-- ' : ''}${folder} && ${command}`;
}

/** Whether a command can be printed as it is: a folder whose name holds controls is another once they are taken out. */
export function isPrintable({ argv, cwd }: FolderCommand): boolean {
  return ![...argv, cwd ?? ''].some((word) => isRaw(word));
}

/** A word as the shell takes it whole, on one line, without controls and changes of direction. */
export function shellWord(word: string, shell: Shell = 'posix'): string {
  const clean = isRaw(word) ? oneLine(word) : word;
  return shell === 'powershell' ? powershellWord(clean) : posixWord(clean);
}

/** In fish a backslash in quotes may mean something, in bash and zsh it does not: so it stands outside, escaped. */
function posixWord(word: string): string {
  if (/^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word)) return word;
  const pieces = word.split(/(['\\])/).filter((piece) => piece !== '');
  return pieces.map((piece) => (piece === "'" || piece === '\\' ? `\\${piece}` : `'${piece}'`)).join('') || "''";
}

/** PowerShell ends a quoted word at a curly quote too. */
function powershellWord(word: string): string {
  return /^[A-Za-z0-9_./\\:-]+$/.test(word) && !word.startsWith('-')
    ? word
    : /^--?[A-Za-z][A-Za-z-]*$/.test(word)
      ? word
      : `'${word.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
}

/** A program whose name is quoted is a text, not a command, until it is called. */
function startOf(program: string, shell: Shell): string {
  return shell === 'powershell' && powershellWord(program).startsWith("'") ? '& ' : '';
}
