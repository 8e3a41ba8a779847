package accept

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/stats"
)

// Baseline collects results, from which it makes a sheet that detects when a system gets worse.
type Baseline struct {
	System  string
	engine  string
	results int
	values  map[baselineKey]*baselineValues
	order   []baselineKey // keys of values in the order of their first results
}

// baselineKey identifies a requirement of a baseline.
type baselineKey struct {
	figure           string
	bytes            int64
	processes, nodes int
	where, kind      string // condition on the kernel's rows, and the same as the end of an id
}

// withoutKind returns the key without the kind of rows.
func (of baselineKey) withoutKind() baselineKey {
	of.where, of.kind = "", ""
	return of
}

// baselineValues has the logarithms of a requirement's values, and the largest spread within a run.
type baselineValues struct {
	logs   []float64
	within float64
}

// Add adds the figures of a result: those that trends follow, or the time or else the bandwidth of each probe row.
func (b *Baseline) Add(f *report.File) error {
	e := f.Entry()
	if !e.Status.Counts() {
		return fmt.Errorf("%s: a baseline needs valid results, but this one is %v", f.Name(), e.Status)
	}
	x := &candidate{Entry: &e, result: f.OtherProgram()}
	if b.values == nil {
		b.values, b.System, b.engine = map[baselineKey]*baselineValues{}, e.System.Name, x.engineOf()
	}
	if b.System != e.System.Name || b.engine != x.engineOf() {
		return fmt.Errorf("%s: a baseline has results of one system and engine: %s, %s, not %s, %s", f.Name(),
			b.System, b.engine, e.System.Name, x.engineOf())
	}
	b.results++
	for _, t := range f.Tables(0, nil) {
		if t.Name != rowsOfProbes {
			continue
		}
		for row := range t.Rows {
			b.addRow(t, row, e.Nodes)
		}
		return nil
	}
	for _, of := range ranking.Followed(e.Benchmark, nil) {
		if v := e.Figures[of.Key]; v.Known() {
			key := baselineKey{figure: of.Key, bytes: -1, processes: e.Processes, nodes: e.Nodes}
			b.add(key, v.Value, ownOf(v.Within))
		}
	}
	return nil
}

// addRow adds a row of a probe: its time or, without one, its bandwidth.
func (b *Baseline) addRow(t *tidy.Table, row []any, nodes int) {
	at := at(t)
	component, test := fmt.Sprint(row[at["component"]]), fmt.Sprint(row[at["kernel"]])
	i := slices.IndexFunc(suitesOf, func(s suite) bool {
		return slices.Contains(s.components, kernel.Component(component))
	})
	if i < 0 {
		return
	}
	bytes, sized := row[at["bytes"]].(int64)
	for _, column := range []string{"t_avg", "bandwidth"} {
		if x, is := row[at[column]].(float64); is && x > 0 {
			of := baselineKey{
				figure: suitesOf[i].name + "." + strings.TrimPrefix(test, suitesOf[i].prefix) + "." + column,
				bytes:  words.Either(sized, bytes, -1), processes: int(row[at["processes"]].(int64)), nodes: nodes}
			of.where, of.kind = kindOf(t, row)
			b.add(of, x, withinOf(row, at, column))
			return
		}
	}
}

// kindOf describes a row by the columns that distinguish rows of one kernel and size: as a condition, and as the end of
// an id.
func kindOf(t *tidy.Table, row []any) (where, kind string) {
	var conditions []string
	for i, c := range t.Columns {
		inKey := slices.Contains([]string{"kernel", "component", "processes", "bytes"}, c.Name)
		if text := words.Cell(row[i]); c.Key && !inKey && text != "" {
			conditions = append(conditions, fmt.Sprintf("%s=%q", c.Name, text))
			if text != "0" { // 0 is the only group, or the first
				kind += "-" + words.Either(c.Kind == tidy.Integer, c.Name+text, word(text))
			}
		}
	}
	return strings.Join(conditions, " and "), kind
}

func (b *Baseline) add(of baselineKey, value, within float64) {
	if b.values[of] == nil {
		b.values[of] = &baselineValues{}
		b.order = append(b.order, of)
	}
	s := b.values[of]
	s.logs, s.within = append(s.logs, math.Log(value)), max(s.within, within)
}

