package ranking

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// The benchmarks that lists have sections of. Probes and results of other programs have no rating, and so no rank. The
// rules of a class of the latter are the program.
const (
	bEff   = "b_eff"
	bEffIO = "b_eff_io"
	probes = "probe"
	others = "foreign"
)

// unrated reports whether results of a benchmark have no rating.
func unrated(benchmark string) bool { return benchmark == probes || benchmark == others }

// overSizes is the name of the column of ranks among rows of all sizes.
const overSizes = "of all sizes"

// column is one column of the list: its head, and the function that returns its cell of a row.
type column struct {
	document.Column
	of       string // the benchmark whose sections have it; empty: all
	optional bool   // left out where all its cells are empty; the others are always there, for scripts
	chosen   bool   // there if it is asked for
	each     bool   // and where each result has a row
	ofRow    bool   // results don't have it, only rows
	less     bool   // less is better
	// sections of results without a rating don't have it
	ofRatings bool
	cell      func(*Row) document.Cell
	about     string // the note below the list; empty: none
}

// number returns a cell of a number, "-" for 0, which means that there is no figure.
func number(x float64) document.Cell {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return document.Text("-")
	}
	decimals := 3
	for limit := 10.0; x >= limit && decimals > 0; limit *= 10 {
		decimals--
	}
	return document.Number(x, fmt.Sprintf("%.*f", decimals, x))
}

func text(name string, of func(*Row) string) column {
	return column{Column: document.Column{Name: name},
		cell: func(r *Row) document.Cell { return document.Text(of(r)) }}
}

// figure is a column of a figure in a unit.
func figure(name, unit string, scale float64, x func(*Row) float64) column {
	return column{Column: document.Column{Name: name, Unit: unit, Numbers: true},
		cell: func(r *Row) document.Cell { return shown(r.Entry, x(r)/scale) }}
}

// mebibytes is a column of a number of bytes in MiB, with up to four digits, or all before the point.
func mebibytes(name string, of func(*Row) int64) column {
	return column{Column: document.Column{Name: name, Unit: "MiB", Numbers: true}, cell: func(r *Row) document.Cell {
		x := float64(of(r)) / words.Mebi
		switch {
		case x == 0:
			return document.Text("-")
		case x >= 1000:
			return document.Number(x, fmt.Sprintf("%.0f", x))
		}
		return document.Number(x, fmt.Sprintf("%.4g", x))
	}}
}

// percent is a column of an interval's half in %, with two digits, which is left out where none is known.
func percent(name string, of func(*Row) float64) column {
	c := column{Column: document.Column{Name: name, Unit: "%", Numbers: true}, cell: func(r *Row) document.Cell {
		switch x := of(r); {
		case math.IsNaN(x):
			return document.Text("-")
		case x >= 10:
			return document.Number(x, fmt.Sprintf("%.0f", x))
		default:
			return document.Number(x, fmt.Sprintf("%.2g", x))
		}
	}}
	return c.where()
}

// rated is the column of a benchmark's rating.
func rated(benchmark string) column {
	c := figure(benchmark, "MB/s", words.Mega, func(r *Row) float64 { return r.Rating }).only(benchmark)
	plain := c.asRated().cell
	c.cell = func(r *Row) document.Cell {
		cell := plain(r)
		cell.Strong = true
		return cell
	}
	return c
}

// borne returns the cell of a rating, or of a part of it, with the digits that its interval bears.
func (r *Row) borne(cell document.Cell) document.Cell {
	in := cmp.Or(r.Between, r.Within)
	if r.Status == Published || cell.Value == nil || !(*cell.Value > 0) {
		return cell
	}
	cell.Digits = words.Borne(r.Rating, in.Part(r.Rating))
	cell.Text = words.Digits(*cell.Value, cell.Digits)
	return cell
}

// shown returns the cell of an entry's figure. Published figures are shown without decimals, as they are printed.
func shown(e *Entry, x float64) document.Cell {
	if x != 0 && e.Status == Published {
		cell := document.Number(x, fmt.Sprintf("%.0f", x))
		cell.Digits = len(cell.Text) // the paper has no more
		return cell
	}
	return number(x)
}

func count(name string, of func(*Row) int) column {
	return column{Column: document.Column{Name: name, Numbers: true}, cell: func(r *Row) document.Cell {
		if of(r) == 0 {
			return document.Text("-")
		}
		return document.Number(float64(of(r)), fmt.Sprint(of(r)))
	}}
}

// asRated shows a figure with the digits of the rating.
func (c column) asRated() column {
	plain := c.cell
	c.cell = func(r *Row) document.Cell { return r.borne(plain(r)) }
	return c
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
	c.ofRow, c.ofRatings = true, true
	return c
}

// lessIsBetter marks a figure that is the better the less it is.
func (c column) lessIsBetter() column {
	c.less = true
	return c
}

// with adds the note below the list.
func (c column) with(note string) column {
	c.about = note
	return c
}

// status returns a result's status, followed by its remark.
func (e *Entry) status() string {
	if e.Remark == "" {
		return e.Status.String()
	}
	return e.Status.String() + ", " + e.Remark
}

// ofIO returns a figure of a system's b_eff_io, or of a row of b_eff_io itself.
func ofIO(r *Row) *Entry {
	if r.Benchmark == bEffIO {
		return r.Entry
	}
	return r.IO
}

// half returns half of an interval of the rating, in %.
func (e *Entry) half(in *rating.Interval) float64 { return 100 * in.Part(e.Rating) }

