package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
	"github.com/effective-bandwidth/beff/report/offoreign"
	"github.com/effective-bandwidth/beff/report/parts"
)

// modelled returns a result as a model would have computed it.
func modelled(t *testing.T, dir, name string, slower float64) *File {
	m := fixture.Cluster(name)
	m.Latency, m.PerByte = m.Latency*slower, m.PerByte*slower
	r := m.Result()
	r.Engine = mpi.Library{Engine: "sim", Library: "beff simulated network", Stated: mpi.EngineKind{Simulated: true}}
	r.Warnings = append(r.Warnings, rating.SimulatedWarning(r.Engine, r.Host.Name)...)
	var b bytes.Buffer
	require.NoError(t, ofbeff.Form.Seal(&b, r))
	f := Read(file(t, dir, name+".json", b.String()))
	require.NoError(t, f.Problem)
	return f
}

// A simulated result is marked as such in its verdict, pictures, last line and comparisons, and never has an interval.
func TestModels(t *testing.T) {
	dir := t.TempDir()
	a, b := modelled(t, dir, "a", 1), modelled(t, dir, "b", 1.05)
	measured := run(t, dir, "c.json", "c", 1, nil)
	d := a.Document()
	require.Equal(t, "Computed by a model: nothing was measured", d.Notices[0].Text)
	require.Contains(t, d.Headline.Note, "(computed by a model)")
	for _, f := range d.Figures() {
		require.Equal(t, parts.OfModel, f.Label, f.ID)
		require.NotContains(t, f.Caption, "interval")
	}
	text := inAllFormats(t, d)
	require.NotContains(t, text, "±")
	require.NotContains(t, strings.ReplaceAll(text, "nothing was measured", ""), "valid for comparison\n")
	e := a.Entry()
	require.Nil(t, e.Within())
	require.Equal(t, "model", e.Status.String())
	require.Regexp(t, `, computed by a model$`, d.Last)

	c, err := Compare([]Side{{a}, {b}})
	require.NoError(t, err)
	require.False(t, c.Mains()[0].Interval().Known)
	require.Equal(t, "-4.8 %", c.Mains()[0].Effect())
	require.Contains(t, c.Document.Notices[0].Text, "a and b are computed by a model: nothing was measured")
	for _, f := range c.Document.Figures() {
		require.Equal(t, parts.OfModel, f.Label, f.ID)
	}
	require.NoError(t, Side{a}.Judged(Side{b}))
	require.ErrorContains(t, Side{a}.Judged(Side{measured}), "simulated network and MPI")
	c, err = Compare([]Side{{measured}, {a}})
	require.NoError(t, err)
	require.Equal(t, "b_eff of c, a (model)", c.Document.Title)
	require.Equal(t, "0.0 %", c.Mains()[0].Effect())
	c, err = Compare([]Side{{a, modelled(t, dir, "a", 1.01), modelled(t, dir, "a", 1.02)}, {b}})
	require.NoError(t, err)
	require.False(t, c.Mains()[0].Interval().Known, "models don't differ by chance")
}

// titles returns the titles of pictures, with the line below, by their IDs.
func titles(figures []*document.Figure) map[string][2]string {
	list := map[string][2]string{}
	for _, f := range figures {
		list[f.ID] = [2]string{f.Title, f.Source}
	}
	return list
}

