package ofbeffio

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/findings"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Document returns the whole report of a result that has passed beffio's Result.Check, with all tables and the given
// figures.
func Document(r *beffio.Result, figures []*document.Figure) *document.Document {
	d := &document.Document{
		Title: "b_eff_io of " + parts.NameOf(r.System, r.Host), Subtitle: "effective I/O bandwidth",
		Headline: headline(r),
		Facts:    facts(r), Notices: parts.Notices(r.Verdict, r.Estimate()), Date: r.Started,
		Lead: parts.Lead(meaning, findings.IO(r)), Last: Line(r),
		Screen: parts.Screen(beffio.Benchmark, Report{r}.Header(), r.Estimate()),
	}
	if i := slices.IndexFunc(figures, func(f *document.Figure) bool { return f.ID == "beffio-write" }); i >= 0 {
		d.Lead.Figure, figures = figures[i], slices.Delete(slices.Clone(figures), i, i+1)
	}
	d.Sections = []document.Section{ratingsSection(r), typesSection(r), intervalsSection(r), tailsSection(r),
		parts.FiguresSection(figures)}
	for n := range r.Partitions {
		d.Sections = append(d.Sections, patternsSection(r, n))
	}
	d.Sections = parts.Sections(append(d.Sections, timesSection(r), hintsSection(r), parts.VerdictSection(r.Verdict),
		memorySection(r), errorsSection(r), environmentSection(r))...)
	return d
}

// formulas has the names of the rules' formulas.
var formulas = map[beffio.Rules]string{beffio.RulesPaper: "the paper", beffio.Rules21: "release 2.1"}

// meaning explains b_eff_io to readers who never ran MPI.
const meaning = "b_eff_io is the rate at which all processes together write, rewrite and read files, averaged over " +
	"five ways to lay out their data and over chunks from 1 kB to 1/128 of the memory. The higher it is, the less " +
	"time programs spend saving and loading their data."

func headline(r *beffio.Result) document.Headline {
	d := &r.Derived
	if d.BEffIO == 0 {
		return document.Headline{Name: "b_eff_io", Note: "not computed: it needs write, rewrite and read of all " +
			"pattern types on one partition"}
	}
	other, x := beffio.Rules21, d.Release21
	if r.Rules == beffio.Rules21 {
		other, x = beffio.RulesPaper, d.Paper
	}
	return parts.Headline("b_eff_io", r.Verdict, r.Estimate(), fmt.Sprintf("%s; on %s by %s's formula; by %s's "+
		"formula it is %s", intervalText(r), words.Processes(d.Processes), formulas[r.Rules], formulas[other],
		roundedLikeRating(r, x)))
}

// facts returns the known facts of the run.
func facts(r *beffio.Result) []document.Fact {
	list := parts.MachineFacts(r.System, &r.Host, r.Engine, ": one machine, no MPI-IO")
	f := &r.FileSystem
	list.Add(true, "directory", "%s", f.Directory)
	list.Add(true, "file system", "%s", parts.Stated(f.Type, parts.Described(r.System).FileSystem))
	list.Add(f.Size > 0, "capacity", "%s, %s free before the run", rating.Bytes(f.Size), rating.Bytes(f.Free))
	list.Add(true, "processes", "%d, rated in partitions of %s", r.Processes, words.Numbers(r.Partitions))
	list.Add(true, "memory", "%s per process%s", rating.Bytes(r.MemoryPerProcess),
		words.Either(r.TotalMemory > 0, ", "+rating.Bytes(r.TotalMemory)+" on all nodes in use", ""))
	list.Add(true, "longest chunk", "M_PART = %s", rating.Bytes(r.MPart))
	list.Add(true, "time", "T = %s s, %s s for each partition", words.Seconds(r.Duration),
		words.Seconds(r.Duration/float64(len(r.Partitions))))
	list.Add(r.Within > 0, "adaptive", "until b_eff_io is known within %.3g %%, at most %s s: %s of T", 100*r.Within,
		words.Seconds(r.AtMost), words.Count(len(r.Derived.Rounds), "whole round"))
	list.Add(true, "options", "%s", options(r))
	list.Add(true, "read from memory", "%s", fromMemory(r))
	if part := r.Closing(); part >= 0 { // not NaN
		list.Add(true, "closing", "%.1f %% of the time of reading%s", 100*part,
			words.Either(r.Keep, "", ", because it removes the files (results with --keep are in another class)"))
	}
	list.Add(true, "placement", "%s", parts.Placement(r.Placement))
	list.Add(true, "rules", "%s%s", r.Rules, words.Either(r.Quick, ", quick", ""))
	list.Add(true, "duration", "%.1f s", r.WallSeconds)
	list.Add(r.Beff != "", "program", "beff %s", r.Beff)
	return list
}

