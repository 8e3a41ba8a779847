package ranking

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/words"
)

// column is one column of the list: its head, and the function that returns its cell of a row.
type column struct {
	document.Column
	key      string // as users write it
	of       string // the benchmark whose sections have it; empty: all
	optional bool   // left out where all its cells are empty
	ofRow    bool   // results don't have it, only rows of ratings
	cell     func(*Row) document.Cell
	about    string // the note below the list; empty: none
	means    string // what its figure is
	base     string // unit of its values in conditions
	scale    float64
}

// newColumn returns a column whose key is its name: per-node, within-the-run.
func newColumn(head document.Column, cell func(*Row) document.Cell) column {
	return column{Column: head, cell: cell,
		key: strings.ReplaceAll(strings.TrimPrefix(head.Name, "± "), " ", "-"), base: head.Unit, scale: 1}
}

// headed gives a column another head than its key says.
func (c column) headed(name string) column {
	c.Name, c.Key = name, c.key
	return c
}

func text(name string, of func(*Row) string) column {
	return newColumn(document.Column{Name: name}, func(r *Row) document.Cell { return document.Text(of(r)) })
}

// figure is the column of a figure of the row that of returns; nil: it has none.
func figure(f rating.Figure, of func(*Row) *Row) column {
	c := column{Column: document.Column{Name: f.Name, Unit: f.Unit.Shown, Numbers: true}, key: f.Key,
		optional: true, base: f.Unit.Base, scale: f.Unit.Scale, cell: func(r *Row) document.Cell {
			if r = of(r); r == nil {
				return document.Text("-")
			}
			return r.shown(f)
		}}
	if !f.PerProcess {
		c.means = f.Name + ": " + f.About
	}
	return c
}

// latency is the key of b_eff's latency that tables show: of all processes together.
const latency = "latency_rings_and_randoms"

// shown returns the cell of a figure, with the digits that its interval bears, or that of the rating which it is made
// of. Published figures are shown without decimals, as they are printed.
func (r *Row) shown(f rating.Figure) document.Cell {
	v := r.Figures[f.Key]
	x, part := f.Unit.In(v.Value), v.Within.Part(v.Value)
	if f.Rated && math.IsNaN(part) {
		part = r.interval().Part(r.Rating())
	}
	cell := parts.FigureCell(f, x, part)
	if r.Status == Published && v.Known() {
		cell = document.Number(x, fmt.Sprintf("%.0f", x))
		cell.Digits = len(cell.Text) // the paper has no more
	}
	cell.Strong = f.Key == r.Benchmark
	return cell
}

// mebibytes is a column of a number of bytes in MiB, with up to four digits, or all before the point.
func mebibytes(name string, of func(*Row) int64) column {
	return newColumn(document.Column{Name: name, Unit: "MiB", Numbers: true}, func(r *Row) document.Cell {
		x := float64(of(r)) / words.Mebi
		switch {
		case x == 0:
			return document.Text("-")
		case x >= 1000:
			return document.Number(x, fmt.Sprintf("%.0f", x))
		}
		return document.Number(x, fmt.Sprintf("%.4g", x))
	})
}

// percent is a column of an interval's half in %, with two digits.
func percent(name string, of func(*Row) float64) column {
	return newColumn(document.Column{Name: name, Unit: "%", Numbers: true}, func(r *Row) document.Cell {
		return parts.Half(of(r))
	}).where()
}

func count(name string, of func(*Row) int) column {
	return newColumn(document.Column{Name: name, Numbers: true}, func(r *Row) document.Cell {
		if of(r) == 0 {
			return document.Text("-")
		}
		return document.Whole(of(r))
	})
}

// only keeps a column to the sections of a benchmark.
func (c column) only(benchmark string) column {
	c.of = benchmark
	return c
}

// marked has the figures of the b_eff_io beside a b_eff, and its status in their place where that isn't valid.
func (c column) marked() column {
	cell := c.cell
	c.cell = func(r *Row) document.Cell {
		if r.IO != nil && r.IO.Status > Published {
			return document.Text(r.IO.Status.String())
		}
		return cell(r)
	}
	return c
}

// where leaves a column out where it is empty.
func (c column) where() column {
	c.optional = true
	return c
}

