package parts

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// factList is the list of facts on the first page of a report.
type factList []document.Fact

// Add adds a fact if known is true and its value isn't empty.
func (l *factList) Add(known bool, name, format string, args ...any) {
	if value := strings.TrimSpace(fmt.Sprintf(format, args...)); known && value != "" {
		*l = append(*l, document.Fact{Name: name, Value: value})
	}
}

// MachineFacts returns the facts that all benchmarks share: the system in its operators' words, the host, and the
// engine, followed by the text embedded if the engine is beff's own. What a run found comes before what is stated.
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