// memory returns the bytes of memory that the bytes written by b_eff_io are compared with: that of all nodes if it is
// known, else that of all processes.
func (e *Entry) memory() float64 {
	return float64(cmp.Or(e.TotalMemory, e.MemoryPerProcess*int64(e.Processes)))
}

func ratio(a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return a / b
}

// list has all columns in their order.
var list = []column{
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
	rated(bEff),
	rated(bEffIO),
	percent("± within the run", func(r *Row) float64 { return r.half(r.Within) }).with(
		"\"± within the run\" is what the " +
			"repetitions of a single run say, half of the 95 % interval of its rating. Other runs may differ by more."),
	percent("± between runs", func(r *Row) float64 { return r.half(r.Between) }).ofRows().with(
		"\"± between runs\" is half of the " +
			"95 % interval of the mean of three runs or more by one library, by Student's t on the logarithms."),
	figure("per process", "MB/s", words.Mega, func(r *Row) float64 { return r.PerProcess }).only(bEff).asRated(),
	figure("at Lmax", "MB/s", words.Mega, func(r *Row) float64 { return r.AtLmax }).only(bEff),
	figure("at Lmax per process", "MB/s", words.Mega, func(r *Row) float64 { return r.AtLmaxPerProcess }).only(bEff),
	figure("ping-pong", "MB/s", words.Mega, func(r *Row) float64 { return r.PingPong }).only(bEff),
	figure("latency", "µs", words.Micro, func(r *Row) float64 { return r.Latency }).only(bEff).lessIsBetter().with(
		"Latency is the " +
			"time of one exchange of a process at the shortest message over rings and randoms."),
	figure(bEffIO, "MB/s", words.Mega, func(r *Row) float64 {
		if r.IO == nil {
			return 0
		}
		return r.IO.Rating
	}).only(bEff).where().with("Beside its b_eff stands a system's best b_eff_io, a valid one before others, with a " +
		"status of its own."),
	figure("balance", "1/s", 1, func(r *Row) float64 {
		return ratio(r.PerProcess, float64(r.MemoryPerProcess))
	}).only(bEff).with("Balance is b_eff per process over memory per process: how often in a second the memory could " +
		"be communicated."),
	figure("memory written", "s", 1, func(r *Row) float64 {
		if e := ofIO(r); e != nil {
			return ratio(e.memory(), e.Write)
		}
		return 0
	}).where().lessIsBetter().with("Memory written: seconds in which b_eff_io would write the memory of all nodes " +
		"in use, or of all " +
		"processes where that is not known."),
	count("runs", func(r *Row) int { return r.Runs }).ofRows().with("Results of one system, class, number of " +
		"processes and " +
		"number of them on a node stand in one row, whose figures are the geometric means of the valid ones, noisy " +
		"or not; " +
		"\"runs\" counts all that were given. With --all each has its own."),
	text("kernels", func(r *Row) string { return r.Kernels }).only(probes),
	figure("latency", "µs", words.Micro, func(r *Row) float64 { return r.Latency }).only(probes).lessIsBetter().with(
		"Latency and " +
			"bandwidth of a probe are PingPong's: its time at its shortest length above 0, and its largest bandwidth."),
	figure("bandwidth", "MB/s", words.Mega, func(r *Row) float64 { return r.PingPong }).only(probes),
	text("tests", func(r *Row) string { return r.Kernels }).only(others),
	figure("latency", "µs", words.Micro, func(r *Row) float64 { return r.Latency }).only(others).lessIsBetter().
		where(),
	figure("bandwidth", "MB/s", words.Mega, func(r *Row) float64 { return r.PingPong }).only(others).where().with(
		"Latency and bandwidth of other programs are those of messages between two processes: the time at the " +
			"shortest length above 0, and the largest bandwidth. Programs measure them in different ways."),
	figure("write", "MB/s", words.Mega, func(r *Row) float64 { return r.FileWrite }).only(others).where(),
	figure("read", "MB/s", words.Mega, func(r *Row) float64 { return r.FileRead }).only(others).where(),
	figure("creates", "1/s", 1, func(r *Row) float64 { return r.Creates }).only(others).where(),
	figure("score", "", 1, func(r *Row) float64 { return r.Score }).only(others).where(),
	text("b_eff status", func(r *Row) string { return r.status() }).only(bEff),
	text("b_eff_io status", func(r *Row) string {
		if r.IO == nil {
			return ""
		}
		return r.IO.statusOfOther()
	}).only(bEff).where(),
	text("b_eff_io status", func(r *Row) string { return r.status() }).only(bEffIO),
	text("status", func(r *Row) string { return r.status() }).only(probes),
	text("status", func(r *Row) string { return r.status() }).only(others),
	text("date", func(r *Row) string { return day(r.Date) }).byChoice(true),
	text("library", func(r *Row) string { return r.Library }).byChoice(true),
	text("engine", func(r *Row) string { return r.Engine.String() }).byChoice(false),
	text("rules", func(r *Row) string { return r.Rules }).byChoice(false),
	text("benchmark", func(r *Row) string { return r.Benchmark }).byChoice(false),
	text("file", func(r *Row) string { return r.File }).byChoice(true),
	text("note", func(r *Row) string { return r.System.Note }).where(),
}

// day returns a date with its time; nothing for none.
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04")
}

// statusOfOther returns a result's status in a section of another class: with its engine, unless that is an MPI.
func (e *Entry) statusOfOther() string {
	if e.Engine == MPI {
		return e.status()
	}
	return e.status() + ", " + e.Engine.String()
}
