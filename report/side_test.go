package report

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeff"
)

// run writes and reads a result of a system whose messages take slower times as long.
func run(t *testing.T, dir, name, system string, slower float64, change func(*fixture.Machine)) *File {
	m := fixture.Cluster(system)
	m.Latency, m.PerByte = m.Latency*slower, m.PerByte*slower
	if change != nil {
		change(&m)
	}
	var b bytes.Buffer
	require.NoError(t, ofbeff.Form.Seal(&b, m.Result()))
	f := Read(file(t, dir, name, b.String()))
	require.NoError(t, f.Problem)
	return f
}

// Runs of one system and configuration are one side. Sides are compared by their geometric means, with the interval
// between the runs.
func TestJoinedSides(t *testing.T) {
	dir := t.TempDir()
	a1, a2, a3 := run(t, dir, "a1.json", "A", 1, nil), run(t, dir, "a2.json", "A", 1.01, nil),
		run(t, dir, "a3.json", "A", 1.02, nil)
	passes := run(t, dir, "b.json", "B", 2, func(m *fixture.Machine) { m.Config.Passes, m.SlowerPerPass = 3, 0.01 })
	require.Equal(t, []Side{{a1, a2, a3}, {passes}}, SidePerSystem([]*File{a1, passes, a2, a3}))
	require.Equal(t, []Side{{a1}, {a2}, {a3}}, SidePerSystem([]*File{a1, a2, a3}),
		"there is nothing else to compare with")
	require.Equal(t, []Side{{a1, a2}, {a3}}, Sides([]*File{a1, a2, a3}, []int{2, 1}))

	b1, b2, b3 := run(t, dir, "b1.json", "B", 2, nil), run(t, dir, "b2.json", "B", 2.02, nil),
		run(t, dir, "b3.json", "B", 2.04, nil)
	c, err := Compare(SidePerSystem([]*File{a1, a2, a3, b1, b2, b3}))
	require.NoError(t, err)
	require.NoError(t, c.Document.Validate())
	require.InEpsilon(t, 0.5, c.Mains()[0].Ratio(), 1e-9, "1, 1.01, 1.02 compared with 2, 2.02, 2.04")
	spread := math.Log(1.02) / 2 // approximately, for 1, 1.01, 1.02
	in := c.Mains()[0].Interval()
	require.InEpsilon(t, 2.776*spread*math.Sqrt(2./3), math.Log(in.High/0.5), 0.01, "t of 4 degrees of freedom")
	require.Equal(t, "b_eff of A, B", c.Document.Title)
	require.Contains(t, c.Document.Facts[0].Value, "(95 %, between 3 runs); valid; ")
	require.Contains(t, c.Document.Facts[1].Value, "(95 %, between 3 runs); valid; ")

	c, err = Compare([]Side{{a1, a2, a3}, {passes}})
	require.NoError(t, err)
	require.InEpsilon(t, 0.5, c.Mains()[0].Ratio(), 1e-9, "the passes are one run, with their mean")
	require.NotContains(t, c.Document.Facts[1].Value, "mean of")

	c, err = Compare([]Side{{a1, a2}, {a3}})
	require.NoError(t, err)
	require.Equal(t, "b_eff of A a1 and 1 more, A a3", c.Document.Title)

	other := run(t, dir, "c.json", "A", 1, func(m *fixture.Machine) { m.Processes = 4 })
	require.Len(t, SidePerSystem([]*File{a1, a2, other}), 2)
	_, err = Compare([]Side{{a1, other}, {a3}})
	require.ErrorContains(t, err, "can't be runs of one side: b_eff, MPI, rules 2001, full Lmax on 8 processes")
}

// If a gate can't judge two sides because their classes differ, the first line of their comparison names the
// differences.
func TestOfOneClass(t *testing.T) {
	dir := t.TempDir()
	a, b := run(t, dir, "a.json", "A", 1, nil), run(t, dir, "b.json", "B", 2, nil)
	fewer := run(t, dir, "c.json", "C", 1, func(m *fixture.Machine) { m.Processes, m.Config.Memory = 4, 1<<30 })
	for other, want := range map[*File]string{
		b: "B compared with A",
		fewer: "NOT OF ONE CLASS: Lmax 32 MiB and 8 MiB, 8 and 4 processes, 8 and 4 processes per node; C " +
			"compared with A",
	} {
		c, err := Compare([]Side{{a}, {other}})
		require.NoError(t, err)
		require.Equal(t, want, c.Document.Subtitle)
		require.Equal(t, other == fewer, Side{a}.Judged(Side{other}) != nil)
	}
}

// Results are named by their systems. The names of files distinguish results of one system, and replace missing names.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	var files []*File
	for _, x := range [][2]string{{"1", "Hawk"}, {"2", "Vulcan"}, {"3", "Hawk"}, {"4", ""}, {"5", "4"}} {
		files = append(files, run(t, dir, x[0]+".json", x[1], 1, nil))
	}
	require.Equal(t, []string{"Hawk", "Vulcan"}, names(files[:2]))
	require.Equal(t, []string{"Hawk 1", "Vulcan", "Hawk 3", "4", "4 #2"}, names(files))
}
