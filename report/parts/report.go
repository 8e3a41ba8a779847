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

// Header is the part that every result has: program, machine, software, time, environment and verdict.
type Header struct {
	*rating.Identity
	*rating.Machine
	*rating.Software
	*rating.Period
	*rating.Circumstances
	Imported string // file that it was imported from; empty if beff measured it
	Complete bool   // the measurement was finished
	// LocalTime marks Started as the local time of a site whose zone isn't known.
	LocalTime bool

	Processes int
	Sizes     []int           // numbers of processes, the largest of which is Processes; empty if there is only one
	Rated     int             // processes that the rating used, if known to be fewer than Processes; otherwise 0
	Verdict   *rating.Verdict // nil without one
	// Unproven maps codes of warnings that can't be derived from the document to their remedies.
	Unproven map[string]string
}

// Date returns when the measurement began, or zero for a model, whose clock starts in 1970. The time of a site whose
// zone isn't known is a words.LocalTime.
func (h Header) Date() time.Time {
	switch {
	case h.Engine.Kind().Simulated:
		return time.Time{}
	case h.LocalTime:
		return words.LocalTime(h.Started)
	}
	return h.Started
}

// OnProcesses returns the number of processes in words.
func (h Header) OnProcesses() string {
	if len(h.Sizes) == 0 {
		return words.Processes(cmp.Or(h.Rated, h.Processes))
	}
	return words.Joined(lists.Each(h.Sizes, strconv.Itoa), "and") + " processes"
}

// Text is a benchmark's own output format. It depends only on the result, so a stored result gives the same text as the
// run that measured it.
type Text struct {
	Name   string // name of the format; empty if only a run writes it
	Ending string // suffix of its files' names
	Kept   bool   // a run writes it to a file next to the result document
	Write  func(io.Writer) error
}
