package ranking

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// column is one column of the list: its head, and the function that returns its cell of a row.
type column struct {
	document.Column
	cell func(*Row) document.Cell
}

func of(e *Entry, figure func(*Entry) float64) float64 {
	if e == nil {
		return 0
	}
	return figure(e)
}

// number returns a cell of a number, "-" for 0, which means that there is no figure.
func number(x float64) document.Cell {
	if x == 0 {
		return document.Text("-")
	}
	decimals := 3
	for limit := 10.0; x >= limit && decimals > 0; limit *= 10 {
		decimals--
	}
	return document.Number(x, fmt.Sprintf("%.*f", decimals, x))
}

func text(name string, of func(*Row) string) column {
	return column{document.Column{Name: name}, func(r *Row) document.Cell { return document.Text(of(r)) }}
}

// figure is a column of the results of a benchmark.
func figure(name, unit string, scale float64, benchmark string, x func(*Entry) float64) column {
	return column{document.Column{Name: name, Unit: unit, Numbers: true}, func(r *Row) document.Cell {
		e := r.Best[benchmark]
		return shown(e, of(e, x)/scale)
	}}
}

// shown returns the cell of an entry's figure. Published figures are shown without decimals, as they are printed.
func shown(e *Entry, x float64) document.Cell {
	if x != 0 && e.Status == Published {
		return document.Number(x, fmt.Sprintf("%.0f", x))
	}
	return number(x)
}

func count(name string, of func(*Row) int) column {
	return column{document.Column{Name: name, Numbers: true}, func(r *Row) document.Cell {
		if of(r) == 0 {
			return document.Text("-")
		}
		return document.Number(float64(of(r)), fmt.Sprint(of(r)))
	}}
}

var list = []column{
	count("rank", func(r *Row) int { return r.Rank }),
	text("system", func(r *Row) string { return r.any().System.Name }),
	text("site", func(r *Row) string { return r.said(func(s rating.System) string { return s.Site }) }),
	count("processes", func(r *Row) int { return r.any().Processes }),
	{document.Column{Name: bEff, Unit: "MB/s", Numbers: true}, func(r *Row) document.Cell {
		e := r.Best[bEff]
		c := shown(e, of(e, func(e *Entry) float64 { return e.Rating })/words.Mega)
		c.Strong = true
		return c
	}},
	figure("per process", "MB/s", words.Mega, bEff, func(e *Entry) float64 { return e.PerProcess }),
	figure("at Lmax", "MB/s", words.Mega, bEff, func(e *Entry) float64 { return e.AtLmax }),
	figure("at Lmax per process", "MB/s", words.Mega, bEff, func(e *Entry) float64 { return e.AtLmaxPerProcess }),
	figure("ping-pong", "MB/s", words.Mega, bEff, func(e *Entry) float64 { return e.PingPong }),
	figure("latency", "µs", words.Micro, bEff, func(e *Entry) float64 { return e.Latency }),
	figure(bEffIO, "MB/s", words.Mega, bEffIO, func(e *Entry) float64 { return e.Rating }),
	figure("balance", "1/s", 1, bEff, func(e *Entry) float64 {
		return ratio(e.PerProcess, float64(e.MemoryPerProcess))
	}),
	figure("memory written", "s", 1, bEffIO, func(e *Entry) float64 { return ratio(e.memory(), e.Write) }),
	count("runs", func(r *Row) int { return r.Runs }),
	text("status", status),
	text("note", func(r *Row) string { return r.said(func(s rating.System) string { return s.Note }) }),
}

// said returns the text that of gives for the first of a row's results that has one.
func (r *Row) said(of func(rating.System) string) string {
	for _, e := range r.results() {
		if of(e.System) != "" {
			return of(e.System)
		}
	}
	return ""
}

// status returns the worst status of a row's results, followed by their remarks. If the remarks differ, each begins
// with the name of its benchmark.
func status(r *Row) string {
	worst := Valid
	var remarks []string
	list := r.results()
	for _, e := range list {
		worst = max(worst, e.Status)
		differ := slices.ContainsFunc(list, func(other *Entry) bool { return other.Remark != e.Remark })
		switch {
		case e.Remark == "":
		case differ:
			remarks = append(remarks, e.Benchmark+": "+e.Remark)
		case len(remarks) == 0:
			remarks = append(remarks, e.Remark)
		}
	}
	return strings.Join(append([]string{worst.String()}, remarks...), ", ")
}

func ratio(a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return a / b
}

// optional columns are left out if all their cells are empty. The others are always there, for scripts.
var optional = map[string]bool{"site": true, "note": true, bEffIO: true, "memory written": true}

const (
	bEff   = "b_eff"
	bEffIO = "b_eff_io"
)

// communication holds the columns that are left out of a list of b_eff_io results alone.
var communication = map[string]bool{bEff: true, "per process": true, "at Lmax": true, "at Lmax per process": true,
	"ping-pong": true, "latency": true, "balance": true}