const (
	// minSpread is the least standard deviation in a baseline, guessedSpread the deviation of results whose spread
	// isn't known.
	minSpread, guessedSpread = 0.01, 0.03
	// tolerated is the number of standard deviations by which a value may be worse, enough for a single run to decide.
	tolerated = 8
	// minLimit is the least limit of a baseline, relative to the mean. With a lower one a value could halve unnoticed.
	minLimit = 0.5
)

// spread returns the standard deviation for a requirement's limit: the deviation between three or more results, or
// otherwise the largest within a result, or guessedSpread. ok is false if the limit would be below minLimit.
func (s *baselineValues) spread() (spread float64, ok bool) {
	spread = cmp.Or(s.within, guessedSpread)
	if len(s.logs) >= rating.MinRuns {
		spread = stats.Deviation(s.logs)
	}
	spread = max(spread, minSpread)
	return spread, math.Exp(-tolerated*spread) >= minLimit
}

// Write writes the sheet.
func (b *Baseline) Write(w io.Writer) error {
	switch {
	case len(b.order) == 0:
		return fmt.Errorf("no result has a figure for a baseline")
	case len(b.order) > maxRequirements:
		return fmt.Errorf("%d figures: want at most %d: give fewer results", len(b.order), maxRequirements)
	}
	out, system := &strings.Builder{}, words.OneLine(b.System)
	fmt.Fprintf(out, "# Baseline of %s from %s. Each limit is %d standard deviations (spread) from the geometric\n# "+
		"mean. Three or more results show the spread by their differences, fewer by their intervals. A spread\n# "+
		"is at least %.0f %%. A figure gets no requirement if its limit would let half of the mean pass.\n",
		system, words.Count(b.results, "result"), tolerated, 100*minSpread)
	age := "age = \"3d\"\n"
	if b.engine == Simulated {
		out.Reset()
		age = ""
		fmt.Fprintf(out, "# Figures of the model %s.\n", system)
	}
	fmt.Fprintf(out, "title = %q\nengine = %q\n%s\n[system]\nname = %q\n", "Baseline of "+system, b.engine, age, system)
	var noisy []string // requirements left out
	kinds := map[baselineKey]int{}
	for _, of := range b.order {
		kinds[of.withoutKind()]++
	}
	for _, of := range b.order {
		f, err := NewFigure(of.figure)
		if err != nil {
			return err
		}
		s := b.values[of]
		mean, _ := stats.Mean(s.logs, rating.Confidence)
		spread, ok := s.spread()
		if !ok {
			noisy = append(noisy, fmt.Sprintf("%s: %s with a standard deviation of %s %%: a limit would let half of "+
				"the mean pass", of.id(), words.Count(len(s.logs), "result"), rating.Percent(spread)))
			fmt.Fprintf(out, "\n# Left out: %s.\n", noisy[len(noisy)-1])
			continue
		}
		limit, word := math.Exp(mean-tolerated*spread), "min"
		if f.Less {
			limit, word = math.Exp(mean+tolerated*spread), "max"
		}
		if kinds[of.withoutKind()] == 1 {
			of = of.withoutKind()
		}
		fmt.Fprintf(out, "\n[[requirement]]\nid = %q\nfigure = %q\n", of.id(), of.figure)
		if of.where != "" {
			fmt.Fprintf(out, "where = %q\n", of.where)
		}
		if of.bytes >= 0 {
			fmt.Fprintf(out, "bytes = %d\n", of.bytes)
		}
		if of.processes > 0 {
			fmt.Fprintf(out, "processes = %d\n", of.processes)
		}
		if of.nodes > 0 {
			fmt.Fprintf(out, "nodes = %d\n", of.nodes)
		}
		fmt.Fprintf(out, "spread = \"%s %%\"\nthreshold = %q # mean %s\n", rating.Rounded(100*spread, 2),
			word+" "+f.Shown(limit), f.Shown(math.Exp(mean)))
	}
	if len(noisy) == len(b.order) {
		return fmt.Errorf("%s: measure on a quieter machine, or give three or more results that agree", noisy[0])
	}
	if _, err := Parse("baseline", []byte(out.String()), nil); err != nil {
		return err
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// id returns the id of a requirement in the sheet.
func (of baselineKey) id() string {
	id := strings.ReplaceAll(of.figure, ".", "-")
	if of.bytes >= 0 {
		id += fmt.Sprintf("-%d", of.bytes)
	}
	if of.processes > 0 {
		id += fmt.Sprintf("-p%d", of.processes)
	}
	if of.nodes > 0 {
		id += fmt.Sprintf("-n%d", of.nodes)
	}
	return id + of.kind
}
