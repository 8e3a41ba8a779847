// Package usage generates from the model of the command line how it is used: the pages of the manual, in Markdown, and
// the words that may follow on a line, with the scripts by which shells ask for them. So nothing is written down twice,
// and a new command is explained and completed.
package usage

import (
	"cmp"
	"fmt"
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
		for _, p := range node.Positional {
			list = append(list, plain(p.EnumSlice())...)
		}
		list = append(list, plain(values(node))...)
	}
	return beginning(list, typed)
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
	for _, c := range node.Children {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// valueOf returns the flag that a word names if its value is the next word, and nil otherwise.
func valueOf(node *kong.Node, word string) *kong.Flag {
	for _, f := range all(node) {
		short := f.Short != 0 && word == "-"+string(f.Short)
		if (short || word == "--"+f.Name) && !f.IsBool() && !f.IsCounter() {
			return f
		}
	}
	return nil
}

// all returns the flags that a command accepts: its own, its parents', and its default command's.
func all(node *kong.Node) (list []*kong.Flag) {
	node = cmp.Or(node.DefaultCmd, node)
	for _, level := range node.AllFlags(true) {
		list = append(list, level...)
	}
	return list
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

func plain(words []string) (list []Candidate) {
	for _, w := range words {
		if w != "" {
			list = append(list, Candidate{Word: w})
		}
	}
	return list
}

// beginning returns the candidates that begin with the typed text.
func beginning(list []Candidate, typed string) []Candidate {
	return lists.Where(list, func(c Candidate) bool { return strings.HasPrefix(c.Word, typed) })
}

// String returns the candidate for the scripts: the word, a tab, and its help.
func (c Candidate) String() string {
	help, _, _ := strings.Cut(c.Help, "\n")
	if help == "" {
		return c.Word
	}
	return fmt.Sprintf("%s\t%s", c.Word, help)
}
