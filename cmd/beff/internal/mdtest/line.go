// Package mdtest reads the command line of mdtest 4.1: mdtest -n 1000 -F -u -d /scratch. All its options are known.
// What has no effect on rates is a notice, so that scripts run on, and what would measure something else is refused.
package mdtest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/imb"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// Line is what a command line asks for.
type Line struct {
	*imb.Request
	Help bool

	meta                               settings.Metadata
	create, stat, read, remove, rename bool
	directories, files, random         bool
	written, readBytes, perDirectory   int64
	status                             bool   // -x
	under                              string // the option under way
}

// usual is mdtest's directory unless -d is given.
const usual = "./out"

// Parse reads the arguments: letters may follow each other behind one dash, and a value may stand behind its letter,
// behind an equals sign, or be the next word.
func Parse(args []string) (*Line, error) {
	l := &Line{Request: imb.New("")}
	l.Directory = usual
	l.meta.Text = settings.TextRates
	for len(args) > 0 && !l.Help {
		word := args[0]
		var err error
		if args, err = l.word(word, args[1:]); err != nil {
			return nil, err
		}
	}
	if l.Help {
		return l, nil
	}
	return l, l.finish()
}

// word reads the options of a word, and takes a value from the rest.
func (l *Line) word(word string, rest []string) ([]string, error) {
	name, value, joined := strings.Cut(word, "=")
	if long, is := strings.CutPrefix(name, "--"); is {
		for i := range Options {
			if o := &Options[i]; o.Long == long {
				return l.take(o, name, value, joined, rest)
			}
		}
		return nil, fmt.Errorf("unknown option %s: beff mdtest -h shows all", name)
	}
	letters, is := strings.CutPrefix(word, "-")
	if !is || letters == "" {
		return nil, fmt.Errorf("%q is no option: beff mdtest -h shows all", word)
	}
	for letters != "" {
		letter := letters[:1]
		letters = letters[1:]
		var found *Option
		for i := range Options {
			if Options[i].Letter == letter {
				found = &Options[i]
			}
		}
		switch {
		case found == nil:
			return nil, fmt.Errorf("unknown option -%s: beff mdtest -h shows all", letter)
		case found.Value == "":
			if _, err := l.take(found, "-"+letter, "", true, nil); err != nil {
				return nil, err
			}
		default:
			return l.take(found, "-"+letter, strings.TrimPrefix(letters, "="), letters != "", rest)
		}
	}
	return rest, nil
}

// take sets an option.
func (l *Line) take(o *Option, name, value string, joined bool, rest []string) ([]string, error) {
	if o.Value != "" && !joined {
		if len(rest) == 0 {
			return nil, fmt.Errorf("%s: want a value", name)
		}
		value, rest = rest[0], rest[1:]
	}
	l.under = strings.TrimSpace(name + " " + value)
	if o.Refused != "" {
		if value == "0" {
			return rest, nil
		}
		return nil, fmt.Errorf("%s: not measured here: %s", l.under, o.Refused)
	}
	if err := o.set(l, value); err != nil {
		return nil, fmt.Errorf("%s: %w", l.under, err)
	}
	return rest, nil
}

// finish checks what belongs together, as mdtest does, and makes the request.
func (l *Line) finish() error {
	phases := l.create || l.stat || l.read || l.remove
	if !phases {
		l.create, l.stat, l.read, l.remove, l.rename = true, true, true, true, true
	}
	if !l.directories && !l.files {
		l.directories, l.files = true, true
	}
	switch {
	case l.meta.Items == 0 && l.perDirectory == 0:
		return errors.New("want the number of files of each process: -n 1000")
	case l.perDirectory > 0 && l.meta.Items > 0 && l.meta.Items%l.perDirectory != 0:
		return errors.New("items must be a multiple of items per directory")
	case l.perDirectory > 0 && l.meta.Items > 0 && l.meta.Own:
		return errors.New("only specify the number of items or the number of items per directory")
	case l.perDirectory > 0 && l.meta.Items > 0 && l.meta.Depth > 0:
		return errors.New("-n and -I with -z: mdtest makes more items than its rates count: leave out -n, or -I")
	case l.meta.Stonewall > 0 && l.meta.Branching > 1:
		return errors.New("a stonewall works with a branching factor of 1 alone")
	case l.written > 0 && l.meta.Nodes:
		return errors.New("-k not compatible with -w")
	case l.status && phases && !l.create && l.meta.Stonewall == 0:
		return errors.New("-x: not measured here: files that another run has made until its stonewall: give -W, too")
	case l.readBytes > l.written && l.read && (l.create || l.written > 0):
		return errors.New("when writing and reading files, read bytes must be smaller than write bytes")
	}
	if l.read && l.written == 0 { // files that an earlier run has written, which this one writes before
		l.written = l.readBytes
	}
	l.layOut()
	if l.random && l.meta.Seed == 0 {
		l.meta.Seed = uint64(time.Now().Unix())
	}
	if l.readBytes < l.written {
		l.meta.Read = &l.readBytes
	}
	if l.written > 0 {
		l.Settings.Lengths = []int64{l.written}
	}
	if l.Settings.Passes == 1 {
		l.Settings.Passes = 0
	}
	l.Settings.Metadata = &l.meta
	l.Names = l.names()
	if phases && !(l.create && l.remove) {
		l.Notices = append(l.Notices, "files that a phase needs are made before it, and all are removed at the end of "+
			"the run: name all phases in one command")
	}
	if l.meta.Text != settings.TextRates {
		l.Notices = append(l.Notices, "the head of the times says ms/op, as mdtest's does: they are the seconds "+
			"of the phase")
	}
	if err := l.place(); err != nil {
		return err
	}
	if err := l.Settings.Check(); err != nil {
		return err
	}
	return l.meta.CheckItems()
}

// layOut sets the items by those of each directory. With both numbers the items are in as many directories.
func (l *Line) layOut() {
	switch {
	case l.perDirectory == 0:
	case l.meta.Items == 0:
		l.meta.Items = l.perDirectory * l.meta.Holders()
	case l.meta.Items > l.perDirectory:
		l.meta.Depth, l.meta.Branching, l.meta.Leaves = 1, int(l.meta.Items/l.perDirectory), true
	}
}

// names returns the kernels, in mdtest's order.
func (l *Line) names() []string {
	list := []string{"Tree_create"}
	for _, p := range []struct {
		wanted bool
		name   string
	}{
		{l.directories && l.create, "Dir_create"}, {l.directories && l.stat, "Dir_stat"},
		{l.directories && l.rename, "Dir_rename"}, {l.directories && l.remove, "Dir_remove"},
		{l.files && l.create, "File_create"}, {l.files && l.stat, "File_stat"}, {l.files && l.read, "File_read"},
		{l.files && l.remove, "File_remove"}, {true, "Tree_remove"},
	} {
		if p.wanted {
			list = append(list, p.name)
		}
	}
	for i := range list {
		list[i] = strings.ToLower(string(kernel.Meta)) + ":" + list[i]
	}
	return list
}

// place takes the directory above one that isn't there, which mdtest would make: the run's own one takes its place.
func (l *Line) place() error {
	if _, err := os.Stat(l.Directory); err == nil {
		return nil
	}
	above := filepath.Dir(filepath.Clean(l.Directory))
	if _, err := os.Stat(above); err != nil {
		return fmt.Errorf("-d %s: %w", l.Directory, err)
	}
	if l.Directory != usual {
		l.Notices = append(l.Notices, fmt.Sprintf("%s is not there: the run's directory is made in %s", l.Directory,
			above))
	}
	l.Directory = above
	return nil
}
