package publish

import (
	"os"

	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/rating/journal"
)

// Left is the state in which an earlier run left its files.
type Left int

// The states.
const (
	Nothing Left = iota // a new run may take the name
	Cut                 // a run was cut off, or still runs: --resume resumes it
	Whole               // a complete result: it isn't measured again
)

// LeftAt returns the state of the files with a prefix. All commands that make several runs and may be started again use
// it. A journal decides first, because a run that was cut off has a document, too, and a complete one removes its
// journal. An empty file doesn't count: a new run takes its name.
func LeftAt(prefix string) Left {
	there := func(ending string) bool {
		info, err := os.Stat(prefix + ending)
		return err == nil && info.Size() > 0
	}
	switch {
	case there(journal.Suffix):
		return Cut
	case there(".json"), there(".json" + input.Gzip):
		return Whole
	}
	return Nothing
}
