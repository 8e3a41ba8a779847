package report

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/words"
)

// tabled is a report with tables of its measurements. All results of a benchmark have the same tables.
type tabled interface{ Tables() []*tidy.Table }

// runColumn is the first column of all tables.
var runColumn = tidy.Column{Name: "run", Kind: tidy.Integer, About: "number of the result in the table runs"}

// Tables returns the result as tidy tables: a row about the run, its figures and criteria, then the benchmark's tables,
// of which it takes the rows that meet where, or all if where is nil. Their first column is the number of the run.
func (f *File) Tables(run int64, where *tidy.Condition) []*tidy.Table {
	e := f.Entry()
	list := []*tidy.Table{runs(f, &e), figures(&e), criteria(f)}
	if r, has := f.report.(tabled); has {
		for _, t := range r.Tables() {
			if where != nil {
				t = t.Where(where, e.Row())
			}
			list = append(list, t)
		}
	}
	for i, t := range list {
		list[i] = t.With(runColumn, run)
		list[i].By = f.report.Header().Beff
	}
	return list
}

// AllTables returns the tables that results can have, without rows.
func AllTables() (list []*tidy.Table) {
	f := &File{report: all[0].none}
	list = []*tidy.Table{runs(f, nil), figures(new(ranking.Entry)), criteria(nil)}
	for _, b := range all {
		if r, has := b.none.(tabled); has {
			list = append(list, r.Tables()...)
		}
	}
	for i, t := range list {
		list[i] = t.With(runColumn, int64(0))
	}
	return list
}

// CSV writes the table of the result's measurements.
func (f *File) CSV(w io.Writer) error {
	list := f.Tables(1, nil)
	return tidy.CSV(w, list[slices.IndexFunc(list, func(t *tidy.Table) bool { return t.Name == f.MainTable() })])
}

// MainTable returns the name of the table of the result's measurements, or of its figures if it has no such table.
func (f *File) MainTable() string {
	if r, has := f.report.(tabled); has {
		return r.Tables()[0].Name
	}
	return "figures"
}

// verdicts are the words for verdicts in tables and metrics, where programs compare them.
var verdicts = map[ranking.Status]string{ranking.Valid: "valid", ranking.Noisy: "noisy", ranking.Slowed: "slowed",
	ranking.Computed: "model",
	ranking.Imported: "imported", ranking.Published: "printed", ranking.Doubtful: "doubtful",
	ranking.NotValid: "not valid", ranking.Unverified: "unverified"}

// aRun is a row of the table of runs.
type aRun struct {
	*File
	*ranking.Entry
}

// runs returns the table of runs, with a row for the file.
func runs(f *File, e *ranking.Entry) *tidy.Table {
	type r = aRun
	number := func(n int64) int64 {
		return cmp.Or(n, tidy.None)
	}
	return tidy.Of("runs", "results", []tidy.Field[r]{
		tidy.String("file", "file that it was read from", func(x *r) string { return x.File.Name() }),
		tidy.String("digest", "SHA-256 of the result document", func(x *r) string { return x.Digest() }),
		tidy.String("measurement", "start of the run and a hash of its samples; equal in copies",
			func(x *r) string { return x.File.Measurement() }),
		tidy.String("benchmark", "b_eff, b_eff_io or probe", func(x *r) string { return x.kind.name }),
		tidy.String("system", "name of the system", func(x *r) string { return x.System.Name }),
		tidy.String("site", "institution and place", func(x *r) string { return x.System.Site }),
		tidy.String("note", "note on the system, by the people who measured",
			func(x *r) string { return x.System.Note }),
		tidy.String("vendor", "maker of the system", func(x *r) string { return x.System.Vendor }),
		tidy.String("model", "the maker's name of the system", func(x *r) string { return x.System.Model }),
		tidy.Int("year", "", "year of the installation", func(x *r) int64 { return number(int64(x.System.Year)) }),
		tidy.String("processor", "processor that the run found, or the stated one",
			func(x *r) string { return cmp.Or(x.CPU, x.System.Processor) }),
		tidy.Int("system_nodes", "", "nodes of the whole system",
			func(x *r) int64 { return number(int64(x.System.Nodes)) }),
		tidy.Int("memory_of_node", "B", "memory of a node of the system, as stated",
			func(x *r) int64 { return number(int64(x.System.Memory) << 30) }),
		tidy.String("interconnect", "network that the run found, or the stated one",
			func(x *r) string { return cmp.Or(x.Network, x.System.Interconnect) }),
		tidy.String("file_system", "file system of the system, as stated",
			func(x *r) string { return x.System.FileSystem }),
		tidy.Float("rmax_flops", "1/s", "operations per second of the whole system by Linpack (Rmax), as stated",
			func(x *r) float64 { return cmp.Or(x.System.Rmax*tera, math.NaN()) }),
		tidy.String("started", "time in UTC (RFC 3339), or local time, without a zone", func(x *r) string {
			if x.Date.IsZero() {
				return ""
			}
			return words.Timestamp(words.InUTC(x.Date))
		}),
		tidy.String("host", "host of process 0", func(x *r) string { return x.report.Header().Host.Name }),
		tidy.Int("processes", "", "processes of the whole job", func(x *r) int64 { return number(int64(x.Processes)) }),
		tidy.Int("nodes", "", "hosts of the processes", func(x *r) int64 { return number(int64(x.Nodes)) }),
		tidy.Int("per_node", "", "most processes on a node", func(x *r) int64 { return number(int64(x.PerNode)) }),
		tidy.String("numbering", "order of the ranks over the nodes: block, cyclic or other",
			func(x *r) string { return x.Numbering }),
		tidy.Int("memory_per_process", "B", "memory that sets the lengths",
			func(x *r) int64 { return number(x.MemoryPerProcess) }),
		tidy.Int("longest", "B", "longest message (Lmax) or chunk (M_PART)",
			func(x *r) int64 { return number(x.Longest) }),
		tidy.String("rules", "edition of the benchmark", func(x *r) string { return x.Rules }),
		tidy.String("class", "results of the same class are ranked together",
			func(x *r) string { return x.Class.String() }),
		tidy.String("engine", "engine, such as libmpi, local or sim",
			func(x *r) string { return x.report.Header().Engine.Engine }),
		tidy.String("library", "MPI library", func(x *r) string { return x.report.Header().Engine.Library }),
		tidy.String("library_version", "version of the MPI library",
			func(x *r) string { return x.report.Header().Engine.Version }),
		tidy.String(tidy.ByColumn, "version of beff that measured",
			func(x *r) string { return x.report.Header().Beff }),
		tidy.Yes("complete", "1: the run was finished", func(x *r) bool { return x.report.Header().Complete }),
		tidy.String("verdict", "valid, noisy, slowed (by a known cause), model, "+
			"imported, doubtful (imported figures contradict each other), "+
			"not valid, or unverified (its figures don't follow from its samples)",
			func(x *r) string { return verdicts[x.Status] }),
		tidy.String("cause", "code of the cause that explains most of a low number",
			func(x *r) string { return x.Cause.Code }),
	}, tidy.Each([]r{{f, e}}))
}

