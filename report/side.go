package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Side is a set of runs of one system and configuration that are compared with others as one.
type Side []*File

// SidePerFile returns a side for each file.
func SidePerFile(files []*File) []Side {
	return lists.Each(files, func(f *File) Side { return Side{f} })
}

// Sides splits files into sides of the given sizes, in order. It panics if the sizes add up to more than len(files).
func Sides(files []*File, sizes []int) []Side {
	var sides []Side
	for _, n := range sizes {
		sides = append(sides, Side(files[:n]))
		files = files[n:]
	}
	return sides
}

// SidePerSystem returns a side for all files of one system, class, size and library, in the order in which they first
// appear. If that gives only one side, which has nothing to be compared with, it returns a side for each file.
func SidePerSystem(files []*File) []Side {
	var cells rating.Cells
	sides := grouped(files, func(f *File) int {
		n, _ := cells.Of(f.Basis())
		return n
	})
	if len(sides) == 1 {
		return SidePerFile(files)
	}
	return sides
}

// grouped returns a side for the files of each key, in the order in which the keys first appear.
func grouped[K comparable](files []*File, key func(*File) K) (sides []Side) {
	at := map[K]int{}
	for _, f := range files {
		k := key(f)
		i, seen := at[k]
		if !seen {
			i, at[k] = len(sides), len(sides)
			sides = append(sides, nil)
		}
		sides[i] = append(sides[i], f)
	}
	return sides
}

// Basis returns the facts that decide which other results the file may be compared with.
func (f *File) Basis() rating.Basis {
	e := f.Entry()
	return e.Basis()
}

// Judged returns an error if other's figures can't be judged by the figures of s, and otherwise nil.
func (s Side) Judged(other Side) error {
	for _, f := range s {
		for _, g := range other {
			if err := f.Basis().Judged(g.Basis()); err != nil {
				return err
			}
		}
	}
	return nil
}

// classDifferences names the properties of a class in which sides differ from the first one. It returns "" if none
// differs.
func classDifferences(sides []Side) string {
	first := sides[0][0].Basis()
	list := lists.Flat(sides[1:], func(s Side) []string { return first.Differs(s[0].Basis()) })
	return strings.Join(lists.Unique(list), ", ")
}

// check returns an error if the runs of a side are not of one cell. Their systems may have different names.
func (s Side) check() error {
	var cells rating.Cells
	first := s[0].Basis()
	for _, f := range s {
		b := f.Basis()
		b.System = first.System
		if n, _ := cells.Of(b); n > 0 {
			return fmt.Errorf("%s and %s can't be runs of one side: %s; %s", s[0].Name(), f.Name(), inWords(first),
				inWords(b))
		}
	}
	return nil
}

// inWords describes the properties that runs of a side share, except the system.
func inWords(b rating.Basis) string {
	text := fmt.Sprintf("%v on %d processes, %d per node, with %s%s", b.Class, b.Processes, b.PerNode, b.Library,
		b.Version)
	if b.Numbering != "" {
		text += ", ranks numbered " + b.Numbering
	}
	if b.Way != "" {
		text += ", measured by " + b.Way
	}
	return text
}

// Name returns the name of a side: the first file's, and the number of further files.
func (s Side) Name() string { return s.named(s[0].Name()) }

func (s Side) named(first string) string {
	if len(s) == 1 {
		return first
	}
	return fmt.Sprintf("%s and %d more", first, len(s)-1)
}

// namesOf returns distinct names of the sides of a comparison: from the facts that differ, or otherwise from their
// files. Models are marked if there are also measured sides.
func namesOf(sides []Side) []string {
	firsts := lists.Each(sides, func(s Side) *File { return s[0] })
	list := byFacts(sides)
	if list == nil {
		list = names(firsts)
		for i, s := range sides {
			if list[i] != s.system() {
				list[i] = s.named(list[i])
			}
		}
	}
	for i, s := range sides {
		if s[0].model() && slices.ContainsFunc(firsts, func(f *File) bool { return !f.model() }) {
			list[i] += " (model)"
		}
	}
	return list
}

// byFacts names sides by the facts in which they differ: it adds facts in their order until all names are distinct. It
// returns nil if some names are equal even with all facts.
func byFacts(sides []Side) []string {
	list := make([]string, len(sides))
	if slices.ContainsFunc(sides, func(s Side) bool { return s[0].report.Header().Imported != "" }) {
		return nil // imported results contain few facts about themselves
	}
	for _, fact := range []func(Side) string{
		func(s Side) string { return parts.NameOf(s[0].report.Header().System, s[0].report.Header().Host) },
		func(s Side) string {
			of := s[0].report.Header().Engine
			return words.OneLine(strings.TrimSpace(of.Library + " " + of.Version))
		},
		func(s Side) string { return words.Processes(s[0].report.Header().Processes) },
		func(s Side) string { return cmp.Or(s[0].Basis().Memory, "host memory") },
		func(s Side) string { return "rules " + s[0].Basis().Rules },
		func(s Side) string {
			limited := s[0].Basis().Limited
			return words.Either(limited > 0, "Lmax "+rating.Bytes(limited), "full Lmax")
		},
	} {
		seen, differ := map[string]bool{}, false
		for i, s := range sides {
			differ = differ || fact(s) != fact(sides[0])
			seen[strings.TrimSpace(list[i]+" "+fact(s))] = true
		}
		if !differ {
			continue
		}
		for i, s := range sides {
			list[i] = strings.TrimSpace(list[i] + " " + fact(s))
		}
		if len(seen) == len(sides) && !seen[""] {
			return list
		}
	}
	return nil
}

// system returns the name of the side's system, or "" if its files have several.
func (s Side) system() string {
	name := ""
	for _, f := range s {
		b := f.Basis()
		if name = cmp.Or(name, b.System); b.System != name {
			return ""
		}
	}
	return name
}
