package report

import (
	"cmp"
	"errors"
	"path/filepath"
	"time"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/format/resultfile"
)

// Tagged returns the document of a proven result file with other words about its system, and a new digest. Words that
// change returns take the place of those that it gets; the document keeps them as a tag. The file's own words count,
// not those of a system.yaml. It is an error if nothing changes.
func (f *File) Tagged(change func(*rating.System), at time.Time) ([]byte, error) {
	if f.Problem != nil {
		return nil, f.Problem
	}
	text, err := f.Text()
	if err != nil {
		return nil, err
	}
	same, err := false, error(nil)
	made, failed := resultfile.Rehead(text, func(id *rating.Identity) {
		var now rating.System
		if id.System != nil {
			now = *id.System
		}
		was := now
		change(&now)
		same, err = now == was, now.Check()
		if now == (rating.System{}) {
			id.Retag(nil, at)
		} else {
			id.Retag(&now, at)
		}
	})
	if same {
		err = errors.New("it has these words already")
	}
	return made, cmp.Or(err, failed)
}

// proveTags proves the tags of a document that has some.
func (f *File) proveTags(text []byte) error {
	if len(f.report.Head().Tags) == 0 {
		return nil
	}
	return resultfile.CheckTags(text)
}

// Overridden reports whether a system.yaml beside the file gives words that hold instead of its own.
func (f *File) Overridden() bool {
	s, err := systemOf(filepath.Dir(f.Path))
	return err == nil && s != (rating.System{})
}