// options returns the options that change the measurements.
func options(r *beffio.Result) string {
	var list []string
	for _, o := range []struct {
		given bool
		text  string
	}{
		{r.NoShared, "type 1 with individual file pointers (--noshared)"},
		{r.NoUnique, "files opened without MPI_MODE_UNIQUE_OPEN (--nounique)"},
		{r.RewriteAll, "all pattern types rewritten (--rewrite)"}, {r.Keep, "files kept (--keep)"},
		{r.Cold != nil, coldDescription(r)},
		{len(r.Hints) > 0, fmt.Sprintf("%d hints given", len(r.Hints))},
	} {
		if o.given {
			list = append(list, o.text)
		}
	}
	return strings.Join(list, "; ")
}

// ratingsSection returns a table with the ratings of each partition by both formulas.
func ratingsSection(r *beffio.Result) document.Section {
	t := &document.Table{ID: "ratings", Caption: "Ratings of each partition by both formulas: the paper's weighted " +
		"sum, and release 2.1's square root of writing times reading. The rating of the best partition is b_eff_io. " +
		"A partition consists of the first ranks, so the launcher's placement determines its nodes and its processes " +
		"on each of them.",
		Columns: document.Heads("processes []", "nodes []", "processes per node []", "the paper [MB/s]",
			"release 2.1 [MB/s]", "write [MB/s]", "rewrite [MB/s]", "read [MB/s]", "data written [MB]",
			"data written / memory [%]", "time [s]")}
	for n, p := range r.Derived.Partitions {
		nodes, least, most := r.Nodes(n)
		perNode := parts.Number(float64(most), 0)
		if least < most {
			perNode = document.Text(fmt.Sprintf("%d to %d", least, most))
		}
		row := []document.Cell{parts.Number(float64(p.Processes), 0), parts.Number(float64(nodes), 0), perNode,
			parts.Bandwidth(p.Paper), parts.Bandwidth(p.Release21)}
		for _, a := range beffio.Accesses() {
			row = append(row, parts.Bandwidth(p.Access(a).Bandwidth))
		}
		part := 0.0
		if r.TotalMemory > 0 {
			part = 100 * float64(p.Bytes) / float64(r.TotalMemory)
		}
		row = append(row, parts.Number(float64(p.Bytes)/words.Mega, 1), parts.Number(part, 1),
			parts.Number(p.Seconds, 1))
		if rated := r.Derived.BEffIO > 0 && p.Processes == r.Derived.Processes; rated {
			i := map[beffio.Rules]int{beffio.RulesPaper: 3, beffio.Rules21: 4}[r.Rules]
			row[i] = parts.Strong(row[i])
		}
		t.Rows = append(t.Rows, row)
	}
	return document.Section{ID: "summary", Title: "Ratings", Blocks: []document.Block{t}}
}

// typesSection returns a table with a row for each access method of each partition.
func typesSection(r *beffio.Result) document.Section {
	var tables []document.Block
	for n, p := range r.Derived.Partitions {
		t := &document.Table{ID: fmt.Sprintf("types-%d", n+1), Columns: document.Heads("access"),
			Caption: fmt.Sprintf("%s: bytes moved divided by the time from open to close. The mean counts "+
				"scatter twice; the weighted mean weights the patterns by their units of time.",
				words.Processes(p.Processes))}
		for _, typ := range beffio.Types() {
			t.Columns = append(t.Columns, document.Heads(typ.String()+" [MB/s]")...)
		}
		t.Columns = append(t.Columns, document.Heads("mean [MB/s]", "weighted [MB/s]")...)
		for _, m := range p.Accesses {
			row := []document.Cell{document.Text(string(m.Access))}
			row = append(row, lists.Each(m.Types, parts.Bandwidth)...)
			t.Rows = append(t.Rows, append(row, parts.Strong(parts.Bandwidth(m.Bandwidth)),
				parts.Bandwidth(m.Weighted)))
		}
		tables = append(tables, t)
	}
	return parts.Section("types", "By access method and pattern type", tables...)
}

