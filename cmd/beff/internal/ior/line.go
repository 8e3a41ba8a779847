package ior

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/ior"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// Parse reads the arguments of IOR: letters may follow each other behind one dash, and a value may stand behind its
// letter or be the next word; long names stand behind one or two dashes, with their value behind an equals sign.
func Parse(args []string) (*Line, error) {
	l := &Line{nodes: 1, table: Options, Settings: ior.Settings{API: ior.POSIX, Transfer: 256 << 10,
		Block: 1 << 20, Segments: 1, Repetitions: 1, File: "testFile"}}
	for len(args) > 0 {
		word := args[0]
		args = args[1:]
		var err error
		switch {
		case strings.HasPrefix(word, "--"):
			args, err = l.long(word[2:], args)
		case strings.HasPrefix(word, "-") && len(word) > 1:
			args, err = l.letters(word[1:], args)
		default:
			err = fmt.Errorf("unexpected word %q", word)
		}
		if err != nil {
			return nil, err
		}
	}
	if !l.phases {
		l.Write, l.Read = true, true
	}
	if (l.Random || l.Scattered) && l.Seed == 0 {
		l.Seed = 1
	}
	return l, nil
}

// Reordered returns a line that shifts readers by one node. Nobody has given it.
func Reordered() *Line { return &Line{nodes: 1, reorder: true} }

// ShiftBy sets the processes by which readers are shifted: as many as the nodes of -Q have, if processes are placed by
// blocks, or one for each node if they are placed in turn.
func (l *Line) ShiftBy(processes int, layout *job.Layout) {
	if !l.reorder {
		return
	}
	l.ShiftNodes = int(l.nodes)
	if processes < 2 {
		return
	}
	by := l.nodes
	if list := layout.Ranks; len(list) > 0 && (len(list) == 1 || len(list[0]) < 2 || list[0][1] == 1) {
		by *= int64(len(list[0]))
	}
	l.Settings.Shift = int(by % int64(processes))
	switch {
	case l.Settings.Shift > 0 || l.nodes == 0:
	case l.table == nil:
		l.Notices = append(l.Notices, "all processes are on one node, so each reads what it has written itself")
	default:
		l.Notices = append(l.Notices, fmt.Sprintf("-C -Q %d: that is as many processes as there are, so each reads "+
			"what it has written itself", l.nodes))
	}
}

// long reads an option by its name.
func (l *Line) long(word string, rest []string) ([]string, error) {
	name, value, joined := strings.Cut(word, "=")
	for i := range Options {
		if o := &Options[i]; o.Long == name {
			if o.Value != "" && !joined {
				if len(rest) == 0 {
					return nil, fmt.Errorf("--%s wants a value", name)
				}
				value, rest = rest[0], rest[1:]
			}
			return rest, l.take(o, "--"+name, value)
		}
	}
	return nil, fmt.Errorf("unknown option --%s", name)
}

// letters reads options by their letters.
func (l *Line) letters(letters string, rest []string) ([]string, error) {
	for letters != "" {
		var o *Option
		for i := range Options {
			if Options[i].Short == letters[:1] {
				o = &Options[i]
			}
		}
		if o == nil {
			return nil, fmt.Errorf("unknown option -%s", letters[:1])
		}
		value := ""
		letters = letters[1:]
		switch {
		case o.Value == "":
		case letters != "":
			value, letters = strings.TrimPrefix(letters, "="), ""
		case len(rest) == 0:
			return nil, fmt.Errorf("-%s wants a value", o.Short)
		default:
			value, rest = rest[0], rest[1:]
		}
		if err := l.take(o, "-"+o.Short, value); err != nil {
			return nil, err
		}
	}
	return rest, nil
}

// take sets an option.
func (l *Line) take(o *Option, name, value string) error {
	l.under = strings.TrimSpace(name + " " + value)
	if err := o.set(l, value); err != nil {
		return fmt.Errorf("%s: %w", l.under, err)
	}
	return nil
}
