import { type Command, EXIT, UserError } from './command.ts';
import { type Candidate, candidatesFor } from './completing.ts';
import { print } from './output.ts';

export const completions: Command = {
  name: 'completions',
  worksOnRuins: true,
  summary: 'completions and a key for your shell: bash, zsh, fish, powershell',
  help: `Usage: portolan completions <bash|zsh|fish|powershell>

Prints what makes the Tab key complete commands, options, sessions, projects
and queries, and Alt-R open the picker with what stands on the command line.
To turn it on, in the file that your shell reads at its start:

  bash         source <(portolan completions bash)
  zsh          source <(portolan completions zsh)         (after compinit)
  fish         portolan completions fish | source
  powershell   portolan completions powershell | Out-String | Invoke-Expression`,
  async run(context) {
    const [shell, ...words] = context.args.filter((arg) => arg !== '--json');
    if (shell === ASKING) {
      // From a shell's script: `-- portolan word …`, the last one being typed.
      for (const one of await candidatesFor(context, words.slice(2))) print(context, lineOf(one));
      return EXIT.ok;
    }
    const script = SCRIPTS.get(shell ?? '');
    if (script === undefined)
      throw new UserError(
        'no_shell',
        shell === undefined ? 'For which shell?' : `There are no completions for “${shell}”.`,
        `One of: ${[...SCRIPTS.keys()].join(', ')}.`,
      );
    print(context, script);
    return EXIT.ok;
  },
};

/** What the scripts ask us with. */
const ASKING = 'candidates';

function lineOf({ text, about }: Candidate): string {
  return about === undefined ? text : `${text}\t${about}`;
}

const SCRIPTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bash: `# bash completion for portolan
_portolan() {
  local current line before
  # A colon parts words here, and stands in ids and filters: the word is taken from the line itself.
  line="\${COMP_LINE:0:COMP_POINT}"
  current="\${line##*[[:space:]]}"
  before="\${line%"$current"}"
  local -a words
  read -ra words <<< "$before"
  COMPREPLY=()
  local candidate
  while IFS= read -r candidate; do
    COMPREPLY+=("\${candidate%%$'\\t'*}")
  done < <(portolan completions ${ASKING} -- "\${words[@]}" "$current" 2>/dev/null)
  # What stands before the last colon is on the line already.
  if [[ "$current" == *:* && "$COMP_WORDBREAKS" == *:* ]]; then
    local prefix="\${current%"\${current##*:}"}"
    local i
    for i in "\${!COMPREPLY[@]}"; do COMPREPLY[i]="\${COMPREPLY[i]#"$prefix"}"; done
  fi
  [[ "\${#COMPREPLY[@]}" -eq 1 && "\${COMPREPLY[0]}" == *: ]] && compopt -o nospace
}
complete -F _portolan portolan

# Alt-R: the picker, with what stands on the line.
_portolan_pick() { portolan -- "$READLINE_LINE" < /dev/tty; }
[[ $- == *i* ]] && bind -x '"\\er": _portolan_pick'`,
    zsh: `#compdef portolan
_portolan() {
  local -a values abouts
  local candidate
  while IFS= read -r candidate; do
    values+=("\${candidate%%$'\\t'*}")
    abouts+=("\${candidate/$'\\t'/  }")
  done < <(portolan completions ${ASKING} -- "\${words[@]:0:$CURRENT}" 2>/dev/null)
  (( \${#values} )) || return 1
  local -a open=(\${(M)values:#*:})
  if (( \${#open} == \${#values} )); then
    compadd -Q -S '' -l -d abouts -a values
  else
    compadd -Q -l -d abouts -a values
  fi
}
compdef _portolan portolan

# Alt-R: the picker, with what stands on the line.
_portolan_pick() {
  portolan -- "$BUFFER" < /dev/tty
  zle reset-prompt
}
if [[ -o interactive ]]; then
  zle -N _portolan_pick
  bindkey '\\er' _portolan_pick
fi`,
    fish: `# fish completion for portolan
function __portolan_candidates
  portolan completions ${ASKING} -- (commandline -opc) (commandline -ct) 2>/dev/null
end
complete -c portolan -f -a '(__portolan_candidates)'

# Alt-R: the picker, with what stands on the line.
function __portolan_pick
  portolan -- (commandline | string collect)
  commandline -f repaint
end
status is-interactive; and bind \\er __portolan_pick`,
    powershell: `# PowerShell completion for portolan
Register-ArgumentCompleter -Native -CommandName portolan -ScriptBlock {
  param($word, $line, $cursor)
  $words = @($line.CommandElements | ForEach-Object { $_.ToString() })
  if ($word -eq '') { $words += '' }
  portolan completions ${ASKING} '--' @words 2>$null | ForEach-Object {
    $text, $about = $_ -split "\`t", 2
    if (-not $about) { $about = $text }
    [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $about)
  }
}

# Alt-R: the picker, with what stands on the line.
if (Get-Module PSReadLine) {
  Set-PSReadLineKeyHandler -Chord Alt+r -ScriptBlock {
    $line = $null
    $cursor = $null
    [Microsoft.PowerShell.PSConsoleReadLine]::GetBufferState([ref]$line, [ref]$cursor)
    portolan '--' $line
    [Microsoft.PowerShell.PSConsoleReadLine]::InvokePrompt()
  }
}`,
  }),
);