// place identifies a pattern in an access method of a partition.
type place struct {
	partition int
	access    beffio.Access
	what      int
}

// patternsSection returns a table of the patterns of a partition, with a column for each access method.
func patternsSection(r *beffio.Result, n int) document.Section {
	wrong, passes := map[place]int64{}, 0 // wrong chunks, in all passes
	for _, s := range r.Samples {
		wrong[place{s.Partition, s.Access, s.Pattern}] += s.Errors
		passes = max(passes, s.Pass+1)
	}
	t := &document.Table{ID: fmt.Sprintf("patterns-%d-table", n+1), Sortable: true, Columns: patternColumns(),
		Detail: n != r.Rated(),
		Caption: "Each pattern: contiguous bytes on disk and in memory, and its bandwidth from the barrier before " +
			"it to the one after it. The call that fills up a segment is a single short one. `beff export --table " +
			"b_eff_io_samples` has bytes, calls and times.",
	}
	if passes > 1 {
		t.Caption += fmt.Sprintf(" Read is from the first of %d passes.", passes)
	}
	for _, a := range beffio.Accesses() {
		t.Columns = append(t.Columns, document.Heads(string(a)+" [MB/s]")...)
	}
	for _, p := range r.Patterns {
		row, measured := patternCells(p), false
		for _, a := range beffio.Accesses() {
			errors, ok := wrong[place{n, a, p.Number}]
			measured = measured || ok
			if errors > 0 {
				row = append(row, parts.Strong(document.Text(fmt.Sprintf("%d ERRORS", errors))))
			} else {
				row = append(row, parts.Bandwidth(r.Bandwidth(n, a, p.Number)))
			}
		}
		if measured {
			t.Rows = append(t.Rows, row)
		}
	}
	return parts.Section(fmt.Sprintf("patterns-%d", n+1), "By pattern, on "+words.Processes(r.Partitions[n]), t)
}

func patternColumns() []document.Column {
	return document.Heads("pattern", "type", "on disk [B]", "in memory [B]")
}

func patternCells(p beffio.Pattern) []document.Cell {
	row := []document.Cell{document.Whole(p.Number), document.Text(p.Type.String())}
	if p.Memory == 0 {
		return append(row, document.Text("fill"), document.Text("fill"))
	}
	return append(row, parts.Number(float64(p.Disk), 0), parts.Number(float64(p.Memory), 0))
}

// timesSection returns tables of the time that each partition spent in opening, moving, synchronizing and closing.
func timesSection(r *beffio.Result) document.Section {
	var tables []document.Block
	for n, processesOf := range r.Partitions {
		t := &document.Table{ID: fmt.Sprintf("times-%d", n+1), Detail: n != r.Rated(),
			Columns: document.Heads("access", "type", "open [s]", "view [s]", "I/O [s]", "sync [s]", "barrier [s]",
				"broadcast [s]", "marks [s]", "close [s]", "all [s]"),
			Caption: fmt.Sprintf("Seconds on %s, all patterns of a type and all passes added up. Open, "+
				"view and close end when all processes are done. The columns from I/O to marks have the longest "+
				"time of any process, so the sum of the columns may exceed the last one.",
				words.Processes(processesOf))}
		for _, a := range beffio.Accesses() {
			for _, typ := range beffio.Types() {
				if row, ok := timesRow(r, n, a, typ); ok {
					t.Rows = append(t.Rows, row)
				}
			}
		}
		tables = append(tables, t)
	}
	section := parts.Section("times", "Where the time went", tables...)
	if len(section.Blocks) > 0 {
		section.Blocks = append(section.Blocks, document.Paragraph("Marks are stamps that are written into chunks, "+
			"or checked. Broadcasts send process 0's decision whether another call follows."))
	}
	return section
}

