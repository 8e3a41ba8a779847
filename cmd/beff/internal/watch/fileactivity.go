package watch

import (
	"sync/atomic"
	"time"
)

// FileActivity is the call by which a process uses its results' files. It may never return, and can't be interrupted.
// FileActivity has no lock, so others can look at it meanwhile. The zero value is in no call.
type FileActivity struct{ activity atomic.Pointer[activity] }

type activity struct {
	what  string
	since time.Time
}

// Do calls do. Its first argument describes the call, such as "writing r.journal".
func (f *FileActivity) Do(what string, do func() error) error {
	before := f.activity.Swap(&activity{what, time.Now()})
	defer f.activity.Store(before)
	return do()
}

// Now returns the description of the current call, and its beginning. It is empty if there is no call.
func (f *FileActivity) Now() (what string, since time.Time) {
	if d := f.activity.Load(); d != nil {
		return d.what, d.since
	}
	return "", time.Time{}
}
