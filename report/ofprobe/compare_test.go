package ofprobe

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// probePair returns the results of a machine, and of one with twice its latency and half its time per byte.
func probePair() (*probe.Result, *probe.Result) {
	a, b := fixture.ProbeCluster(), fixture.ProbeCluster()
	b.Latency, b.PerByte = 2*a.Latency, a.PerByte/2
	for _, p := range []*fixture.Probe{a, b} {
		p.Add(kernel.MPI1, "PingPong", settings.Plain, 2, 1)
		p.Add(kernel.MPI1, "Allreduce", settings.Plain, 4, 1)
		p.Add(kernel.NBC, "Ibcast", settings.Plain, 4, 1)
	}
	a.Add(kernel.MPI1, "Barrier", settings.Plain, 4, 1)
	b.Add(kernel.EXT, "Unidir_Put", settings.Aggregate, 2, 1)
	return &a.Result, &b.Result
}

// sidesOf returns a side of each result.
func sidesOf(results ...*probe.Result) (sides [][]*probe.Result) {
	for _, r := range results {
		sides = append(sides, []*probe.Result{r})
	}
	return sides
}

func comparedProbes(t *testing.T, results ...*probe.Result) *compare.Comparison {
	c, err := Compared([]string{"a", "b", "c"}[:len(results)], sidesOf(results...))
	require.NoError(t, err)
	require.NoError(t, c.Document.Validate())
	return c
}

// Above 1 is faster, by the bandwidth if there is one and otherwise by the time.
func TestProbeRatios(t *testing.T) {
	a, b := probePair()
	o := comparedProbes(t, a, b).Pairs[0]
	require.Len(t, o.Groups, 3)
	for _, d := range o.Groups {
		require.Len(t, d.Rows, len(fixture.ProbeLengths))
		require.InDelta(t, 0.5, d.Rows[0].Ratio(), 1e-12)
		last := d.Rows[len(d.Rows)-1]
		require.InDelta(t, (1e-6+1e-10*4194304)/(2e-6+0.5e-10*4194304), last.Ratio(), 1e-12)
		require.InDelta(t, last.Ratio(), last.Shown[0].Of[0]/last.Shown[0].Of[1], 1e-12)
		short, long := d.Mean(-1, 1<<10).Ratio(), d.Mean(64<<10, math.MaxInt64).Ratio()
		require.Less(t, short, 1.0)
		require.Greater(t, long, 1.9)
	}
	require.Equal(t, []string{"Barrier (MPI1), 4 processes"}, o.OnlyFirst)
	require.Equal(t, []string{"Unidir_Put (EXT), 2 processes, aggregate"}, o.OnlySecond)
	// All rows count the same: three kernels with the same ratios.
	require.InDelta(t, o.Groups[0].Mean(-1, math.MaxInt64).Ratio(), o.Main.Ratio(), 1e-12)
}

func TestProbeSame(t *testing.T) {
	a, _ := probePair()
	c := comparedProbes(t, a, a, a)
	require.Len(t, c.Pairs, 2)
	require.InDelta(t, 1, c.Pairs[1].Main.Ratio(), 1e-15)
	require.Empty(t, c.Document.Notices)
}

// A single group is compared with the kernel without Multi-, unless both were measured.
func TestProbeGroupAlone(t *testing.T) {
	a, _ := probePair()
	b, _ := probePair()
	b.Blocks[0].Multi = true
	o := comparedProbes(t, a, b).Pairs[0]
	require.Empty(t, o.OnlyFirst)
	require.Empty(t, o.OnlySecond)
	b.Blocks = append(b.Blocks, a.Blocks[0])
	o = comparedProbes(t, a, b).Pairs[0]
	require.Empty(t, o.OnlyFirst)
	require.Equal(t, []string{"Multi-PingPong (MPI1), 2 processes"}, o.OnlySecond)
}

// Lengths that only one has are named, and don't count.
func TestProbeLengths(t *testing.T) {
	a, b := probePair()
	b.Blocks[0].Rows = b.Blocks[0].Rows[1:]
	b.Blocks[1].Rows[2] = measured.Row{Bytes: b.Blocks[1].Rows[2].Bytes, Missing: "time-out"}
	a.Blocks[2].Rows = a.Blocks[2].Rows[:7]
	o := comparedProbes(t, a, b).Pairs[0]
	require.Equal(t, []string{"PingPong (MPI1), 2 processes, 0 bytes", "Allreduce (MPI1), 4 processes, 64 bytes",
		"Barrier (MPI1), 4 processes"}, o.OnlyFirst)
	require.Equal(t, "Ibcast (NBC), 4 processes, 4194304 bytes", o.OnlySecond[0])
	require.Len(t, o.Groups[0].Rows, len(fixture.ProbeLengths)-1)
}

// Results without anything in common have no ratio.
func TestProbeNothing(t *testing.T) {
	a, b := probePair()
	a.Blocks, b.Blocks = a.Blocks[3:], b.Blocks[3:]
	c := comparedProbes(t, a, b)
	require.False(t, c.Pairs[0].Main.Measured())
	_, err := Compared([]string{"a"}, sidesOf(a))
	require.Error(t, err)
}

func TestProbeNotices(t *testing.T) {
	a, b := probePair()
	a.Blocks, b.Blocks = a.Blocks[:3], b.Blocks[:3]
	b.Engine.Engine, b.Complete, b.Settings.Memory.CacheSize = "local", false, 1<<20
	b.Blocks[0].Rows[0].Defects = 3
	var levels []document.Level
	for _, n := range comparedProbes(t, a, b).Document.Notices {
		levels = append(levels, n.Level)
	}
	require.Equal(t, []document.Level{document.Bad, document.Bad, document.Bad, document.Warning}, levels)
}

// A notice reports that processes took turns.
func TestProbeCrowded(t *testing.T) {
	a, b := probePair()
	b.Placement = []job.Placement{{Host: "n1", Ranks: "0-3", Processes: 4, Processors: 2}}
	list := comparedProbes(t, a, b).Document.Notices
	require.Equal(t, document.Warning, list[0].Level)
	require.Contains(t, list[0].Text, "b: on host n1 there are more processes than processors")
}

// The library may not be known.
func TestProbeFact(t *testing.T) {
	a, b := probePair()
	b.Engine.Library, b.Engine.Version = "", ""
	facts := comparedProbes(t, a, b).Document.Facts
	require.Equal(t, "cluster, 4 processes, Open MPI 4.1.4, 2026-11-21", facts[0].Value)
	require.Equal(t, "cluster, 4 processes, 2026-11-21", facts[1].Value)
}

func TestProbeComparison(t *testing.T) {
	var text bytes.Buffer
	a, b := probePair()
	require.NoError(t, document.PlainText(&text, comparedProbes(t, a, b).Document))
	fixture.Golden(t, "compare_pair.txt", text.String())
}
