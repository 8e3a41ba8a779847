// Package usage generates from the model of the command line how it is used: the pages of the manual, in Markdown, and
// the words that may follow on a line, with the scripts by which shells ask for them. So nothing is written down twice,
// and a new command is explained and completed.
package usage

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/internal/lists"
)

// Candidate is a word that may follow, with a line that explains it, which may be empty.
type Candidate struct {
	Word, Help string
}

// Values returns the words that a flag accepts as its value, or a command (a *kong.Node) as its arguments, if the model
// doesn't have them.
type Values func(of kong.Visitable) []string

// Words returns the candidates for the last of the words after the program's name, which may be empty. No candidates
// means that files may follow.
func Words(app *kong.Application, words []string, values Values) []Candidate {
	if len(words) == 0 {
		words = []string{""}
	}
	typed := words[len(words)-1]
	node, flag, inside := walk(app.Node, words[:len(words)-1])
	var list []Candidate
	switch {
	case flag != nil:
		list = plain(append(flag.EnumSlice(), values(flag)...))
	case strings.HasPrefix(typed, "-") && !node.Passthrough:
		list = append(flags(node), plain(values(node))...)
	default:
		if !inside {
			list = commands(node)
		}
		node = cmp.Or(node.DefaultCmd, node)
		list = append(list, plain(lists.Flat(node.Positional, (*kong.Positional).EnumSlice))...)
		list = append(list, plain(values(node))...)
	}
	return lists.Where(list, func(c Candidate) bool { return strings.HasPrefix(c.Word, typed) })
}

// walk follows words from the root to the command that they name. It returns the flag that needs a value next, or nil,
// and whether an argument of the command was given.
func walk(root *kong.Node, words []string) (node *kong.Node, waiting *kong.Flag, inside bool) {
	node = root
	for _, word := range words {
		switch {
		case waiting != nil:
			waiting = nil
		case node.Passthrough:
			inside = true
		case strings.HasPrefix(word, "-"):
			waiting = valueOf(node, word)
		default:
			next := child(node, word)
			if next == nil {
				inside = true
				node = cmp.Or(node.DefaultCmd, node)
				continue
			}
			node = next
		}
	}
	return node, waiting, inside
}

// child returns the command with a name below another one, nil if there is none.
func child(node *kong.Node, name string) *kong.Node {
	return lists.First(node.Children, func(c *kong.Node) bool { return c.Name == name })
}

// valueOf returns the flag that a word names if its value is the next word, and nil otherwise.
func valueOf(node *kong.Node, word string) *kong.Flag {
	return lists.First(all(node), func(f *kong.Flag) bool {
		short := f.Short != 0 && word == "-"+string(f.Short)
		return (short || word == "--"+f.Name) && !f.IsBool() && !f.IsCounter()
	})
}

// all returns the flags that a command accepts: its own, its parents', and its default command's.
func all(node *kong.Node) []*kong.Flag {
	return slices.Concat(cmp.Or(node.DefaultCmd, node).AllFlags(true)...)
}

func flags(node *kong.Node) []Candidate {
	return lists.Each(all(node), func(f *kong.Flag) Candidate { return Candidate{"--" + f.Name, f.Help} })
}

func commands(node *kong.Node) (list []Candidate) {
	for _, c := range node.Children {
		if !c.Hidden && c != node.DefaultCmd {
			list = append(list, Candidate{c.Name, c.Help})
		}
	}
	return list
}

func plain(words []string) []Candidate {
	return lists.Each(lists.Filled(words), func(w string) Candidate { return Candidate{Word: w} })
}

// String returns the candidate for the scripts: the word, a tab, and its help.
func (c Candidate) String() string {
	help, _, _ := strings.Cut(c.Help, "\n")
	if help == "" {
		return c.Word
	}
	return fmt.Sprintf("%s\t%s", c.Word, help)
}

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

// scripts call the program that the line names, so that a program in another place completes its own commands. If it
// returns no word, the shell completes files.
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
