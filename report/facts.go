package report

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
)

// factList is what a report's first page says of a run.
type factList []document.Fact

// add adds what is known, and not empty.
func (l *factList) add(known bool, name, format string, args ...any) {
	if value := strings.TrimSpace(fmt.Sprintf(format, args...)); known && value != "" {
		*l = append(*l, document.Fact{Name: name, Value: value})
	}
}

// machineFacts are those that all benchmarks have: the system's name, the host, the engine, behind which embedded
// stands if it is that one.
func machineFacts(s *rating.System, h *rating.Host, engine mpi.Library, embedded string) factList {
	var l factList
	if s != nil {
		l.add(true, "system", "%s", s.Name)
		l.add(true, "site", "%s", s.Site)
		l.add(true, "note", "%s", s.Note)
	}
	l.add(true, "host", "%s", strings.Join([]string{h.System, h.Name, h.Release, h.Version, h.Machine}, " "))
	l.add(true, "processor", "%s", h.CPU)
	l.add(h.Cores > 0, "logical cores", "%d", h.Cores)
	l.add(true, "network", "%s", strings.Join(h.Interconnect, "; "))
	l.add(true, "engine", "%s", strings.TrimSpace(engine.Library+" "+engine.Version)+map[bool]string{true: embedded}[engine.Kind().Embedded])
	return l
}
