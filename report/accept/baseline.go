package accept

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/stats"
)

// Baseline is what results have, from which a sheet is made that notices when it gets worse.
type Baseline struct {
	System  string
	engine  string
	results int
	at      map[based]*sums
	order   []based
}

// based is what a requirement of a baseline is about.
type based struct {
	figure           string
	bytes            int64
	processes, nodes int
}

// sums are the logarithms of the values of a requirement, with what runs know of their spread.
type sums struct {
	logs   []float64
	within float64
}

// Add adds the figures of a result: those that lists have, or the times and bandwidths of the rows of a probe.
func (b *Baseline) Add(f *report.File) error {
	e := f.Entry()
	if !e.Status.Valid() {
		return fmt.Errorf("%s: a baseline wants valid results: it is %v", f.Name(), e.Status)
	}
	x := &seen{Entry: &e, result: f.OtherProgram()}
	if b.at == nil {
		b.at, b.System, b.engine = map[based]*sums{}, e.System.Name, x.engineOf()
	}
	if b.System != e.System.Name || b.engine != x.engineOf() {
		return fmt.Errorf("%s: a baseline is of one system and class: %s, %s, not %s, %s", f.Name(), b.System, b.engine,
			e.System.Name, x.engineOf())
	}
	b.results++
	for _, t := range f.Tables(0, nil) {
		if t.Name != rowsOfProbes {
			continue
		}
		at := map[string]int{}
		for i, c := range t.Columns {
			at[c.Name] = i
		}
		for row := range t.Rows {
			b.addRow(row, at, e.Nodes)
		}
		return nil
	}
	for _, of := range ranking.Followed(e.Benchmark, nil) {
		if v := e.Figures[of.Key]; v.Known() {
			b.add(based{of.Key, -1, e.Processes, e.Nodes}, v.Value, ownOf(v.Within))
		}
	}
	return nil
}

// addRow adds a row of a probe: its time, or else its bandwidth.
func (b *Baseline) addRow(row []any, at map[string]int, nodes int) {
	component, kernel := fmt.Sprint(row[at["component"]]), fmt.Sprint(row[at["kernel"]])
	i := slices.IndexFunc(suitesOf, func(s suite) bool { return slices.Contains(s.names(), component) })
	if i < 0 {
		return
	}
	bytes, sized := row[at["bytes"]].(int64)
	for _, column := range []string{"t_avg", "bandwidth"} {
		if x, is := row[at[column]].(float64); is && x > 0 {
			name := suitesOf[i].name + "." + strings.TrimPrefix(kernel, suitesOf[i].prefix) + "." + column
			b.add(based{name, words.Either(sized, bytes, -1), int(row[at["processes"]].(int64)), nodes}, x,
				withinOf(row, at, column))
			return
		}
	}
}

func (b *Baseline) add(of based, value, within float64) {
	if b.at[of] == nil {
		b.at[of] = &sums{}
		b.order = append(b.order, of)
	}
	s := b.at[of]
	s.logs, s.within = append(s.logs, math.Log(value)), max(s.within, within)
}

const (
	// leastSpread is the least standard deviation that a baseline says, guessed that of results that don't know theirs.
	leastSpread, guessedSpread = 0.01, 0.03
	// tolerated is the number of standard deviations by which a value may be worse: so many that one night decides.
	tolerated = 8
)

// Write writes the sheet.
func (b *Baseline) Write(w io.Writer) error {
	switch {
	case len(b.order) == 0:
		return fmt.Errorf("no result has a figure that a baseline could be made of")
	case len(b.order) > mostRequirements:
		return fmt.Errorf("%d figures: want %d at most: choose by fewer results", len(b.order), mostRequirements)
	}
	out := &strings.Builder{}
	fmt.Fprintf(out, "# What %s had. Each limit is %d standard deviations from the mean of %s.\n",
		words.OneLine(b.System), tolerated, words.Count(b.results, "result"))
	fmt.Fprintf(out, "title = %q\nengine = %q\nage = \"3d\"\n", "Baseline of "+words.OneLine(b.System), b.engine)
	if b.engine == Simulated {
		out.Reset()
		fmt.Fprintf(out, "# What the model %s had.\ntitle = %q\nengine = %q\n", words.OneLine(b.System),
			"Baseline of "+words.OneLine(b.System), b.engine)
	}
	fmt.Fprintf(out, "\n[system]\nname = %q\n", words.OneLine(b.System))
	for _, of := range b.order {
		f, err := NewFigure(of.figure)
		if err != nil {
			return err
		}
		s := b.at[of]
		mean, _ := stats.Mean(s.logs, rating.Confidence)
		spread := cmp.Or(s.within, guessedSpread)
		if len(s.logs) > 2 {
			spread = max(stats.Deviation(s.logs), s.within)
		}
		spread = max(spread, leastSpread)
		limit, word := math.Exp(mean-tolerated*spread), "min"
		if f.Less {
			limit, word = math.Exp(mean+tolerated*spread), "max"
		}
		fmt.Fprintf(out, "\n[[requirement]]\nid = %q\nfigure = %q\n", of.id(), of.figure)
		if of.bytes >= 0 {
			fmt.Fprintf(out, "bytes = %d\n", of.bytes)
		}
		if of.processes > 0 {
			fmt.Fprintf(out, "processes = %d\n", of.processes)
		}
		if of.nodes > 0 {
			fmt.Fprintf(out, "nodes = %d\n", of.nodes)
		}
		fmt.Fprintf(out, "spread = \"%.2g %%\"\nthreshold = %q # mean %s\n", 100*spread, word+" "+f.Shown(limit),
			f.Shown(math.Exp(mean)))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// id returns the name of a requirement.
func (of based) id() string {
	id := strings.ReplaceAll(of.figure, ".", "-")
	if of.bytes >= 0 {
		id += fmt.Sprintf("-%d", of.bytes)
	}
	if of.processes > 0 {
		id += fmt.Sprintf("-p%d", of.processes)
	}
	return id
}
