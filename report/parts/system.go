package parts

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Stated returns a fact that a run found, followed by the operators' statement if that contains more, or something
// different. If the run found nothing, Stated returns the statement, marked as such.
func Stated(found, stated string) string {
	switch {
	case found == "" && stated != "":
		return stated + " (stated)"
	case strings.Contains(letters(found), letters(stated)):
		return found
	}
	return found + " (stated: " + stated + ")"
}

// letters returns the letters and digits of a text, in lower case.
func letters(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToLower(c)
		}
		return -1
	}, text)
}

// Described returns the operators' description of a system, which is empty if s is nil.
func Described(s *rating.System) rating.System {
	if s == nil {
		return rating.System{}
	}
	return *s
}

// number formats a number, or returns "" for 0.
func number(x float64, format string) string {
	return words.Either(x > 0, fmt.Sprintf(format, x), "")
}

// nodeMemory returns the memory of a node. Systems report a little less than was sold, so a difference of up to a tenth
// is ignored.
func nodeMemory(found int64, stated int) string {
	want := int64(min(stated, 1<<30)) << 30
	if found > 0 && 10*found >= 9*want && 9*found <= 10*want {
		want = 0
	}
	text := func(n int64) string { return words.Either(n > 0, rating.Bytes(n), "") }
	return Stated(text(found), text(want))
}

// oneNode is a fact about results of a single node.
const oneNode = "one node: no network was measured"

// SystemFacts returns facts about the measured system: those that the run found, and those that only its operators
// state. The list has the same names for every result, and empty values for facts that aren't known.
func SystemFacts(h Header) []document.Fact {
	s, host, mount := Described(h.System), h.Host, rating.Mount{}
	if h.Environment != nil {
		mount = h.Environment.Mount
	}
	nodes, size := number(float64(len(h.Placement)), "%.0f"), number(float64(s.Nodes), "%.0f")
	if nodes != "" && len(h.Placement) <= s.Nodes {
		nodes, size = nodes+" of "+size, ""
	}
	processes, date := number(float64(h.Processes), "%.0f"), ""
	if n := h.PerNode(); n > 0 {
		processes += fmt.Sprintf(" in total, %d per node", n)
	}
	network := Stated(strings.Join(host.Interconnect, "; "), s.Interconnect)
	if len(h.Placement) == 1 && !h.Engine.Kind().Simulated {
		network = strings.TrimPrefix(network+"; "+oneNode, "; ")
	}
	if at := h.Date(); !at.IsZero() {
		date = at.Format(time.DateOnly)
	}
	return []document.Fact{{Name: "system", Value: NameOf(h.System, host)}, {Name: "vendor", Value: s.Vendor},
		{Name: "model", Value: s.Model}, {Name: "site", Value: s.Site},
		{Name: "year", Value: number(float64(s.Year), "%.0f")},
		{Name: "processor", Value: Stated(host.CPU, s.Processor)}, {Name: "nodes", Value: Stated(nodes, size)},
		{Name: "processes", Value: processes}, {Name: "memory of a node", Value: nodeMemory(host.Memory, s.Memory)},
		{Name: "network", Value: network},
		{Name: "file system", Value: Stated(mount.Type, s.FileSystem)},
		{Name: "MPI", Value: Stated(strings.TrimSpace(h.Engine.Library+" "+h.Engine.Version), s.MPI)},
		{Name: "Rmax", Value: number(s.Rmax, "%g TFlop/s")}, {Name: "measured", Value: date},
		{Name: "note", Value: s.Note}}
}