// ofRows is a column of rows alone, of benchmarks with ratings.
func (c column) ofRows() column {
	c.ofRow = true
	return c
}

// with adds the note below the list.
func (c column) with(note string) column {
	c.about = note
	return c
}

// Words returns the status of a single result as lists show it.
func (e *Entry) Words() string { return (&Row{Entry: e, runs: []*Entry{e}}).status() }

// status returns a row's status, and how many runs it is the mean of.
func (r *Row) status() string {
	text := r.Status.String()
	if r.veryNoisy() {
		text = "very noisy"
	}
	if r.UnderWay {
		text += ", not ended"
	}
	if n := len(shownOf(r.runs)); n > 1 {
		text += fmt.Sprintf(", %d runs", n)
	}
	return text
}

// system returns the name of a row's system.
func (r *Row) system() string { return r.System.Name }

// doubtCell returns what is known of the error of a row's rating: both sides where they differ, "?" where a measured
// one has none that is known.
func (r *Row) doubtCell() document.Cell {
	d := r.Doubt()
	switch part := d.Part(); {
	case d.Kind() == rating.NotKnown && r.Rank > 0 && r.Status != Published:
		return document.Text("?")
	case math.IsNaN(part):
		return document.Text("-")
	default:
		text := strings.NewReplacer("± ", "", " %", "", " to ", "/", "less than ", "<", "more than ", "> ").
			Replace(d.String())
		return document.Number(100*part, text)
	}
}

// library returns the library of a row, which a model has none of.
func (r *Row) library() string {
	return words.Either(r.Engine == rating.Simulated, "-", r.Library)
}

// half returns half of an interval of the rating, as a part of it.
func (e *Entry) half(in *rating.Interval) float64 { return in.Part(e.Rating()) }

// columns returns all columns of a benchmark's tables, in their order: facts, figures, facts.
func columns(benchmark string) (list []column) {
	add := func(some []column) {
		for _, c := range some {
			if c.of == benchmark || c.of == "" && !(c.ofRow && unrated(benchmark)) {
				list = append(list, c)
			}
		}
	}
	add(inFront)
	for _, f := range Figures(benchmark) {
		c := figure(f, func(r *Row) *Row { return r })
		if list = append(list, c); f.Key == benchmark {
			add(intervals)
		}
	}
	if benchmark == bEff {
		for _, f := range Figures(bEffIO) {
			if f.Listed {
				list = append(list, figure(f, (*Row).beside).marked())
			}
		}
	}
	add(behind)
	return list
}

// beside returns the b_eff_io that stands beside a system's b_eff; nil if there is none.
func (r *Row) beside() *Row {
	if r.IO == nil {
		return nil
	}
	return &Row{Entry: r.IO}
}

// names are the columns of tables: those that each benchmark's have unasked, and further choices that have a name.
var names = map[string]map[string][]string{
	usual: {
		bEff:   {"rank", "system", "processes", bEff, interval, latency, library, class, status},
		bEffIO: {"rank", "system", "processes", bEffIO, interval, "write", "read", library, class, status},
		probes: {"system", "processes", "kernels", "latency", "bandwidth", library, class, status},
		others: {"system", "processes", "tests", "latency", "bandwidth", "file_write", "file_read", "creates", "score",
			class, status},
	},
	// The list TOP-Clusters, for which the 2001 paper proposes both benchmarks, was to have the columns of its Table 1.
	"top-clusters": {
		bEff: {"rank", "system", "processes", bEff, "b_eff_per_process", "Lmax", "ping_pong_at_lmax", "at_lmax",
			"at_lmax_per_process", "rings_at_lmax_per_process", bEffIO, "note", status},
		bEffIO: {"rank", "system", "processes", bEffIO, "M_PART", "write", "rewrite", "read", status},
	},
}

// The keys of columns, and the name of the usual ones.
const (
	usual    = ""
	library  = "library" // tells a system's rows apart
	interval = "interval"
	class    = "class"
	status   = "status"
)

