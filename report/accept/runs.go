package accept

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/offoreign"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/stats"
)

// Run is a result that has a requirement's figure at the requirement's size.
type Run struct {
	File, Digest, System, Library string
	Date                          time.Time // zero if not known
	Value                         float64
	Within                        float64 // standard deviation of the logarithm of Value within the run; 0 if not known
	Processes, Nodes              int     // 0 if not known
	Refused                       string  // reason why it doesn't count; empty if it counts
	Status                        string  // valid, noisy, and so on, as in rankings
	ByHost                        bool    // System is the name of a host

	measurement rating.Measurement
	basis       rating.Basis
	model       bool
	stray       bool // from another engine than the sheet asks for
}

// Evidence collects the runs for the requirements of a sheet.
type Evidence struct {
	*Sheet
	name   string    // name of the system, if the results are from several
	now    time.Time // time from which ages count
	runs   map[*Requirement][]Run
	newest map[string]Taken // by system, the newest result that counts
	sizes  []string         // systems with a figure of the sheet at another size
	byTest map[string][]*Requirement
	read   []Read
}

// Read is a file that was read, whether it counts or not.
type Read struct {
	File, Status string
	System       string
	Skipped      string // reason why no requirement considers it, or ""
}

// See records a file that was read.
func (e *Evidence) See(r Read) { e.read = append(e.read, r) }

// Evidence returns an empty collection for the sheet. Ages of results count from now.
func (s *Sheet) Evidence(now time.Time) *Evidence {
	e := &Evidence{Sheet: s, now: now, runs: map[*Requirement][]Run{}, newest: map[string]Taken{},
		byTest: map[string][]*Requirement{}}
	for _, r := range s.Requirements {
		if r.of != nil {
			e.byTest[r.test] = append(e.byTest[r.test], r)
		}
	}
	return e
}

// Taken holds the runs that a result provides for the requirements of a sheet.
type Taken struct {
	runs  map[*Requirement]Run
	sized bool // has a figure of a requirement at another size
	facts []document.Fact
	date  time.Time
	// Status is the status of the result, as in rankings.
	Status, System string
}

// candidate is a result with the rows for a requirement.
type candidate struct {
	*ranking.Entry
	result *foreign.Result // nil unless it comes from another program
	table  *foreign.Table
	row    tidy.Row
	mixed  string // difference between rows that keeps them from being averaged; empty without one
}

// Take returns the runs that a result provides.
func (e *Evidence) Take(f *report.File) Taken {
	entry := f.Entry()
	t := Taken{runs: map[*Requirement]Run{}, facts: f.Facts(), date: entry.Date, Status: entry.Words(),
		System: entry.System.Name}
	defer func() {
		for r, run := range t.runs {
			run.Digest = f.Digest()
			switch {
			case !f.Complete():
				run.Refused = "the run was not finished"
			case f.Problem != nil:
				run.Refused = "it isn't verified: " + f.Problem.Error()
			}
			t.runs[r] = run
		}
	}()
	for _, r := range e.Requirements {
		if v := entry.Figures[r.Name]; r.of == nil && v.Known() && slices.Contains(r.Benchmarks(), entry.Benchmark) {
			x := &candidate{Entry: &entry, result: f.OtherProgram(), row: entry.Row()}
			e.take(&t, r, x, entry.Processes, v.Value, ownOf(v.Within))
		}
	}
	if of := f.OtherProgram(); of != nil {
		e.takePrograms(&t, of, &entry)
	} else if len(e.byTest) > 0 {
		e.takeRows(&t, f, &entry)
	}
	return t
}

// ownOf converts a figure's interval within the run to a standard deviation of its logarithm, or returns 0.
func ownOf(in *rating.Interval) float64 {
	if in == nil || !(in.Low > 0 && in.High > in.Low) {
		return 0
	}
	const of95 = 1.96
	return math.Log(in.High/in.Low) / 2 / of95
}

// Add adds the runs of a result.
func (e *Evidence) Add(t Taken) {
	for r, run := range t.runs {
		e.runs[r] = append(e.runs[r], run)
	}
	if t.sized {
		e.sizes = append(e.sizes, t.System)
	}
	counts := slices.ContainsFunc(slices.Collect(maps.Values(t.runs)), func(r Run) bool { return r.Refused == "" })
	if was, has := e.newest[t.System]; counts && (!has || t.date.After(was.date)) {
		e.newest[t.System] = t
	}
}

