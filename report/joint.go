package report

import (
	"fmt"
	"path/filepath"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
)

// shaped is a report whose runs of one configuration become one, if they are of one shape.
type shaped interface{ Shape() string }

// joins reports whether the file's run may be reported as one with others of its cell: it is proven, complete, has a
// rating, and is of a benchmark that joins runs.
func (f *File) joins() bool {
	_, has := f.report.(shaped)
	e := f.Entry()
	return has && f.Problem == nil && f.Complete() && e.Rating() > 0
}

// Together returns the files, with those of one system and configuration replaced by one file of all of them, which
// stands in the place of the first. It is called by the first one's name, and how many more there are.
func Together(files []*File) (list []*File) {
	type alike struct {
		cell  int
		shape string
		valid bool
		alone *File // the only one; nil: there may be others
	}
	var cells rating.Cells
	for _, s := range grouped(files, func(f *File) alike {
		if !f.joins() {
			return alike{alone: f}
		}
		b := f.Basis()
		n, _ := cells.Of(b)
		return alike{cell: n, shape: f.report.(shaped).Shape(), valid: b.Problem == ""}
	}) {
		list = append(list, s.together())
	}
	return list
}

// together returns a side as one file.
func (s Side) together() *File {
	first := s[0]
	if len(s) == 1 {
		return first
	}
	reports := lists.Each(s, func(f *File) Report { return f.report })
	return &File{
		Path:   fmt.Sprintf("%s-and-%d-more.json", withoutEnding(first.Path), len(s)-1),
		Usable: true, kind: first.kind, report: first.kind.joint(fileNames(s), reports),
	}
}

// withoutEnding returns a path without the ending of its file's name.
func withoutEnding(path string) string { return path[:len(path)-len(filepath.Ext(path))] }