const tera = 1e12

// aFigure is a figure of a whole result.
type aFigure struct {
	rating.Figure
	rating.Value
}

// figures returns the table of figures of whole results.
func figures(e *ranking.Entry) *tidy.Table {
	type f = aFigure
	var list []f
	for _, of := range ranking.Figures(e.Benchmark) {
		if v, known := e.Figures[of.Key]; known {
			list = append(list, f{of, v})
		}
	}
	return tidy.Of("figures", "figures of whole results", []tidy.Field[f]{
		tidy.String("figure", "key of the figure (see docs/figures.md)", func(x *f) string { return x.Key }),
		tidy.String("unit", "B/s, B, s or 1/s", func(x *f) string { return x.Unit.Base }),
		tidy.Float("value", "", "value in this unit", func(x *f) float64 { return x.Value.Value }),
		tidy.Float("low", "", "lower end of its 95 % interval, if known", func(x *f) float64 { return x.Ends().Low }),
		tidy.Float("high", "", "upper end of the interval", func(x *f) float64 { return x.Ends().High }),
	}, tidy.Each(list))
}

// criteria returns the table of criteria.
func criteria(f *File) *tidy.Table {
	type c = rating.Criterion
	var list []c
	if f != nil {
		if v := f.report.Header().Verdict; v != nil {
			list = v.Criteria
		}
	}
	return tidy.Of("criteria", "criteria of results", []tidy.Field[c]{
		tidy.String("criterion", "name of the criterion", func(x *c) string { return x.Name }),
		tidy.Yes("met", "1: it is met", func(x *c) bool { return x.Reached }),
		tidy.Yes("known", "1: whether it is met is known", func(x *c) bool { return !x.Unknown }),
		tidy.String("text", "the criterion in words", func(x *c) string { return x.Text }),
	}, tidy.Each(list))
}

// measurements returns the tables of measurements, without their rows: tables of figures first, then tables of samples.
func measurements() []*tidy.Table {
	list := slices.DeleteFunc(AllTables(), func(t *tidy.Table) bool {
		return t.Name == "runs" || t.Name == "figures" || t.Name == "criteria"
	})
	slices.SortStableFunc(list, byRows)
	return list
}

// byRows compares tables of measurements for this order.
func byRows(a, b *tidy.Table) int {
	rows := func(t *tidy.Table) int { return words.Either(strings.HasSuffix(t.Name, "_rows"), 0, 1) }
	return rows(a) - rows(b)
}

// Fields returns the columns with a name that rows of results may have, or all columns for an empty name.
func Fields(name string) []tidy.Column {
	all := lists.Flat(measurements(), func(t *tidy.Table) []tidy.Column { return t.Columns[1:] })
	return append(ranking.Fields(name), lists.Where(all, func(c tidy.Column) bool {
		return name == "" || c.Name == tidy.KeyOf(name)
	})...)
}

// OfResults reports whether a condition uses only columns of rankings, and so selects whole results.
func OfResults(c *tidy.Condition) bool {
	return !slices.ContainsFunc(c.Names(), func(name string) bool { return len(ranking.Fields(name)) == 0 })
}
