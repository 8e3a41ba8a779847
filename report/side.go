package report

import (
	"cmp"
	"fmt"

	"github.com/effective-bandwidth/beff/report/ranking"
)

// Side is one or several runs that are compared with others as one: of one system and one configuration.
type Side []*File

// Apart returns a side of each file.
func Apart(files []*File) []Side {
	var sides []Side
	for _, f := range files {
		sides = append(sides, Side{f})
	}
	return sides
}

// Sides returns sides of so many files each, in order. The sum of the sizes is the number of files.
func Sides(files []*File, sizes []int) []Side {
	var sides []Side
	for _, n := range sizes {
		sides = append(sides, Side(files[:n]))
		files = files[n:]
	}
	return sides
}

// Joined returns sides of all files of one system, class, size and library, in the order in which they first appear.
// Where all files would be one side there would be nothing to compare: each is one by itself then.
func Joined(files []*File) []Side {
	var sides []Side
	at := map[configuration]int{}
	for _, f := range files {
		k, ranked := f.configuration()
		i, seen := at[k]
		if !seen || !ranked {
			i = len(sides)
			sides = append(sides, nil)
		}
		if ranked {
			at[k] = i
		}
		sides[i] = append(sides[i], f)
	}
	if len(sides) == 1 {
		return Apart(files)
	}
	return sides
}

// configuration holds the properties that runs of a side share.
type configuration struct {
	ranking.Class
	system             string
	processes, perNode int
	library, version   string
}

// configuration returns the file's own; known is false where its benchmark has no ranking.
func (f *File) configuration() (c configuration, known bool) {
	e, ranked := f.Entry()
	if !ranked {
		return c, false
	}
	engine := f.report.Head().Engine
	return configuration{e.Class, e.System.Name, e.Processes, e.PerNode, engine.Library, engine.Version}, true
}

// check returns an error if the runs of a side are not of one configuration. Their system may have several names.
func (s Side) check() error {
	first, _ := s[0].configuration()
	for _, f := range s[1:] {
		c, known := f.configuration()
		if !known {
			return nil // the benchmark itself says whether it joins runs
		}
		if c.system = first.system; c != first {
			return fmt.Errorf("%s and %s can't be runs of one side: %s, %s", s[0].Name(), f.Name(), first, c)
		}
	}
	return nil
}

// String returns the configuration in words, without the system.
func (c configuration) String() string {
	return fmt.Sprintf("%v on %d processes, %d a node, by %s %s", c.Class, c.processes, c.perNode, c.library,
		c.version)
}

// Name returns the name of a side: of several files the first one's, and how many more there are.
func (s Side) Name() string { return s.named(s[0].Name()) }

func (s Side) named(first string) string {
	if len(s) == 1 {
		return first
	}
	return fmt.Sprintf("%s and %d more", first, len(s)-1)
}

// namesOf returns the names of sides in a comparison, which all differ: that of the first file, and of several runs how
// many more there are, unless it is the name of the system of all of them.
func namesOf(sides []Side) []string {
	var firsts []*File
	for _, s := range sides {
		firsts = append(firsts, s[0])
	}
	list := names(firsts)
	for i, s := range sides {
		if list[i] != s.system() {
			list[i] = s.named(list[i])
		}
	}
	return list
}

// system returns the name of the system, empty if that isn't one.
func (s Side) system() string {
	name := ""
	for _, f := range s {
		c, _ := f.configuration()
		if name = cmp.Or(name, c.system); c.system != name {
			return ""
		}
	}
	return name
}