func timesRow(r *beffio.Result, n int, a beffio.Access, typ patterns.IOType) ([]document.Cell, bool) {
	var sum beffio.Sample
	open, closing, found := 0.0, 0.0, false
	for _, s := range r.Samples {
		if s.Partition == n && s.Access == a && r.Pattern(s.Pattern).Type == typ {
			found = true
			sum.Seconds, sum.IO, sum.Sync, sum.Marks = sum.Seconds+s.Seconds, sum.IO+s.IO, sum.Sync+s.Sync,
				sum.Marks+s.Marks
			sum.Barrier, sum.Broadcast, sum.View = sum.Barrier+s.Barrier, sum.Broadcast+s.Broadcast, sum.View+s.View
		}
	}
	for _, f := range r.Files {
		if f.Partition == n && f.Access == a && f.Type == typ.String() {
			open, closing = open+f.Open, closing+f.Close
		}
	}
	times := []float64{open, sum.View, sum.IO, sum.Sync, sum.Barrier, sum.Broadcast, sum.Marks, closing,
		open + sum.Seconds + closing}
	return append([]document.Cell{document.Text(string(a)), document.Text(typ.String())},
		lists.Each(times, func(x float64) document.Cell { return parts.Number(x, 4) })...), found
}

// hintsSection returns the hints that were given, and the hints that the library reported.
func hintsSection(r *beffio.Result) document.Section {
	all := func(text string) document.Cell {
		text = cmp.Or(text, "all")
		return document.Text(text)
	}
	given := &document.Table{ID: "hints-given", Caption: "Hints that were given. A hint with a chunk is for the " +
		"patterns with that many bytes on disk, and a hint with on_open is for opening the file.",
		Columns: document.Heads("line []", "processes", "access", "type", "chunk", "hint")}
	for _, h := range r.Hints {
		n, typ := "", ""
		if h.Processes != 0 {
			n = fmt.Sprint(h.Processes)
		}
		if h.Type != nil {
			typ = h.Type.String()
		}
		given.Add(parts.Number(float64(h.Line), 0), all(n), all(string(h.Access)), all(typ), h.Chunk, hint(h.Hint))
	}
	inForce := &document.Table{ID: "hints-in-force", Caption: "Hints that the library reports, if they differ from " +
		"the previous ones.", Columns: document.Heads("processes []", "access", "type", "hints")}
	for _, h := range r.HintsInForce {
		list := lists.Each(h.Hints, hint)
		inForce.Add(parts.Number(float64(r.Partitions[h.Partition]), 0), string(h.Access), h.Type, strings.Join(list,
			", "))
	}
	return parts.Section("hints", "File hints", given, inForce)
}

// errorsSection returns a list of the first wrong chunks.
func errorsSection(r *beffio.Result) document.Section {
	section := document.Section{ID: "errors", Title: "Wrong data"}
	list := document.List(lists.Each(r.Errors, func(e beffio.DataError) string {
		return fmt.Sprintf("%s on %s, pattern %d, rank %d, repetition %d, chunk %d, offset %d: expected %s, found %s",
			e.Access, words.Processes(r.Partitions[e.Partition]), e.Pattern, e.Rank, e.Repetition, e.Chunk, e.Offset,
			e.Expected, e.Found)
	}))
	if n := r.WrongChunks(-1); n > 0 {
		section.Blocks = []document.Block{document.Paragraph(fmt.Sprintf("%d chunks differ from the data that were "+
			"written. Patterns with errors have no bandwidth.", n))}
	}
	if len(list) > 0 {
		section.Blocks = append(section.Blocks, list)
	}
	return section
}

func environmentSection(r *beffio.Result) document.Section {
	list := document.List{"1 MB/s = 10^6 bytes per second, 1 MB = 10^6 bytes; memory and chunks count 1 MiB = " +
		"2^20 bytes"}
	if len(r.Samples) > 0 {
		measured := fmt.Sprintf("%d measurements in %.1f s", len(r.Samples), r.WallSeconds)
		list = append(document.List{measured}, list...)
	}
	return document.Section{ID: "environment", Title: "Environment",
		Blocks: append(parts.Surroundings(r.Placement, r.Circumstances), list)}
}

func hint(h mpi.Hint) string { return words.OneLine(h.Key) + "=" + words.OneLine(h.Value) }
