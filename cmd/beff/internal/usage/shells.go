package usage

import (
	"fmt"
	"strings"
)

// Command is the command that the scripts call, with the words after the program's name.
const Command = "complete-words"

// Shells lists the shells that have a script.
var Shells = []string{"bash", "zsh", "fish"}

// Script returns the completion script of a shell.
func Script(shell string) (string, error) {
	script, ok := scripts[shell]
	if !ok {
		return "", fmt.Errorf("no completion for %q: want %s", shell, strings.Join(Shells, ", "))
	}
	return strings.ReplaceAll(script, "COMMAND", Command), nil
}

// scripts call the program on the line itself, so that one in another place completes its own commands. If it returns
// no word, the shell completes files.
var scripts = map[string]string{
	"bash": `# bash completion for beff
_beff() {
	local IFS=$'\n'
	COMPREPLY=($(compgen -W "$("$1" COMMAND "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)" -- "$2"))
}
complete -o default -o bashdefault -F _beff beff
`,
	"zsh": `#compdef beff
# zsh completion for beff
_beff() {
	local -a lines
	lines=(${(f)"$($words[1] COMMAND "${(@)words[2,CURRENT]}" 2>/dev/null)"})
	if (( $#lines == 0 )); then
		_files
		return
	fi
	lines=("${(@)lines//:/\\:}")
	lines=("${(@)lines/$'\t'/:}")
	_describe beff lines
}
if [ "$funcstack[1]" = _beff ]; then _beff "$@"; else compdef _beff beff; fi
`,
	"fish": `# fish completion for beff
function __beff_words
	set -l words (commandline -opc) (commandline -ct)
	$words[1] COMMAND $words[2..-1] 2>/dev/null
end
function __beff_has_words
	set -l words (__beff_words)
	test (count $words) -gt 0
end
complete -c beff -n __beff_has_words -f -a '(__beff_words)'
`,
}
