package ior

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/ior"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
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
	if l.Script == "" {
		l.finish()
	}
	return l, nil
}

// finish sets what follows from the options together. Without a phase both are meant (IOR, CheckRunSettings).
func (l *Line) finish() {
	if !l.Write && !l.Read && !l.Compare {
		l.Write, l.Read = true, true
	}
	l.Read = l.Read || l.Compare
	l.Random, l.Scattered = l.random == 1, l.random > 1
	if l.random > 0 && l.Seed == 0 {
		l.Seed = 1
	}
}

// ReadScript takes the tests of a script: names with values between IOR START and IOR STOP, and RUN behind those of
// each test, which begins with the values of the one before (IOR, ReadConfigScript). What the line says holds for the
// first.
func (l *Line) ReadScript(script string) error {
	now, within, given := *l, false, true
lines:
	for i, text := range strings.Split(script, "\n") {
		text, _, _ = strings.Cut(text, "#")
		switch strings.ToLower(strings.Join(strings.Fields(text), " ")) {
		case "ior start":
			within = true
		case "":
		case "ior stop":
			if within {
				break lines
			}
		case "run":
			if within {
				l.add(now)
				given = false
			}
		default:
			if !within {
				continue
			}
			given = true
			if err := setNamed(&now, text); err != nil {
				return fmt.Errorf("%s, line %d: %w", l.Script, i+1, err)
			}
		}
	}
	if given {
		l.add(now)
	}
	l.Notices = now.Notices
	return nil
}

// add adds a test of a script.
func (l *Line) add(test Line) {
	test.Notices = nil
	test.finish()
	l.tests = append(l.tests, &test)
}

// all returns the lines of all tests.
func (l *Line) all() []*Line {
	if l.tests == nil {
		return []*Line{l}
	}
	return l.tests
}

// Own reports whether all files are made by the run and removed by it, so that they can be in a directory of its own.
func (l *Line) Own() bool {
	return !slices.ContainsFunc(l.all(), func(one *Line) bool { return !one.Write || one.Keep || one.Existing })
}

// Tests returns the tests that the line or its script asks for, on processes of some layout.
func (l *Line) Tests(processes int, layout *job.Layout) (list []ior.Settings, err error) {
	for _, one := range l.all() {
		if one.tasks > 0 && one.tasks != int64(processes) {
			return nil, fmt.Errorf("-N %d of %s: start as many as are wanted", one.tasks, rating.Processes(processes))
		}
		one.ShiftBy(processes, layout)
		if one.Settings.Filled, err = one.filled(layout); err != nil {
			return nil, err
		}
		if one != l {
			l.Notices = append(l.Notices, one.Notices...)
		}
		list = append(list, one.Settings)
	}
	return list, nil
}

// filled returns the bytes of memory that each process fills.
func (l *Line) filled(layout *job.Layout) (int64, error) {
	switch {
	case l.part > 0 && layout.Memory == 0:
		return 0, errors.New("-M: the memory of this machine is not known: give a size")
	case l.part > 0:
		return int64(l.part * float64(layout.Memory)), nil
	case l.node > 0 && len(layout.Ranks) > 0:
		return l.node / int64(len(layout.Ranks[0])), nil
	}
	return l.task, nil
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
	case l.Settings.Shift > 0:
	case l.table == nil:
		l.Notices = append(l.Notices, "all processes are on one node, so each reads what it has written itself")
	default:
		l.Notices = append(l.Notices, fmt.Sprintf("-C -Q %d shifts readers by %s of %d, so each reads what it has "+
			"written itself", l.nodes, rating.Processes(int(by)), processes))
	}
}

// long reads an option by its name.
func (l *Line) long(word string, rest []string) ([]string, error) {
	name, value, joined := strings.Cut(word, "=")
	o := named(l.table, name)
	switch {
	case o == nil:
		return nil, fmt.Errorf("unknown option --%s", name)
	case o.Value != "" && !joined && len(rest) == 0:
		return nil, fmt.Errorf("--%s wants a value", name)
	case o.Value != "" && !joined:
		value, rest = rest[0], rest[1:]
	}
	return rest, l.take(o, "--"+name, value)
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
		case o.Value == "" && !strings.HasPrefix(letters, "="):
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
