package parts

import (
	"cmp"
	"io"
	"strconv"
	"time"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// Head is what every result says of itself.
type Head struct {
	*rating.Identity
	*rating.Machine
	*rating.Software
	*rating.Period
	*rating.Circumstances
	Imported string // the file that it was read from; empty: it was measured
	Complete bool   // the measurement was finished

	Processes int
	Sizes     []int           // numbers of processes, the largest of which is Processes; empty: it alone
	Rated     int             // processes of the rating, where these are known to be a part; 0: all
	Verdict   *rating.Verdict // nil: it has none
	// Unproven are the codes of warnings about what isn't in the document, with their remedies.
	Unproven map[string]string
}

// Date returns when the measurement began; zero of a model, whose clock begins with 1970.
func (h Head) Date() time.Time {
	if h.Engine.Kind().Simulated {
		return time.Time{}
	}
	return h.Started
}

// OnProcesses says on how many processes it was measured.
func (h Head) OnProcesses() string {
	if len(h.Sizes) == 0 {
		return words.Processes(cmp.Or(h.Rated, h.Processes))
	}
	return words.Joined(lists.Each(h.Sizes, strconv.Itoa), "and") + " processes"
}

// Text is a benchmark's own way to write a result. It is made from the result alone, so that a stored one gives the
// same text as the run that measured it.
type Text struct {
	Name   string // of the format; empty: only a run writes it
	Ending string // of its files' names
	Kept   bool   // a run writes it into a file beside the result document
	Write  func(io.Writer) error
}