// The title of each picture says what it shows and on how many processes. No two titles are equal.
func TestTitles(t *testing.T) {
	dir := t.TempDir()
	list := titles(run(t, dir, "a.json", "A", 1, nil).Document().Figures())
	const source = "A · 8 processes · Open MPI 4.1.4 · measured 2026-11-21"
	require.Equal(t, [2]string{"Rings and randoms: bandwidth per process over the mean of the rings, each method",
		source}, list["beff-bandwidth-methods"])
	require.Equal(t, [2]string{"Bandwidth of all patterns at all lengths over the mean of the rings", source},
		list["beff-heat"])
	seen := map[string]bool{}
	for id, x := range list {
		require.False(t, x[0] == "" || seen[x[0]], "%s: %s", id, x[0])
		seen[x[0]] = true
	}

	var b bytes.Buffer
	require.NoError(t, ofbeffio.Form.Seal(&b, fixture.IOCluster().Result()))
	io := Read(file(t, dir, "io.json", b.String()))
	processes := io.report.Header().Processes
	require.Greater(t, processes, 1)
	list = titles(io.Document().Figures())
	found := 0
	for id, x := range list {
		if strings.HasPrefix(id, "beffio-write") {
			found++
			require.Regexp(t, `^Bandwidth of write, \d+ process(es)?$`, x[0], id)
			require.NotContains(t, x[1], "process", id)
		}
	}
	require.Greater(t, found, 1)
}

// original returns an imported result of the original b_eff.
func original(t *testing.T, dir, name string, rated float64, processes int) *File {
	r := &foreign.Result{Identity: rating.Identity{Benchmark: foreign.Benchmark, SchemaVersion: foreign.SchemaVersion},
		Program: "b_eff", Imported: name, Processes: processes, Complete: true,
		Rating: &foreign.Rating{Name: foreign.BEff, Quantity: foreign.BytesPerSecond, Value: rated}}
	r.Warnings, r.Placement = []rating.Warning{}, []job.Placement{}
	column := func(name string) []foreign.Column {
		return []foreign.Column{{Name: name, Quantity: foreign.BytesPerSecond, Main: true}}
	}
	r.Tables = []foreign.Table{{Test: "randoms", Operation: foreign.RandomRing, Way: foreign.BestOfMethods,
		Lengths: true, Columns: column("per process"), Rows: []foreign.Row{{Bytes: 1, Values: []float64{1e15}}}},
		{Test: "rings", Operation: foreign.NaturalRing, Way: foreign.BestOfMethods, Lengths: true,
			Columns: column("per process"), Rows: []foreign.Row{{Bytes: 1, Values: []float64{1e14}}}}}
	var b bytes.Buffer
	require.NoError(t, offoreign.Form.Seal(&b, r))
	f := Read(file(t, dir, name+".json", b.String()))
	require.NoError(t, f.Problem)
	return f
}

// A result of b_eff is compared with an original one by b_eff, whichever comes first. So are two originals. Neither
// comparison takes the mean over all tables that both have.
func TestOriginal(t *testing.T) {
	dir := t.TempDir()
	ours := run(t, dir, "a.json", "A", 1, nil)
	x := ours.Entry().Figures["b_eff"].Value
	half, more := original(t, dir, "half", x/2, 8), original(t, dir, "more", x/2, 4)
	for i, c := range []struct {
		sides []Side
		ratio float64
		name  string
	}{{[]Side{{ours}, {half}}, 0.5, "b_eff"}, {[]Side{{half}, {ours}}, 2, "b_eff"},
		{[]Side{{half}, {original(t, dir, "quarter", x/4, 8)}}, 0.5, "b_eff"},
		{[]Side{{ours}, {more}}, 1, "b_eff per process"}} {
		made, err := Compare(c.sides)
		require.NoError(t, err)
		require.InEpsilon(t, c.ratio, made.Mains()[0].Ratio(), 1e-9, "%d", i)
		require.Equal(t, c.name, made.Mains()[0].Name)
		require.NotContains(t, made.Document.Headline.Note, "geometric mean")
	}
	require.ErrorContains(t, Side{ours}.Judged(Side{half}), "rules 2001 and 3.6")
	overview := half.Document().Sections[0].Blocks[0].(*document.Table)
	last := len(overview.Columns) - 1
	require.Equal(t, "bandwidth is", overview.Columns[last].Name)
	require.Equal(t, []string{"per process", "per process"}, []string{overview.Rows[0][last].Text,
		overview.Rows[1][last].Text})
	require.False(t, slices.ContainsFunc(overview.Rows, func(row []document.Cell) bool {
		return len(row) != len(overview.Columns)
	}))
}
