package ranking

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/words"
)

// column is a column of a ranking: its heading, and the function that returns its cell of a row.
type column struct {
	document.Column
	key      string // key, as users write it
	of       string // benchmark whose sections have the column; empty for all
	optional bool   // left out if all cells are empty
	ofRow    bool   // applies only to rows with ratings, not to single results
	isFigure bool   // has a figure of the result
	isIO     bool   // has a figure of the system's b_eff_io in a table of b_eff
	cell     func(*Row) document.Cell
	about    string // note below the list; may be empty
	means    string // explanation of the figure
	base     string // unit of its values in conditions
	scale    float64
}

// newColumn returns a column whose key follows from its name: per-node, within-the-run.
func newColumn(head document.Column, cell func(*Row) document.Cell) column {
	return column{Column: head, cell: cell,
		key: strings.ReplaceAll(strings.TrimPrefix(head.Name, "± "), " ", "-"), base: head.Unit, scale: 1}
}

// headed returns the column with another heading than its key.
func (c column) headed(name string) column {
	c.Name, c.Key = name, c.key
	return c
}

func text(name string, of func(*Row) string) column {
	return newColumn(document.Column{Name: name}, func(r *Row) document.Cell { return document.Text(of(r)) })
}

// figure returns the column of a figure. of returns the row that has the figure, or nil.
func figure(f rating.Figure, of func(*Row) *Row) column {
	c := column{Column: document.Column{Name: f.Name, Unit: f.Unit.Shown, Numbers: true}, key: f.Key,
		optional: true, isFigure: true, base: f.Unit.Base, scale: f.Unit.Scale, cell: func(r *Row) document.Cell {
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

// latency is the key of the b_eff latency that tables show, over all processes together.
const latency = "latency_rings_and_randoms"

// shown returns the cell of a figure, with the digits that its interval justifies or, for figures derived from the
// rating, the rating's interval. Published figures are shown without decimals, as the paper prints them.
func (r *Row) shown(f rating.Figure) document.Cell {
	v := r.Figures[f.Key]
	x, part := f.Unit.In(v.Value), v.Within.RelativeHalfWidth(v.Value)
	if f.Rated && math.IsNaN(part) {
		part = r.interval().RelativeHalfWidth(r.Rating())
	}
	cell := parts.FigureCell(f, x, part)
	if r.Status == Published && v.Known() {
		cell = document.Number(x, fmt.Sprintf("%.0f", x))
		cell.Digits = len(cell.Text) // the paper has no more
	}
	cell.Strong = f.Key == r.Benchmark
	return cell
}

// mebibytes returns a column of bytes in MiB, with up to four digits, or with all digits of a larger integer part.
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

// measure returns a column of a number with three digits.
func measure(name, unit string, of func(*Row) float64) column {
	return newColumn(document.Column{Name: name, Unit: unit, Numbers: true}, func(r *Row) document.Cell {
		if x := of(r); x > 0 {
			return document.Number(x, words.Digits(x, 3))
		}
		return document.Text("-")
	})
}

// percent returns a column for half of an interval in %, with two digits.
func percent(name string, of func(*Row) float64) column {
	return newColumn(document.Column{Name: name, Unit: "%", Numbers: true}, func(r *Row) document.Cell {
		return parts.HalfWidth(of(r))
	}).hideEmpty()
}

func count(name string, of func(*Row) int) column {
	return newColumn(document.Column{Name: name, Numbers: true}, func(r *Row) document.Cell {
		if of(r) == 0 {
			return document.Text("-")
		}
		return document.Whole(of(r))
	})
}

// only limits a column to the sections of a benchmark.
func (c column) only(benchmark string) column {
	c.of = benchmark
	return c
}

// marked returns a column of b_eff_io figures in a b_eff table, which shows the status of a b_eff_io that isn't valid
// instead of its figures.
func (c column) marked() column {
	cell := c.cell
	c.isIO = true
	c.cell = func(r *Row) document.Cell {
		if r.IO != nil && r.IO.Status > Published {
			return document.Text(r.IO.Status.String())
		}
		return cell(r)
	}
	return c
}

// hideEmpty returns the column as one that is left out if it is empty.
func (c column) hideEmpty() column {
	c.optional = true
	return c
}

// ofRows returns the column as one that applies only to rows with ratings.
func (c column) ofRows() column {
	c.ofRow = true
	return c
}

// with sets the note below the list.
func (c column) with(note string) column {
	c.about = note
	return c
}

// Words returns the status of a single result as lists show it.
func (e *Entry) Words() string { return (&Row{Entry: e, runs: []*Entry{e}}).status() }

// status returns a row's status, and the number of runs that the row averages.
func (r *Row) status() string {
	text := r.Status.String()
	switch {
	case r.Status == Slowed && r.Cause.Name != "":
		text += ": " + r.Cause.Name
	case r.Status <= Noisy && r.Estimate().Kind() == rating.VeryNoisy: // only large differences can be recognised
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

// doubtCell returns the error of a row's rating: both sides if they differ, or "?" if a measured rating has no known
// error.
func (r *Row) doubtCell() document.Cell {
	d := r.Estimate()
	switch part := d.RelativeHalfWidth(); {
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

// library returns the library of a row, or a dash for a model.
func (r *Row) library() string {
	return words.Either(r.Engine == rating.Simulated, "-", r.Library)
}

// toRmax returns the rating relative to the system's Rmax, in bytes per 1000 operations, or 0 unless the run used the
// whole system.
func (r *Row) toRmax() float64 {
	s := r.System
	whole := s.Nodes > 0 && (r.Nodes == s.Nodes || r.Nodes == 0 && r.Processes == s.Nodes*s.PerNode)
	if !whole || !(s.Rmax > 0) {
		return 0
	}
	const tera, kilo = 1e12, 1e3
	return r.Rating() / (s.Rmax * tera / kilo)
}

// half returns half of an interval of the rating, relative to the rating.
func (e *Entry) half(in *rating.Interval) float64 { return in.RelativeHalfWidth(e.Rating()) }

// columns returns all columns of a benchmark's tables in order: facts, figures, facts.
func columns(benchmark string) (list []column) {
	add := func(some []column) {
		list = append(list, lists.Where(some, func(c column) bool {
			return c.of == benchmark || c.of == "" && !(c.ofRow && unrated(benchmark))
		})...)
	}
	add(leadingColumns)
	for _, f := range Figures(benchmark) {
		c := figure(f, func(r *Row) *Row { return r })
		if list = append(list, c); f.Key == benchmark {
			add(intervals)
		}
	}
	if benchmark == bEff {
		for _, f := range Figures(bEffIO) {
			if f.Listed {
				list = append(list, figure(f, (*Row).ioRow).marked())
			}
		}
	}
	add(trailingColumns)
	return list
}

// ioRow returns the b_eff_io result of the row's system, or nil if there is none.
func (r *Row) ioRow() *Row {
	if r.IO == nil {
		return nil
	}
	return &Row{Entry: r.IO}
}

// names maps a selection of columns to the columns of each benchmark: the default one, and others that have a name.
var names = map[string]map[string][]string{
	usual: {
		bEff:   {"rank", "system", "processes", bEff, interval, latency, library, class, status},
		bEffIO: {"rank", "system", "processes", bEffIO, interval, "write", "read", library, class, status},
		probes: {"system", "processes", "kernels", "latency", "bandwidth", library, class, status},
		others: {"system", "processes", "tests", "latency", "bandwidth", "file_write", "file_read", "creates", "score",
			"congestion_impact", class, status},
	},
	// The 2001 paper proposes the list TOP-Clusters for both benchmarks. Its columns follow the paper's Table 1.
	"top-clusters": {
		bEff: {"rank", "system", "processes", bEff, "b_eff_per_process", "Lmax", "ping_pong_at_lmax", "at_lmax",
			"at_lmax_per_process", "rings_at_lmax_per_process", bEffIO, "note", status},
		bEffIO: {"rank", "system", "processes", bEffIO, "M_PART", "write", "rewrite", "read", status},
	},
}

// Keys of columns, and the name of the default selection.
const (
	usual    = ""
	library  = "library" // distinguishes rows of the same system
	interval = "interval"
	class    = "class"
	status   = "status"
	statusIO = "b_eff_io-status"

	perProcess = "b_eff_per_process"
)

var (
	leadingColumns = []column{
		{Column: document.Column{Name: "rank", Numbers: true}, key: "rank", cell: (*Row).rankCell, ofRow: true},
		text("system", func(r *Row) string { return r.System.Name }),
		text("site", func(r *Row) string { return r.System.Site }).hideEmpty(),
		text("vendor", func(r *Row) string { return r.System.Vendor }).hideEmpty(),
		text("model", func(r *Row) string { return r.System.Model }).hideEmpty(),
		count("year", func(r *Row) int { return r.System.Year }).hideEmpty(),
		text("processor", func(r *Row) string { return parts.Stated(r.CPU, r.System.Processor) }).hideEmpty(),
		text("interconnect", func(r *Row) string { return parts.Stated(r.Network, r.System.Interconnect) }).hideEmpty(),
		text("file system", func(r *Row) string { return r.System.FileSystem }).hideEmpty(),
		count("processes", func(r *Row) int { return r.Processes }).headed("procs"),
		count("per node", func(r *Row) int { return r.PerNode }).hideEmpty(),
		count("nodes", func(r *Row) int { return r.Nodes }).hideEmpty(),
		text("numbering", func(r *Row) string { return r.Numbering }).hideEmpty(),
		mebibytes("Lmax", func(r *Row) int64 { return r.Longest }).only(bEff),
		mebibytes("M_PART", func(r *Row) int64 { return r.Longest }).only(bEffIO),
		mebibytes("memory per process", func(r *Row) int64 { return r.MemoryPerProcess }).hideEmpty(),
		text("kernels", func(r *Row) string { return r.Kernels }).only(probes),
		text("tests", func(r *Row) string { return r.Kernels }).only(others).with("Figures of other programs are " +
			"shown as those programs print them. Programs measure in different ways."),
	}
	intervals = []column{
		newColumn(document.Column{Name: interval, Unit: "%", Numbers: true}, (*Row).doubtCell).headed("±").ofRows().
			with("± is half of the rating's 95 % interval. With three or more runs it is the interval of their " +
				"mean, from the differences between them. With fewer it comes from the repetitions within a run, and " +
				"other runs may differ by more. Models and printed figures have none."),
		percent("± within the run", func(r *Row) float64 { return r.half(r.Within()) }),
		percent("± between runs", func(r *Row) float64 { return r.half(r.Between) }).ofRows(),
	}
	trailingColumns = []column{
		measure("Rmax", "TFlop/s", func(r *Row) float64 { return r.System.Rmax }).hideEmpty(),
		measure("balance to Rmax", "B/kFlop", (*Row).toRmax).hideEmpty().with("Balance to Rmax: bytes per 1000 " +
			"operations of the Linpack benchmark. Only results on the whole system have one, because Rmax is the " +
			"whole system's."),
		text(library, (*Row).library),
		text(class, func(r *Row) string { return label(r.Class) }).with("A result is in the class full if it was " +
			"measured over an MPI by the usual rules, and its longest message or chunk is 1/128 of the available " +
			"memory, within 10 %, or that memory is not known. The names of other classes show their differences. " +
			"Each class is ranked separately."),
		count("runs", func(r *Row) int { return r.Runs }).ofRows(),
		text(status, (*Row).status).with("Results with the same system, class, number of processes, processes per " +
			"node and library share a row. Its figures are the geometric means of the valid results, noisy or not. " +
			"With --all each result has its own row."),
		text("b_eff_io status", func(r *Row) string {
			if r.IO == nil {
				return ""
			}
			return r.IO.statusOfOther()
		}).only(bEff).hideEmpty().with("The b_eff_io in a row of b_eff is the best one of the system; valid results " +
			"come before others. Its status is in a separate column."),
		dated("date", func(r *Row) time.Time { return r.Date }).with("Dates are in UTC. Local time is " +
			"the time of the site of an imported result, whose file doesn't name the zone."),
		text("engine", func(r *Row) string { return r.Engine.String() }),
		text("rules", func(r *Row) string { return r.Rules }),
		text("benchmark", func(r *Row) string { return r.Benchmark }),
		text("file", func(r *Row) string { return r.File }),
		text("note", func(r *Row) string { return r.System.Note }).hideEmpty(),
	}
)

// engines are the words for beff's engines in class labels.
var engines = map[rating.Engine]string{rating.Simulated: "model", rating.Embedded: "embedded",
	rating.SHMEM: "OpenSHMEM"}

// label returns the name of a class: its differences from the full class over an MPI by the usual rules.
func label(c rating.Class) string {
	var parts []string
	add := func(differs bool, text string) {
		if differs {
			parts = append(parts, text)
		}
	}
	add(c.Engine != rating.MPI, engines[c.Engine])
	add(c.Memory != "", strings.ReplaceAll(c.Memory, ", ", "/"))
	add(c.Rules != "" && c.Rules != usualRules[c.Benchmark],
		strings.TrimPrefix(c.Rules, usualRules[c.Benchmark]+", "))
	add(c.Limited > 0, strings.ReplaceAll(rating.Bytes(c.Limited), " ", ""))
	if len(parts) == 0 {
		return map[bool]string{false: "full", true: "MPI"}[unrated(c.Benchmark)]
	}
	return strings.Join(parts, "/")
}

// inWords describes a class by its differences from the full one.
func inWords(c rating.Class) string {
	var list []string
	if c.Engine != rating.MPI {
		list = append(list, map[rating.Engine]string{rating.Simulated: "computed by a model",
			rating.Embedded: "in one process, without an MPI", rating.SHMEM: "over OpenSHMEM"}[c.Engine])
	}
	if c.Memory != "" {
		list = append(list, "messages in memory of "+c.Memory)
	}
	if usual := usualRules[c.Benchmark]; c.Rules != "" && c.Rules != usual {
		list = append(list, "rules: "+strings.TrimPrefix(c.Rules, usual+", "))
	}
	if c.Limited > 0 {
		list = append(list, words.Either(c.Benchmark == bEff, "messages", "chunks")+" of at most "+
			rating.Bytes(c.Limited))
	}
	if len(list) == 0 {
		return "the usual rules, and the longest " + words.Either(c.Benchmark == bEff, "message", "chunk")
	}
	return strings.Join(list, ", ")
}

// usualRules are the rules that class labels don't mention.
var usualRules = map[string]string{bEff: "2001", bEffIO: string(beffio.RulesPaper)}

// dated returns a column of dates with times, or an empty text for a zero date.
func dated(name string, of func(*Row) time.Time) column {
	c := text(name, func(r *Row) string {
		if of(r).IsZero() {
			return ""
		}
		return words.Minute(of(r))
	})
	c.base = tidy.Date
	return c
}

// statusOfOther returns a result's status for a table of another benchmark, with its engine unless that is an MPI.
func (e *Entry) statusOfOther() string {
	text := (&Row{Entry: e}).status()
	if e.Engine == rating.MPI {
		return text
	}
	return text + ", " + e.Engine.String()
}
