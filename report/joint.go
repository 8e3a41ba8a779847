package report

import (
	"fmt"
	"path/filepath"

	"github.com/effective-bandwidth/beff/rating"
)

// shaped is a report whose runs of one configuration become one, if they are of one shape.
type shaped interface{ Shape() string }

// alike holds what runs share that are reported as one.
type alike struct {
	configuration
	shape string
	valid bool
}

// alike returns what the file's run must share with others to be reported as one with them; known is false where it is
// reported by itself: unless it is proven, complete, has a rating, and is of a benchmark that joins runs.
func (f *File) alike() (a alike, known bool) {
	r, joins := f.report.(shaped)
	e, ranked := f.Entry()
	if !joins || !ranked || f.Problem != nil || !f.Complete() || !(e.Rating > 0) {
		return a, false
	}
	a.configuration, _ = f.configuration()
	a.shape, a.valid = r.Shape(), f.report.Head().Verdict.State() != rating.IsNotValid
	return a, true
}

// Together returns the files, with those of one system and configuration replaced by one file of all of them, which
// stands in the place of the first. It is called by the first one's name, and how many more there are.
func Together(files []*File) []*File {
	var sides []Side
	at, copies := map[alike]int{}, map[string]bool{}
	for _, f := range files {
		a, known := f.alike()
		known = known && !(f.Digest() != "" && copies[f.Digest()]) // a copy is no further run
		copies[f.Digest()] = true
		i, seen := at[a]
		if !seen || !known {
			i = len(sides)
			sides = append(sides, nil)
		}
		if known {
			at[a] = i
		}
		sides[i] = append(sides[i], f)
	}
	list := make([]*File, len(sides))
	for i, s := range sides {
		list[i] = s.together()
	}
	return list
}

// together returns a side as one file.
func (s Side) together() *File {
	first := s[0]
	if len(s) == 1 {
		return first
	}
	var reports []Report
	for _, f := range s {
		reports = append(reports, f.report)
	}
	return &File{
		Path:   fmt.Sprintf("%s-and-%d-more.json", withoutEnding(first.Path), len(s)-1),
		Usable: true, kind: first.kind, report: first.kind.joint(fileNames(s), reports),
	}
}

// withoutEnding returns a path without the ending of its file's name.
func withoutEnding(path string) string { return path[:len(path)-len(filepath.Ext(path))] }