// Systems returns the evidence of each system that has runs, of any size, in the order of their names. There is only
// one if the sheet names the system. Runs of another engine than a requirement asks for don't make a system: they are
// listed with each.
func (e *Evidence) Systems() (list []*Evidence) {
	names := slices.Clone(e.sizes)
	for _, runs := range e.runs {
		for _, run := range runs {
			if !run.stray {
				names = append(names, run.System)
			}
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) < 2 || e.System != "" {
		return []*Evidence{e}
	}
	for _, name := range names {
		of := func(system string) bool { return system == name || !slices.Contains(names, system) }
		some := *e
		some.name, some.runs = name, map[*Requirement][]Run{}
		for r, runs := range e.runs {
			some.runs[r] = lists.Where(runs, func(run Run) bool { return of(run.System) })
		}
		some.read = lists.Where(e.read, func(r Read) bool { return of(r.System) })
		list = append(list, &some)
	}
	return list
}

// take records a run, with the reason if it doesn't count. A run with another number of processes or nodes doesn't
// belong to the requirement.
func (e *Evidence) take(t *Taken, r *Requirement, x *candidate, processes int, value, within float64) {
	if r.lacks != "" {
		return
	}
	if differ(r.Processes, processes) || differ(r.Nodes, x.Nodes) {
		t.otherSize(r, x)
		return
	}
	t.runs[r] = Run{File: x.File, Status: x.Words(), System: x.System.Name, Library: x.Library, Date: x.Date,
		Value: value, Within: within, Processes: processes, Nodes: x.Nodes, Refused: e.refused(r, x, processes),
		measurement: x.Measurement, basis: x.Basis().OverTime(), model: x.Engine == rating.Simulated,
		stray: x.engineOf() != r.Engine, ByHost: x.ByHost}
}

// otherSize records that a result has a requirement's figure at another size. Results of another engine don't count.
func (t *Taken) otherSize(r *Requirement, x *candidate) {
	t.sized = t.sized || x.engineOf() == r.Engine
}

// differ reports whether two numbers are known and differ.
func differ(a, b int) bool { return a > 0 && b > 0 && a != b }

// engineOf returns the engine of a result, by its name in sheets.
func (x *candidate) engineOf() string {
	switch {
	case x.result != nil:
		return Imported
	case x.Engine == rating.Simulated:
		return Simulated
	case x.Engine == rating.Embedded:
		return Embedded
	}
	return OverMPI
}

// refused returns the reason why a result doesn't count for a requirement, or "".
func (e *Evidence) refused(r *Requirement, x *candidate, processes int) string {
	switch engine := x.engineOf(); {
	case x.Status == ranking.Unverified:
		return "it isn't verified"
	case x.Status == ranking.Doubtful:
		return "it is doubtful: figures of its file contradict each other"
	case r.Valid && !x.Status.Counts():
		return "it is not valid"
	case engine != r.Engine:
		return fmt.Sprintf("its engine is %s, and the sheet requires %s", engine, r.Engine)
	case e.System != "" && x.System.Name != e.System:
		return fmt.Sprintf("from system %s, want %s", x.System.Name, e.System)
	case engine == Imported && r.Processes > 0 && processes == 0:
		return "it doesn't record the number of processes: give it with beff import --processes"
	case engine == Imported && r.Nodes > 0 && x.Nodes == 0:
		return "it doesn't record the number of nodes"
	case r.Age > 0 && x.Date.IsZero():
		return "its date isn't known"
	case r.Age > 0 && e.now.Sub(x.Date) > r.Age:
		return fmt.Sprintf("older than %.0f days", r.Age.Hours()/24)
	case engine != Imported && r.wrongMemory(x.Class.Memory) != "":
		return r.wrongMemory(x.Class.Memory)
	case r.Odd && processes > 0 && processes%2 == 0:
		return fmt.Sprintf("%d processes, want an odd number", processes)
	case r.Even && processes%2 == 1:
		return fmt.Sprintf("%d processes, want an even number", processes)
	case differ(r.PerNode, x.PerNode):
		return fmt.Sprintf("%d processes per node, want %d: one per %s", x.PerNode, r.PerNode, r.Per)
	case !r.where.Holds(x.row):
		return "the condition of where is not met"
	case x.mixed != "":
		return x.mixed
	case x.table != nil && r.wrongSettings(x.table) != "":
		return r.wrongSettings(x.table)
	}
	for _, c := range r.filled {
		switch holds, known := c.holds(x); {
		case !known:
			return "it doesn't record whether " + c.text
		case !holds:
			return "not met: " + c.text
		}
	}
	return ""
}

// wrongMemory returns the reason why a result doesn't count because of its messages' memory (rating.Class.Memory), or
// "".
func (r *Requirement) wrongMemory(memory string) string {
	switch onDevice := r.Memory == deviceMemory; {
	case memory != "" && !strings.Contains(memory, ":device") || strings.Contains(memory, " to "):
		return fmt.Sprintf("its data are in memory of %s, which no sheet takes", memory)
	case onDevice && memory == "":
		return "its data are in the memory of processors, not of accelerators: measure with --buffers"
	case onDevice && strings.HasSuffix(memory, "staged"):
		return "its data are staged through the memory of processors: measure without --staged"
	case !onDevice && memory != "":
		return fmt.Sprintf("its data are in memory of %s, which the sheet takes only with memory = \"device\"", memory)
	}
	return ""
}

// wrongSettings returns the reason why the output of another program doesn't count because of the buffers or threads
// that it prints, or "". The sheet must ask for threads, and for buffers of accelerators.
func (r *Requirement) wrongSettings(t *foreign.Table) string {
	asked := slices.Contains(r.rows.Names(), "settings")
	for _, s := range t.AllSettings() {
		switch {
		case s.Name == foreign.Buffers && r.Memory == deviceMemory:
			if s.Value != foreign.DeviceBuffers && s.Value != "device" {
				return fmt.Sprintf("its buffers are %s, want %s", s.Value, foreign.DeviceBuffers)
			}
		case s.Name == foreign.Buffers && s.Value != foreign.HostBuffers && (r.Memory == hostMemory || !asked):
			return fmt.Sprintf("its buffers are %s, want %s, unless the sheet has memory = \"device\" or where = "+
				"'settings~\"%s\"'", s.Value, foreign.HostBuffers, s.Value)
		case r.kernel != nil && strings.HasSuffix(s.Name, "threads") && s.Value != "1" && !asked:
			return fmt.Sprintf("it has %s, which the sheet doesn't ask for: where = 'settings~\"%[1]s\"'", s)
		}
	}
	return ""
}

// takeRows takes the rows of a probe.
func (e *Evidence) takeRows(t *Taken, f *report.File, entry *ranking.Entry) {
	found := map[*Requirement]values{}
	for _, table := range f.Tables(0, nil) {
		if table.Name != rowsOfProbes {
			continue
		}
		at := at(table)
		joined := table.Join(entry.Row())
		for row := range table.Rows {
			kernel, _ := row[at["kernel"]].(string)
			for _, r := range e.byTest[kernel] {
				x, is := row[at[r.column]].(float64)
				length, sized := row[at["bytes"]].(int64)
				n := int(row[at["processes"]].(int64))
				switch {
				case !is || !(x > 0) || row[at["component"]] != string(r.kernel.Component):
					continue
				case r.Bytes >= 0 && (!sized || length != r.Bytes):
					continue
				case !r.rows.Holds(joined(row)):
					continue
				case differ(r.Processes, n):
					t.otherSize(r, &candidate{Entry: entry})
					continue
				}
				v := found[r]
				if n > v.processes { // the largest number of processes is used
					v = values{processes: n, first: slices.Clone(row)}
				}
				if n == v.processes {
					v.list, v.within = append(v.list, x), max(v.within, withinOf(row, at, r.column))
					v.mixed = cmp.Or(v.mixed, mixed(table, v.first, row))
				}
				found[r] = v
			}
		}
	}
	for r, v := range found {
		x := &candidate{Entry: entry, row: entry.Row(), mixed: v.mixed}
		e.take(t, r, x, v.processes, reduce(r.Statistic, v.list), v.within)
	}
}

// values are the values of a requirement in the rows of a probe.
type values struct {
	processes int
	list      []float64
	within    float64
	first     []any  // row
	mixed     string // as in candidate
}

// mixed returns the difference between two rows of a probe that are different measurements, or "".
func mixed(t *tidy.Table, first, row []any) string {
	for i, c := range t.Columns {
		if c.Key && first[i] != row[i] {
			return fmt.Sprintf("rows of %s %v and %v: choose by %s", c.Name, cell(first[i]), cell(row[i]),
				words.Either(c.Name == "bytes", "bytes", "where"))
		}
	}
	return ""
}

// cell formats a value of a row.
func cell(x any) string { return cmp.Or(words.Cell(x), "none") }

// at returns the indices of a table's columns by name.
func at(t *tidy.Table) map[string]int {
	at := map[string]int{}
	for i, c := range t.Columns {
		at[c.Name] = i
	}
	return at
}

// withinOf converts the interval of a row's mean to a standard deviation of its logarithm, or returns 0.
func withinOf(row []any, at map[string]int, column string) float64 {
	low, has := row[at["mean_low"]].(float64)
	high, both := row[at["mean_high"]].(float64)
	if column != "mean" && column != "t_avg" || !has || !both {
		return 0
	}
	return ownOf(&rating.Interval{Low: low, High: high})
}

// reduce returns a statistic of the values of a run's passes, groups or repetitions.
func reduce(statistic string, list []float64) float64 {
	sorted := stats.Sorted(list)
	switch statistic {
	case "min":
		return sorted[0]
	case "max":
		return sorted[len(sorted)-1]
	case "median":
		return stats.Quantile(sorted, 0.5)
	case "p90":
		return stats.Quantile(sorted, 0.9)
	case "p99":
		return stats.Quantile(sorted, 0.99)
	}
	mean, _ := rating.GeometricMean(sorted)
	return mean
}

// takePrograms takes the rows of another program's result.
func (e *Evidence) takePrograms(t *Taken, of *foreign.Result, entry *ranking.Entry) {
	for _, r := range e.Requirements {
		if r.of == nil || r.of.program == "" || !strings.HasPrefix(of.Program, r.of.program) {
			continue
		}
		x := &candidate{Entry: entry, result: of, row: entry.Row()}
		processes, tests := 0, []foreign.Table{}
		var values []float64
		for table := range lists.Elements(of.Tables) {
			n := cmp.Or(table.Processes, of.Processes)
			list := r.valuesIn(of, table, x.row)
			switch {
			case len(list) == 0 || n < processes:
				continue
			case differ(r.Processes, n):
				t.otherSize(r, x)
				continue
			case n > processes: // the largest number of processes is used
				tests = nil
			}
			if tests = append(tests, *table); len(tests) == 1 {
				x.table, processes, values = table, n, list
			}
		}
		switch {
		case len(tests) == 0:
			continue
		case len(tests) > 1:
			x.mixed = fmt.Sprintf("%d tests in its file have it: choose by where = 'settings~\"…\"', from %s",
				len(tests), words.Some(lists.Each(foreign.Names(tests), words.OneLine)))
		case len(values) > 1:
			x.mixed = fmt.Sprintf("%d rows have it: choose by bytes", len(values))
		}
		e.take(t, r, x, processes, values[0], 0)
	}
}

// meets reports whether a row of another program's table meets the condition on rows.
func (r *Requirement) meets(of foreign.Result, t foreign.Table, row foreign.Row, entry tidy.Row) bool {
	t.Rows, of.Tables = []foreign.Row{row}, []foreign.Table{t}
	for range (offoreign.Report{Result: &of}).Tables()[0].Where(r.rows, entry).Rows {
		return true
	}
	return len(r.rows.Names()) == 0
}

// valuesIn returns the figure's values in the rows of another program's table that have the requirement's length and
// meet its condition on rows.
func (r *Requirement) valuesIn(of *foreign.Result, t *foreign.Table, entry tidy.Row) (list []float64) {
	if word(t.Test) != word(r.test) {
		return nil
	}
	at := r.columnIn(t)
	if at < 0 {
		return nil
	}
	for row := range lists.Elements(t.Rows) {
		if r.Bytes >= 0 && (!t.Lengths || row.Bytes != r.Bytes) || !r.meets(*of, *t, *row, entry) {
			continue
		}
		value := row.Values[at]
		if len(row.Each) > 0 && t.Columns[at].Main {
			value = reduce(r.Statistic, row.Each)
		}
		if value > 0 {
			list = append(list, value)
		}
	}
	return list
}

// columnIn returns the index of the figure's column in another program's table, or -1. It is the column with the name
// of the statistic, or of the least or largest time of processes, or otherwise the main column of the quantity.
func (r *Requirement) columnIn(t *foreign.Table) int {
	base, main := mains[r.column]
	if !main {
		base = r.Unit.Base
	}
	q := quantities[base].of
	name := r.Statistic
	if of, found := strings.CutPrefix(r.column, "t_"); found && of != "avg" {
		name = of
	}
	each := slices.ContainsFunc(t.Rows, func(row foreign.Row) bool { return len(row.Each) > 0 })
	for i, c := range t.Columns {
		if c.Quantity == q && !each && (strings.HasPrefix(word(c.Name), name) || c.Name == r.column) {
			return i
		}
	}
	if name != r.Statistic || name != "mean" && !each { // no such column
		return -1
	}
	return t.Main(q)
}

// word converts a name to one word of lower-case letters, digits and _.
func word(name string) string {
	return strings.Trim(strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToLower(c)
		}
		return '_'
	}, name), "_")
}