var (
	inFront = []column{
		{Column: document.Column{Name: "rank", Numbers: true}, key: "rank", cell: (*Row).rankCell, ofRow: true},
		text("system", (*Row).system),
		text("site", func(r *Row) string { return r.System.Site }).where(),
		count("processes", func(r *Row) int { return r.Processes }).headed("procs"),
		count("per node", func(r *Row) int { return r.PerNode }).where(),
		count("nodes", func(r *Row) int { return r.Nodes }).where(),
		text("numbering", func(r *Row) string { return r.Numbering }).where(),
		mebibytes("Lmax", func(r *Row) int64 { return r.Longest }).only(bEff),
		mebibytes("M_PART", func(r *Row) int64 { return r.Longest }).only(bEffIO),
		mebibytes("memory per process", func(r *Row) int64 { return r.MemoryPerProcess }).where(),
		text("kernels", func(r *Row) string { return r.Kernels }).only(probes),
		text("tests", func(r *Row) string { return r.Kernels }).only(others).with("Figures of other programs are as " +
			"they print them. Programs measure in different ways."),
	}
	intervals = []column{
		newColumn(document.Column{Name: interval, Unit: "%", Numbers: true}, (*Row).doubtCell).headed("±").ofRows().
			with("± is half of the 95 % interval of the rating: of the mean of three runs or more, between them, " +
				"else of the repetitions of one run, beside which other runs may differ by more. Models and printed " +
				"figures have none."),
		percent("± within the run", func(r *Row) float64 { return r.half(r.Within()) }),
		percent("± between runs", func(r *Row) float64 { return r.half(r.Between) }).ofRows(),
	}
	behind = []column{
		text(library, (*Row).library),
		text(class, func(r *Row) string { return label(r.Class) }).with("A class is full where the longest message " +
			"or chunk is 1/128 of the memory that is there, within a tenth, or that isn't known, by the usual rules, " +
			"over an MPI. Others are called by what differs. Each has ranks of its own."),
		count("runs", func(r *Row) int { return r.Runs }).ofRows(),
		text(status, (*Row).status).with("Results of one system, class, number of processes, number of them on a " +
			"node and library stand in one row, whose figures are the geometric means of the valid ones, noisy or " +
			"not. With --all each has its own."),
		text("b_eff_io status", func(r *Row) string {
			if r.IO == nil {
				return ""
			}
			return r.IO.statusOfOther()
		}).only(bEff).where().with("Beside its b_eff stands a system's best b_eff_io, a valid one before others, " +
			"with a status of its own."),
		dated("date", func(r *Row) time.Time { return r.Date }),
		text("engine", func(r *Row) string { return r.Engine.String() }),
		text("rules", func(r *Row) string { return r.Rules }),
		text("benchmark", func(r *Row) string { return r.Benchmark }),
		text("file", func(r *Row) string { return r.File }),
		text("note", func(r *Row) string { return r.System.Note }).where(),
	}
)

// engines are the words of classes for the engines of beff.
var engines = map[rating.Engine]string{rating.Simulated: "model", rating.Embedded: "embedded",
	rating.SHMEM: "OpenSHMEM"}

// label returns a class in a word: what differs from the full class over an MPI by the usual rules.
func label(c rating.Class) string {
	var parts []string
	add := func(differs bool, text string) {
		if differs {
			parts = append(parts, text)
		}
	}
	add(c.Engine != rating.MPI, engines[c.Engine])
	add(c.Rules != "" && c.Rules != usualRules[c.Benchmark],
		strings.TrimPrefix(c.Rules, usualRules[c.Benchmark]+", "))
	add(c.Limited > 0, strings.ReplaceAll(rating.Bytes(c.Limited), " ", ""))
	if len(parts) == 0 {
		return map[bool]string{false: "full", true: "MPI"}[unrated(c.Benchmark)]
	}
	return strings.Join(parts, "/")
}

// usualRules are the rules that classes don't name.
var usualRules = map[string]string{bEff: "2001", bEffIO: string(beffio.RulesPaper)}

// dated is a column of dates with their times; nothing for none.
func dated(name string, of func(*Row) time.Time) column {
	c := text(name, func(r *Row) string {
		if of(r).IsZero() {
			return ""
		}
		return of(r).UTC().Format("2006-01-02 15:04")
	})
	c.base = tidy.Date
	return c
}

// statusOfOther returns a result's status in a table of another benchmark: with its engine, unless that is an MPI.
func (e *Entry) statusOfOther() string {
	text := (&Row{Entry: e}).status()
	if e.Engine == rating.MPI {
		return text
	}
	return text + ", " + e.Engine.String()
}
