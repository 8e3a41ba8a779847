package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
)

// commandLine returns the arguments of a program of this name: one that is called imb-mpi1, IMB-MPI1 and so on, such as
// by a link, is `beff imb mpi1`.
func commandLine(name string, args []string) []string {
	if rest, is := strings.CutPrefix(strings.ToLower(filepath.Base(name)), "imb-"); is {
		return append([]string{"imb", rest}, args...)
	}
	return args
}

// ownGrammar is a command whose words kong doesn't read.
type ownGrammar interface {
	take(words []string)
	// usage lists the options, or explains those of the names.
	usage(p *process.Process, node *kong.Node, names []string) error
}

// apart takes those words out of a command line that a grammar of its own is for: all but flags of the command, whose
// values are words of their own or follow an equals sign. It returns the command that they are for, nil if it is no
// other one.
func apart(app *kong.Application, line []string) (c ownGrammar, rest, words []string) {
	node := app.Node
	first := 0
	for ; first < len(line); first++ {
		i := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == line[first] })
		if i < 0 {
			break
		}
		node = node.Children[i]
	}
	c, is := node.Target.Addr().Interface().(ownGrammar)
	if !is {
		return nil, line, nil
	}
	rest = slices.Clone(line[:first])
	_, letters := c.(*mpiblibCommand) // its options are letters: flags have no short names there
	for i := first; i < len(line); i++ {
		name, _, joined := strings.Cut(line[i], "=")
		at := slices.IndexFunc(node.Flags, func(f *kong.Flag) bool {
			return name == "--"+f.Name || f.Short != 0 && !letters && line[i] == "-"+string(f.Short)
		})
		if at < 0 {
			words = append(words, line[i])
			continue
		}
		rest = append(rest, line[i])
		if i+1 < len(line) && !joined && !node.Flags[at].IsBool() {
			i++
			rest = append(rest, line[i])
		}
	}
	return c, rest, words
}
