package parts

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
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

// factList is the list of facts on the first page of a report.
type factList []document.Fact

// Add adds a fact if known is true and its value isn't empty.
func (l *factList) Add(known bool, name, format string, args ...any) {
	if value := strings.TrimSpace(fmt.Sprintf(format, args...)); known && value != "" {
		*l = append(*l, document.Fact{Name: name, Value: value})
	}
}

// MachineFacts returns the facts that all benchmarks share: the system in its operators' words, the host, and the
// engine, followed by the text embedded if the engine is beff's own. Facts that the run found come before stated ones.
func MachineFacts(s *rating.System, h *rating.Host, engine mpi.Library, embedded string) factList {
	var l factList
	of := Described(s)
	for _, x := range s.Facts() {
		l.Add(true, x.Name, "%s", x.Text)
	}
	l.Add(true, "vendor", "%s", of.Vendor)
	l.Add(true, "model", "%s", of.Model)
	l.Add(of.Year > 0, "year", "%d", of.Year)
	l.Add(of.Nodes > 0, "whole system", "%s%s", words.Count(of.Nodes, "node"),
		number(float64(of.PerNode), " of %.0f processes"))
	l.Add(of.Rmax > 0, "Rmax", "%g TFlop/s", of.Rmax)
	l.Add(true, "host", "%s", strings.Join([]string{h.System, h.Name, h.Release, h.Version, h.Machine}, " "))
	l.Add(true, "processor", "%s", Stated(h.CPU, of.Processor))
	l.Add(h.Cores > 0, "logical cores", "%d", h.Cores)
	l.Add(of.Memory > 0, "memory of a node", "%s", nodeMemory(h.Memory, of.Memory))
	l.Add(true, "network", "%s", Stated(strings.Join(h.Interconnect, "; "), of.Interconnect))
	l.Add(true, "engine", "%s", Stated(strings.TrimSpace(engine.Library+" "+engine.Version), of.MPI)+words.Either(
		engine.Kind().Embedded, embedded, ""))
	return l
}

// ModelFacts returns the facts about a simulated machine, or none if m is nil.
func ModelFacts(m *rating.Model) (l factList) {
	if m != nil {
		l.Add(true, "model", "%s, %s", words.Count(m.Nodes, "node"), words.Count(m.Links, "link"))
		l.Add(true, "sharing", "%s%s", m.Sharing, words.Either(m.Sharing == "busiest link",
			", which bounds the messages; beff model run --messages follows each", ""))
	}
	return l
}
