package publish

import (
	"os"

	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/rating/journal"
)

// Left is what an earlier run has left of its files.
type Left int

// What may be left.
const (
	Nothing Left = iota // a new run may take the name
	Cut                 // a run was cut off, or is under way: --resume goes on with it
	Whole               // a result that nothing is missing of: it isn't measured again
)

// LeftAt returns what is left of the run whose files begin with a prefix. It is the one rule for all that measures
// several runs and may be started again. A journal counts first: a run that was cut off has a document as well, and a
// whole one removes its journal. An empty file is none: a new run takes its name.
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
