package method

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/programfile"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
)

// matched reports whether the calls of all processes of a user's program fit together, with each root that the row has.
// If they don't, the reason is in the row of process 0, which looks. All processes of the world call it.
func (m *Measurer) matched(t *Table, s *kernel.Scene, row *measured.Row) (bool, error) {
	f := t.kernel.Program
	if f == nil {
		return true, nil
	}
	if m.First() {
		notes, err := Match(f, s.Ranks, row.Bytes)
		most := cmp.Or(m.Settings.Memory, settings.Default.Memory)
		if size := f.FileSize(s.Ranks, row.Bytes); err == nil && size > most {
			err = fmt.Errorf("%s: the file has %d bytes: allow more by \"-mem X\"", f.Source, size)
		}
		if err != nil {
			row.Missing, row.Detail = measured.Failed, err.Error()
		}
		for _, n := range notes {
			known := func(w rating.Warning) bool { return w.Code == n.Code && strings.HasPrefix(w.Text, f.Source+":") }
			if !slices.ContainsFunc(m.Out.Notes, known) {
				m.Out.Notes = append(m.Out.Notes, n)
			}
		}
	}
	refused, err := m.Any(row.Missing != "")
	return !refused, err
}

// Match walks through the calls of a program with each root that a row has. An error says why it can't run.
// Warnings are what a user should know of one that can.
func Match(f *programfile.File, ranks int, bytes int64) (notes []rating.Warning, err error) {
	add := func(code, text string) { notes = append(notes, measured.WarningsOf(settings.ByGuide, code, text)...) }
	var found programfile.Matching
	for root := 0; root <= min(kernel.MostSingles, ranks-1) && found == (programfile.Matching{}); root++ {
		if found, err = f.Match(ranks, root, bytes); err != nil {
			return nil, err
		}
	}
	if found.Unsafe != nil {
		add("unsafe-program", found.Unsafe.Error()+", unless the library buffers the messages")
	}
	if found.Skipped {
		add("not-matched", fmt.Sprintf("%s: all processes together have more than %d calls: whether sends and "+
			"receives match was not looked at", f.Source, programfile.MostMatched))
	}
	return notes, nil
}
