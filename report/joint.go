package report

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
)

// shaped is a report whose runs of one configuration can be reported together, if Shape returns the same for them.
type shaped interface{ Shape() string }

// joins reports whether the file may be reported together with others of its cell: it is proven, complete, has a
// rating, and its benchmark joins runs.
func (f *File) joins() bool {
	_, has := f.report.(shaped)
	e := f.Entry()
	return has && f.Problem == nil && f.Complete() && e.Rating() > 0
}

// Together joins the files of each system and configuration into one file, in the place of the first. Its name consists
// of the first one's name and the number of further files.
func Together(files []*File) (list []*File) {
	type alike struct {
		cell  int
		shape string
		valid bool
		alone *File // a file that is not joined, otherwise nil
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
		Path:   fmt.Sprintf("%s-and-%d-more.json", strings.TrimSuffix(first.Path, filepath.Ext(first.Path)), len(s)-1),
		Usable: true, kind: first.kind, report: first.kind.joint(fileNames(s), reports),
	}
}
