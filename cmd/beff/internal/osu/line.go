package osu

//lint:file-ignore ST1005 these errors are in OSU's words, for which scripts look

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/imb"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// Tests returns the names of all tests: osu_latency.
func Tests() []string { return imb.Names(kernel.OSU) }

// Parse reads the arguments of a test's program, as getopt_long does: letters may follow each other behind one dash,
// and a value may stand behind its letter. Words that are no options are ignored. An error is OSU's line.
func Parse(test string, args []string) (*Line, error) {
	k, _, known := suites.FindIn(kernel.OSU, test)
	if !known {
		return nil, fmt.Errorf("unknown test %q: `beff osu -h` shows all", test)
	}
	l := &Line{Request: imb.New(kernel.OSU), kernel: k}
	l.Names = []string{k.Name}
	l.Settings.Method, l.Settings.Memory = settings.ByOSU, defaultMemory
	if threaded(k) {
		l.ThreadLevel, l.Settings.Threading = mpi.Multiple, &settings.Threading{Senders: 1, Threads: 2}
	}
	for len(args) > 0 {
		word := args[0]
		args = args[1:]
		var err error
		switch {
		case word == "--":
			args = nil
		case strings.HasPrefix(word, "--"):
			args, err = l.long(word[2:], args)
		case strings.HasPrefix(word, "-") && len(word) > 1:
			args, err = l.letters(word[1:], args)
		}
		if err != nil {
			return nil, err
		}
	}
	if k.Recipe.Fan {
		l.Notices = append(l.Notices, "the head of the figures says Latency, as OSU's does: they are MB/s")
	}
	l.fillLengths()
	return l, l.Settings.Check()
}

// defaultMemory is the bytes that a process sends or receives at most, leastMemory the least that a user chooses (-M).
const (
	defaultMemory = 512 << 20
	leastMemory   = 1 << 20
)

// long reads an option by its long name, or by the beginning of one that no other has.
func (l *Line) long(word string, rest []string) ([]string, error) {
	name, value, joined := strings.Cut(word, "=")
	var found []*Option
	for i := range Options {
		if o := &Options[i]; o.Long == name {
			found = []*Option{o}
			break
		} else if strings.HasPrefix(o.Long, name) {
			found = append(found, o)
		}
	}
	switch {
	case len(found) != 1:
		return nil, fmt.Errorf("Invalid option [--%s]", name)
	case found[0].Value == "" || found[0].Joined || joined:
	case len(rest) == 0:
		return nil, fmt.Errorf("Option Missing Required Argument [-%s]", found[0].Short)
	default:
		value, rest = rest[0], rest[1:]
	}
	return rest, l.take(found[0], value)
}

// letters reads options by their letters.
func (l *Line) letters(letters string, rest []string) ([]string, error) {
	for letters != "" {
		i := slices.IndexFunc(Options, func(o Option) bool { return o.Short == letters[:1] })
		if i < 0 {
			return nil, fmt.Errorf("Invalid option [-%s]", letters[:1])
		}
		o, value := &Options[i], ""
		letters = letters[1:]
		switch {
		case o.Value == "":
		case letters != "" || o.Joined:
			value, letters = letters, ""
		case len(rest) == 0:
			return nil, fmt.Errorf("Option Missing Required Argument [-%s]", o.Short)
		default:
			value, rest = rest[0], rest[1:]
		}
		if err := l.take(o, value); err != nil {
			return nil, err
		}
	}
	return rest, nil
}

// take sets an option, or notes that it has no effect.
func (l *Line) take(o *Option, value string) error {
	if o.of != nil && !o.of(l.kernel) {
		l.ignore("-"+o.Short, "it has no effect on "+l.kernel.Name)
		return nil
	}
	l.under = strings.TrimSpace("-" + o.Short + " " + value)
	if err := o.set(l, value); err != nil {
		return fmt.Errorf("%w [%s]", err, l.under)
	}
	return nil
}

// ignore adds a notice. Without a word of its own it is about the option under way.
func (l *Line) ignore(what, reason string) {
	what = cmp.Or(what, l.under)
	l.Notices = append(l.Notices, fmt.Sprintf("%s is ignored: %s", what, reason))
}

// CheckProcesses returns OSU's line if the tests that a command line of OSU's names don't run on a number of processes,
// so many of them on each node.
func CheckProcesses(r *imb.Request, processes int, perNode []int) error {
	if r.Component != kernel.OSU {
		return nil
	}
	for _, name := range r.Names {
		switch k, _, known := suites.FindIn(kernel.OSU, name); {
		case !known, r.Settings.Per != "" && processes < k.Least: // the plan says what to start
		case k.Active == 2 && processes != 2:
			return errors.New("This test requires exactly two processes")
		case processes < k.Least:
			return errors.New("This test requires at least two processes")
		case k.Recipe.Fan && len(perNode) < 2:
			return errors.New("Please run this benchmark on more than 1 node")
		case k.Recipe.Fan && slices.Min(perNode) != slices.Max(perNode):
			return errors.New("Please run this benchmark with same ppn for all nodes")
		case k.Recipe.Neighbours:
			o := r.Settings.Micro()
			return unfit(o.Graph(), processes)
		}
	}
	return nil
}

// fillLengths makes the lengths: from the shortest one, each twice as long as the one before, up to the longest.
func (l *Line) fillLengths() {
	if l.low == 0 && l.high == 0 || l.kernel.NoLength() {
		return
	}
	low, high := max(l.low, 1), l.high
	if high == 0 {
		high = Longest(l.kernel)
	}
	for n := low; n <= high; n *= 2 {
		l.Settings.Lengths = append(l.Settings.Lengths, n)
	}
}

// Longest returns the usual longest length of a test, bytes.
func Longest(k *kernel.Kernel) int64 {
	if collective(k) {
		return 1 << 20
	}
	return 1 << 22
}
