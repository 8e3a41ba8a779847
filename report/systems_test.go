package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// systemsOf returns systems of example results, each with a name of its own.
func systemsOf(t *testing.T, of ...[]string) (systems []Side) {
	t.Helper()
	for i, names := range of {
		var s Side
		for _, name := range names {
			f := Read("../docs/example/" + name + ".json.gz")
			require.NoError(t, f.Problem)
			f.override(rating.System{Name: "System " + string(rune('A'+i))})
			s = append(s, f)
		}
		systems = append(systems, s)
	}
	return systems
}

// Each benchmark that two systems have is a chapter. A result without a partner is named.
func TestCompareSystems(t *testing.T) {
	systems := systemsOf(t, []string{"pingpong", "openmpi"}, []string{"mpich"}, []string{"pingpong", "two-nodes"})
	d, chapters, err := CompareSystems(systems)
	require.NoError(t, err)
	require.Equal(t, []string{"b_eff", "PingPong"}, lists.Each(chapters, func(c Chapter) string { return c.Name }))
	require.Equal(t, []int{0, 2}, chapters[1].Of)
	require.Equal(t, "System A, System B and System C", d.Title)
	require.Contains(t, d.Lead.Sentences[0], "Not of one class", "two nodes have other numbers of processes")
	for _, row := range d.Sections[0].Blocks[0].(*document.Table).Rows { // a row for each benchmark if they differ
		require.NotEqual(t, "MPI", row[0].Text)
		if row[0].Text == "MPI, b_eff" {
			require.Equal(t, []string{"Open MPI 4.1.4", "MPICH 4.0.2"}, []string{row[1].Text, row[2].Text})
		}
	}
	numbers := d.Sections[1].Blocks[0].(*document.Table)
	require.Len(t, numbers.Rows, 5)
	require.Equal(t, []int{3}, numbers.Breaks)
	require.Equal(t, "System B", numbers.Rows[1][1].Text)
	for _, write := range []func(*bytes.Buffer) error{
		func(b *bytes.Buffer) error { return document.HTML(b, d) },
		func(b *bytes.Buffer) error { return document.PDF(b, d) },
	} {
		require.NoError(t, write(new(bytes.Buffer)))
	}

	d, _, err = CompareSystems(systems[:2])
	require.NoError(t, err)
	require.Contains(t, d.Lead.Sentences[0], "No difference found: System B has")
	var text bytes.Buffer
	require.NoError(t, document.PlainText(&text, d))
	require.Contains(t, strings.Join(strings.Fields(text.String()), " "),
		"only System A has a result of PingPong, which isn't compared: ../docs/example/pingpong.json.gz")

	_, _, err = CompareSystems(systemsOf(t, []string{"pingpong"}, []string{"mpich"}))
	require.ErrorContains(t, err, "no two of System A and System B have results of one benchmark")
}

// Different results of one system are one document, and results of several systems are none.
func TestSystemDocument(t *testing.T) {
	one := systemsOf(t, []string{"pingpong", "openmpi"})[0]
	d := SystemDocument(one)
	require.Equal(t, "System A", d.Title)
	require.Equal(t, []string{"The results", "b_eff", "PingPong"},
		lists.Each(d.Sections, func(s document.Section) string { return s.Title }))
	require.NoError(t, d.Validate())
	require.Nil(t, SystemDocument(one[:1]))
	two := systemsOf(t, []string{"openmpi"}, []string{"mpich"})
	require.Nil(t, SystemDocument([]*File{two[0][0], two[1][0]}))
}

// A number that isn't valid is marked in the picture of the numbers, too. Systems whose results come from different
// processors have a warning, and the processor of each benchmark.
func TestCoverOfSystems(t *testing.T) {
	dir := t.TempDir()
	a := run(t, dir, "a.json", "System A", 1, nil)
	probes := systemsOf(t, []string{"pingpong"}, []string{"pingpong"})
	b := run(t, dir, "b.json", "System B", 2, func(m *fixture.Machine) { m.Config.Quick = true })
	d, _, err := CompareSystems([]Side{{a, probes[0][0]}, {b, probes[1][0]}})
	require.NoError(t, err)
	for _, f := range d.Figures() {
		if f.ID == "ratios" {
			var svg bytes.Buffer
			require.NoError(t, document.SVG(&svg, f))
			require.Contains(t, svg.String(), ">b_eff (NOT VALID)<")
		}
	}
	processors := map[string]string{}
	for _, row := range d.Sections[0].Blocks[0].(*document.Table).Rows {
		processors[row[0].Text] = row[1].Text
	}
	require.Equal(t, "Xeon", processors["processor, b_eff"])
	require.Equal(t, "AMD EPYC", processors["processor, PingPong"])
	require.True(t, slices.ContainsFunc(d.Notices, func(n document.Notice) bool {
		return n.Text == "the results of System A and System B come from different processors: b_eff: Xeon; "+
			"PingPong: AMD EPYC"
	}))
	names := lists.Each(d.Screen, func(f document.Fact) string { return f.Name })
	require.Subset(t, names, []string{"System A", "System B"}, "each number with its interval on the terminal")
}
