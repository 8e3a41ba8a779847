package tools

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// mpiblibFirst matches the first fact of a table of MPIBlib, and its heading (mpib_output.c). beff's text may have such
// tables below IMB's lines.
var mpiblibFirst = words.MustCompile(`#P\t+\d+$|#Precision$|#beff\t|#msg\t+\d+$|#parallel$|` +
	`#(?:msg|p2p)?\s*time\s+wtick\s+reps\s+ci\s`)

var mpiblibFact = words.MustCompile(`^#(\w+)\t+(\S.*?)\s*$`)

// mpiblibReader holds the part of a text that was read.
type mpiblibReader struct {
	*run
	facts      map[string]string
	table      *foreign.Table
	pairs      []string // headings of the groups of columns in a table of pairs
	byPair     bool     // the rows of the table are pairs
	confidence float64
}

// newMPIBlib returns a reader of the text of MPIBlib's tools collective and p2p.
func newMPIBlib(t *run) reading { return &mpiblibReader{run: t, facts: map[string]string{}} }

func (x *mpiblibReader) line(line string) error {
	fields := strings.Fields(line)
	switch {
	case len(fields) == 0:
	case x.table != nil && (fields[0] == "#P" || fields[0] == "#beff"):
		return errAnother
	case strings.HasPrefix(line, "#total benchmarking time"):
		x.table = nil
	case len(fields) >= 4 && fields[len(fields)-1] == "ci" && fields[len(fields)-2] == "reps":
		return x.head(fields)
	case strings.HasPrefix(line, "#"):
		x.fact(line)
	case x.table != nil && fields[0][0] >= '0' && fields[0][0] <= '9':
		if x.open {
			x.r.Complete = false
			return nil
		}
		return x.row(fields)
	}
	return nil
}

var mpiblibPair = words.MustCompile(`\b\d{1,6}-\d{1,6}\b`)

// fact reads a comment.
func (x *mpiblibReader) fact(line string) {
	if pairs := mpiblibPair().FindAllString(line, -1); len(pairs) > 0 {
		x.pairs = pairs
	}
	if m := mpiblibFact().FindStringSubmatch(line); m != nil && len(x.facts) < 100 {
		x.facts[m[1]] = m[2]
		if m[1] == "beff" {
			x.r.Program, x.r.ProgramVersion = foreign.ProbeProgram, words.OneLine(m[2])
		}
	}
	if line == "#sequential" || line == "#parallel" {
		x.facts["order"] = line[1:]
	}
}

// head begins a table: of a collective operation, of one pair's lengths, of all pairs' times, or of all pairs' lengths.
func (x *mpiblibReader) head(fields []string) error {
	columns := []foreign.Column{mainColumn("time", foreign.Seconds, "s")}
	t := foreign.Table{Test: "p2p", Operation: foreign.Message, Way: foreign.RoundTrip, Processes: 2, Columns: columns,
		Lengths: true}
	x.byPair = fields[0] == "#p2p"
	if name := x.facts["operation"]; name != "" {
		t.Test, t.Processes = name, count(x.facts["nodes"])
		call, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(name, "MPIB_"), "MPI_"), "_")
		t.Operation, t.Way = foreign.Collective(call), foreign.BySeries
		if t.Operation == "" {
			t.Way = ""
		}
		x.r.Processes = max(x.r.Processes, t.Processes)
	}
	for _, name := range []string{"timing", "root", "order", "min_reps", "max_reps", "eps"} {
		if value := x.facts[name]; value != "" {
			t.Settings = append(t.Settings, foreign.Setting{Name: name, Value: value})
		}
	}
	if x.byPair {
		t.Lengths = false
		t.Settings = append(t.Settings, foreign.Setting{Name: "msg", Value: x.facts["msg"]})
	}
	x.confidence = 0
	if v, err := number(x.facts["cl"]); err == nil && v < 1 {
		x.confidence = v
	}
	if n := (len(fields) - 1) / 4; n != max(1, len(x.pairs)) && x.facts["operation"] == "" && !x.byPair {
		return fmt.Errorf("columns of %d pairs below the names of %d", n, len(x.pairs))
	}
	if err := x.add(t); err != nil {
		return err
	}
	x.table = &x.r.Tables[len(x.r.Tables)-1]
	if len(x.pairs) > 1 && !x.byPair {
		x.table.Lengths = false // rows are lengths of pairs
	}
	return nil
}

// row reads the figures of a length or of a pair. Each has a time, whether the clock resolves it, the repetitions, and
// half of the interval.
func (x *mpiblibReader) row(fields []string) error {
	groups := max(1, len(x.pairs))
	if x.byPair || x.facts["operation"] != "" {
		groups = 1
	}
	if len(fields) != 1+4*groups {
		return fmt.Errorf("%d figures in %d columns", len(fields), 1+4*groups)
	}
	for g := range groups {
		f := fields[1+4*g:]
		row := foreign.Row{Confidence: x.confidence}
		v, err := number(f[0])
		if err != nil {
			return err
		}
		row.Values = []float64{v}
		if row.Repetitions, err = whole(f[2]); err != nil {
			return err
		}
		if half, err := number(f[3]); err == nil {
			row.HalfWidth = half
		} else if !strings.Contains(strings.ToLower(f[3]), "nan") && !strings.Contains(f[3], "inf") {
			return err
		}
		if x.byPair {
			row.Label = fields[0]
		} else if row.Bytes, err = whole(fields[0]); err != nil {
			return err
		}
		if !x.byPair && !x.table.Lengths {
			row.Label, row.Bytes = fmt.Sprintf("%s, %s bytes", x.pairs[g], fields[0]), 0
		}
		x.table.Rows = append(x.table.Rows, row)
	}
	return nil
}
