package ranking

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/words"
)

// overSizes is the name of the column of ranks among rows of all sizes.
const overSizes = "of all sizes"

// column is one column of the list: its head, and the function that returns its cell of a row.
type column struct {
	document.Column
	key      string // as users write it
	of       string // the benchmark whose sections have it; empty: all
	optional bool   // left out where all its cells are empty; the others are always there, for scripts
	chosen   bool   // there if it is asked for
	each     bool   // and where each result has a row
	ofRow    bool   // results don't have it, only rows of ratings
	cell     func(*Row) document.Cell
	about    string // the note below the list; empty: none
	means    string // what its figure is
	measured bool   // it is a figure
	base     string // unit of its values in conditions
	scale    float64
}

// newColumn returns a column whose key is its name: per-node, within-the-run.
func newColumn(head document.Column, cell func(*Row) document.Cell) column {
	return column{Column: head, cell: cell,
		key: strings.ReplaceAll(strings.TrimPrefix(head.Name, "± "), " ", "-"), base: head.Unit, scale: 1}
}

func text(name string, of func(*Row) string) column {
	return newColumn(document.Column{Name: name}, func(r *Row) document.Cell { return document.Text(of(r)) })
}

// figure is the column of a figure of the row that of returns; nil: it has none.
func figure(f rating.Figure, of func(*Row) *Row) column {
	c := column{Column: document.Column{Name: f.Name, Unit: f.Unit.Shown, Numbers: true}, key: f.Key,
		chosen: !f.Listed, measured: true, base: f.Unit.Base, scale: f.Unit.Scale, cell: func(r *Row) document.Cell {
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

// percent is a column of an interval's half in %, with two digits, which is left out where none is known.
func percent(name string, of func(*Row) float64) column {
	return newColumn(document.Column{Name: name, Unit: "%", Numbers: true}, func(r *Row) document.Cell {
		switch x := of(r); {
		case math.IsNaN(x):
			return document.Text("-")
		case x >= 10:
			return document.Number(x, fmt.Sprintf("%.0f", x))
		default:
			return document.Number(x, fmt.Sprintf("%.2g", x))
		}
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

// where leaves a column out where it is empty.
func (c column) where() column {
	c.optional = true
	return c
}

// byChoice keeps a column to lists that ask for it, and to those of each result if that is true.
func (c column) byChoice(each bool) column {
	c.chosen, c.each = true, each
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

// status returns a result's status, followed by its remark.
func (e *Entry) status() string {
	text := e.Status.String()
	if e.Status == Noisy && e.Figures[e.Benchmark].Doubt().Kind() == rating.TooNoisy {
		text = "too noisy to compare"
	}
	if e.Remark != "" {
		text += ", " + e.Remark
	}
	return text
}

// half returns half of an interval of the rating, in %.
func (e *Entry) half(in *rating.Interval) float64 { return 100 * in.Part(e.Rating()) }

// columns returns all columns of a benchmark's sections, in their order: facts, figures, facts.
func columns(benchmark string) (list []column) {
	add := func(some []column) {
		for _, c := range some {
			if c.of == benchmark || c.of == "" && !(c.ofRow && unrated(benchmark)) {
				list = append(list, c)
			}
		}
	}
	add(before)
	for _, f := range Figures(benchmark) {
		c := figure(f, func(r *Row) *Row { return r })
		c.optional = benchmark == others // each program has some
		if list = append(list, c); f.Key == benchmark {
			add(intervals)
		}
	}
	if benchmark == bEff {
		for _, f := range Figures(bEffIO) {
			if f.Listed {
				list = append(list, figure(f, (*Row).beside).where())
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

var (
	before = []column{
		count("rank", func(r *Row) int { return r.Rank }).ofRows(),
		text("system", func(r *Row) string { return r.System.Name }),
		text("site", func(r *Row) string { return r.System.Site }).where(),
		count("processes", func(r *Row) int { return r.Processes }),
		count("per node", func(r *Row) int { return r.PerNode }).where(),
		count("nodes", func(r *Row) int { return r.Nodes }).byChoice(false),
		count(overSizes, func(r *Row) int { return r.OfAll }).where().ofRows().with(
			"\"of all sizes\" is the rank among the rows of all numbers of processes."),
		mebibytes("Lmax", func(r *Row) int64 { return r.Longest }).only(bEff),
		mebibytes("M_PART", func(r *Row) int64 { return r.Longest }).only(bEffIO),
		mebibytes("memory per process", func(r *Row) int64 { return r.MemoryPerProcess }).where(),
		text("kernels", func(r *Row) string { return r.Kernels }).only(probes),
		text("tests", func(r *Row) string { return r.Kernels }).only(others).with("Figures of other programs are as " +
			"they print them. Programs measure in different ways."),
	}
	intervals = []column{
		percent("± within the run", func(r *Row) float64 { return r.half(r.Within()) }).with(
			"\"± within the run\" is what the repetitions of a single run say, half of the 95 % interval " +
				"of its rating. Other runs may differ by more."),
		percent("± between runs", func(r *Row) float64 { return r.half(r.Between) }).ofRows().with(
			"\"± between runs\" is half of the 95 % interval of the mean of three runs or more, by Student's t " +
				"on the logarithms."),
	}
	behind = []column{
		count("runs", func(r *Row) int { return r.Runs }).ofRows().with("Results of one system, class, number of " +
			"processes, number of them on a node and library stand in one row, whose figures are the geometric means " +
			"of the valid ones, noisy or not; \"runs\" counts all that were given. With --all each has its own."),
		text("b_eff status", func(r *Row) string { return r.status() }).only(bEff),
		text("b_eff_io status", func(r *Row) string {
			if r.IO == nil {
				return ""
			}
			return r.IO.statusOfOther()
		}).only(bEff).where().with("Beside its b_eff stands a system's best b_eff_io, a valid one before others, " +
			"with a status of its own."),
		text("b_eff_io status", func(r *Row) string { return r.status() }).only(bEffIO),
		text("status", func(r *Row) string { return r.status() }).only(probes),
		text("status", func(r *Row) string { return r.status() }).only(others),
		dated("date", func(r *Row) time.Time { return r.Date }).byChoice(true),
		text(library, func(r *Row) string { return r.Library }).byChoice(true),
		text("engine", func(r *Row) string { return r.Engine.String() }).byChoice(false),
		text("rules", func(r *Row) string { return r.Rules }).byChoice(false),
		text("benchmark", func(r *Row) string { return r.Benchmark }).byChoice(false),
		text("file", func(r *Row) string { return r.File }).byChoice(true),
		text("note", func(r *Row) string { return r.System.Note }).where(),
	}
)

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

// statusOfOther returns a result's status in a section of another class: with its engine, unless that is an MPI.
func (e *Entry) statusOfOther() string {
	if e.Engine == rating.MPI {
		return e.status()
	}
	return e.status() + ", " + e.Engine.String()
}