// memory returns the bytes of memory that the bytes written by b_eff_io are compared with: that of all nodes if it is
// known, else that of all processes.
func (e *Entry) memory() float64 {
	return float64(cmp.Or(e.TotalMemory, e.MemoryPerProcess*int64(e.Processes)))
}

// Document returns the list as a document.
func Document(rows []Row) *document.Document {
	by := principalOf(rows)
	t := &document.Table{ID: "ranking", Sortable: true, Caption: "Systems by " + by + "."}
	var used []column
	for _, c := range list {
		if (!optional[c.Name] || known(c, rows)) && (by == bEff || !communication[c.Name]) {
			used = append(used, c)
			t.Columns = append(t.Columns, c.Column)
		}
	}
	for i := range rows {
		var cells []document.Cell
		for _, c := range used {
			cells = append(cells, c.cell(&rows[i]))
		}
		t.Rows = append(t.Rows, cells)
	}
	d := &document.Document{
		Title: "Effective bandwidth of systems", Subtitle: fmt.Sprintf("%d rows", len(rows)), Date: newest(rows),
		Notices:  notices(rows),
		Sections: []document.Section{{ID: "systems", Title: "Systems", Blocks: []document.Block{t}}},
	}
	s := &d.Sections[0]
	if f := bars(rows); f != nil {
		s.Blocks = append(s.Blocks, f)
	}
	s.Blocks = append(s.Blocks, document.List(legends[by]))
	if len(rows) == 1 {
		d.Subtitle = "1 row"
	}
	return d
}

// bars returns a bar chart of the ranked systems, nil if there are less than two.
func bars(rows []Row) *document.Figure {
	by := principalOf(rows)
	var list []chart.RankedBar
	for i := range rows {
		if e := rows[i].Best[by]; rows[i].Rank > 0 && e != nil {
			list = append(list, chart.RankedBar{Name: fmt.Sprintf("%s, %d", e.System.Name, e.Processes),
				Value: e.Rating})
		}
	}
	if len(list) < 2 {
		return nil
	}
	return chart.Ranking("ranking-bars", by+" of the ranked systems, with their numbers of processes.", list)
}

// legends holds the notes below a list by the benchmark that it is ranked by.
var legends = map[string][]string{bEff: {
	"1 MB/s = 10^6 bytes per second. Ranked by b_eff are valid results and published ones; the others stand below, " +
		"without a rank.",
	"Results of a system stand in one row, the best of each benchmark, valid ones before others; \"runs\" counts " +
		"all that were given. With --all each has its own.",
	"Latency is the time of one exchange of a process at the shortest message over rings and randoms.",
	"Balance is b_eff per process over memory per process: how often in a second the memory could be communicated. " +
		"Memory written: seconds in which b_eff_io would write the memory of all nodes in use, or of all processes " +
		"where that is not known.",
	"Paper 2001: Table 1 of Rabenseifner and Koniges, Effective Communication and File-I/O Bandwidth Benchmarks, " +
		"LNCS 2131, 2001.",
}, bEffIO: {
	"1 MB/s = 10^6 bytes per second. Ranked by b_eff_io are valid results; the others stand below, without a rank. " +
		"Each b_eff_io is by the rules of its result.",
	"A row is the best result of a system, a valid one before others; \"runs\" counts all that were given. With " +
		"--all each has its own.",
	"Memory written: seconds in which b_eff_io would write the memory of all nodes in use, or of all processes " +
		"where that is not known.",
}}

func known(c column, rows []Row) bool {
	for i := range rows {
		if cell := c.cell(&rows[i]); cell.Text != "" && cell.Text != "-" {
			return true
		}
	}
	return false
}

func newest(rows []Row) time.Time {
	var date time.Time
	for i := range rows {
		for _, e := range rows[i].results() {
			if e.Date.After(date) {
				date = e.Date
			}
		}
	}
	return date
}

// notices returns the numbers of rows that are not verified or not valid, as notices.
func notices(rows []Row) []document.Notice {
	counts := map[Status]int{}
	for i := range rows {
		worst := Valid
		for _, e := range rows[i].results() {
			worst = max(worst, e.Status)
		}
		counts[worst]++
	}
	var notices []document.Notice
	if n := counts[Unverified]; n > 0 {
		notices = append(notices, document.Notice{Level: document.Bad, Text: fmt.Sprintf("UNVERIFIED: %d of %d rows "+
			"hold results that don't follow from their samples", n, len(rows)),
			Remedy: "beff verify FILE says what is wrong"})
	}
	if n := counts[NotValid]; n > 0 {
		notices = append(notices, document.Notice{Level: document.Warning,
			Text:   fmt.Sprintf("%d of %d rows hold results that are not valid for comparison", n, len(rows)),
			Remedy: "beff report FILE says why"})
	}
	return notices
}
