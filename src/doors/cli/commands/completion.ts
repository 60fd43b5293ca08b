import type { Command } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { usageError } from '../parse-options.ts'

/** `toolcrib completion`: a script that asks `toolcrib complete` for candidates. */
export const completionCommand: Command = {
  summary: 'Print a completion script for your shell.',
  usage: ['completion bash|zsh|fish|powershell'],
  options: {},
  maxWords: 1,
  firstWord: ['bash', 'zsh', 'fish', 'powershell'],
  examples: [
    "echo 'source <(toolcrib completion bash)' >> ~/.bashrc",
    'toolcrib completion zsh > "${fpath[1]}/_toolcrib"',
    'toolcrib completion powershell >> $PROFILE',
    'toolcrib completion fish > ~/.config/fish/completions/toolcrib.fish',
  ],
  async run({ screen, words }) {
    const shell = words[0] ?? ''
    const script = Object.hasOwn(scripts, shell)
      ? scripts[shell as keyof typeof scripts]
      : undefined
    if (script === undefined) {
      throw usageError(
        'completion needs to know your shell.',
        'Write toolcrib completion bash, zsh, fish or powershell.',
      )
    }
    if (screen.isJson) screen.json({ shell, script })
    else screen.write(script)
    return exit.ok
  },
}

const scripts = {
  bash: String.raw`# toolcrib completion for bash; works with the bash 3.2 of macOS too
_toolcrib() {
  local line=${'${COMP_LINE:0:COMP_POINT}'} words last head candidate
  read -ra words <<< "$line"
  [[ $line == *' ' ]] && words+=('')
  last=${'${words[${#words[@]}-1]}'}
  # bash breaks words at : and =, so a candidate must not repeat the text before the last of them
  head=${'${last%"${last##*[:=]}"}'}
  COMPREPLY=()
  while IFS= read -r candidate; do
    COMPREPLY+=("${'${candidate#"$head"}'}")
  done < <(toolcrib complete -- "${'${words[@]:1}'}" 2>/dev/null)
}
complete -o default -F _toolcrib toolcrib
`,
  zsh: String.raw`#compdef toolcrib
_toolcrib() {
  local -a candidates
  candidates=("${'${(@f)$(toolcrib complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}'}")
  if (( ${'${#candidates}'} && ${'${#candidates[1]}'} )); then
    compadd -- "${'${candidates[@]}'}"
  else
    _files
  fi
}
compdef _toolcrib toolcrib
`,
  fish: String.raw`# toolcrib completion for fish
function __toolcrib_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l candidates (toolcrib complete -- $words[2..-1] 2>/dev/null)
    if test (count $candidates) -gt 0
        printf '%s\n' $candidates
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c toolcrib -f -a '(__toolcrib_complete)'
`,
  powershell: String.raw`# toolcrib completion for PowerShell
Register-ArgumentCompleter -Native -CommandName toolcrib -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
    if ($wordToComplete -eq '') { $words += '""' }
    toolcrib complete -- @words 2>$null | ForEach-Object {
        [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
    }
}
`,
} as const
