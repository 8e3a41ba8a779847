package report

import (
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/offoreign"
)

// convertible is a report of a result that can be compared with results of other programs.
type convertible interface{ Common() *foreign.Result }

// mixesPrograms reports whether sides are compared in the form that all programs share: all results can be converted to
// it, and at least one comes from another program.
func mixesPrograms(sides []Side) bool {
	theirs := false
	for _, s := range sides {
		for _, f := range s {
			if _, has := f.report.(convertible); !has {
				return false
			}
			theirs = theirs || f.kind.name == foreign.Benchmark
		}
	}
	return theirs
}

// program returns the name of the program whose measurement the result is or imitates, or its benchmark.
func (f *File) program() string {
	if c, has := f.report.(convertible); has {
		if name := c.Common().Program; !strings.HasPrefix(name, "beff") {
			return name
		}
	}
	return f.Benchmark()
}

// compared compares reports of one benchmark by its own rules, and reports of several in the form that programs share.
func compared(kind *benchmark, names []string, sides [][]Report) (*compare.Comparison, error) {
	ours := func(r Report) bool { _, foreign := r.(offoreign.Report); return !foreign }
	theirs := func(runs []Report) bool { return slices.ContainsFunc(runs, func(r Report) bool { return !ours(r) }) }
	mixed := slices.ContainsFunc(sides, theirs) && slices.ContainsFunc(sides, func(runs []Report) bool {
		return slices.ContainsFunc(runs, ours)
	})
	if !mixed {
		return kind.compared(names, sides)
	}
	list := make([][]*foreign.Result, len(sides))
	for i, runs := range sides {
		for _, r := range runs {
			list[i] = append(list[i], r.(convertible).Common())
		}
	}
	return offoreign.Compared(names, list)
}
