package watch

import (
	"sync/atomic"
	"time"
)

// Filing is what a process does with its results' files, which may never return: a call of a file system can't be
// broken off. It has no lock, so that others can tell of it meanwhile. The zero value is at no file.
type Filing struct{ deed atomic.Pointer[deed] }

type deed struct {
	what  string
	since time.Time
}

// Do calls f, which does what the words say, such as "writing r.journal".
func (f *Filing) Do(what string, do func() error) error {
	before := f.deed.Swap(&deed{what, time.Now()})
	defer f.deed.Store(before)
	return do()
}

// Now returns what the process does, and since when; empty: nothing.
func (f *Filing) Now() (what string, since time.Time) {
	if d := f.deed.Load(); d != nil {
		return d.what, d.since
	}
	return "", time.Time{}
}
