package gpcnet_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/foreign"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/format/gpcnet"
	"github.com/effective-bandwidth/beff/report/format/live"
	"github.com/effective-bandwidth/beff/report/imports"
)

// ran returns the result of victims beside congestors, on ranks of the embedded engine.
func ran(t *testing.T, columns settings.Columns, beside ...string) *probe.Result {
	t.Helper()
	const ranks = 6
	share := 0.67
	c := probe.Config{Settings: settings.Settings{Columns: columns, SampleTime: 0.05, Load: &settings.Load{
		Share: &share, By: "process", Splits: 3, Blocks: 1, Beside: beside}}}
	for _, name := range []string{"Ring_latency", "Multiple_allreduce"} {
		k, _, _ := suites.FindIn(kernel.Load, name)
		c.Selections = append(c.Selections, probe.Selection{Kernel: k, Named: true})
	}
	var r *probe.Result
	require.NoError(t, local.Run(ranks, func(e mpi.Engine) error {
		own := c
		own.Engine = e
		plan, err := probe.NewPlan(ranks, own)
		if err != nil {
			return err
		}
		m, err := plan.Measure(e, rating.Observer[measured.Outcome]{})
		if e.World().Rank() == 0 {
			r = probe.NewResult(plan, m, probe.Run{Run: rating.Run{Library: e.Library()}})
		}
		return err
	}))
	return r
}

// The text has GPCNeT's tables with lines of one width, 99 % lies within the extremes, and the import reads it.
func TestText(t *testing.T) {
	for columns, width := range map[settings.Columns]int{settings.GPCNeTColumns: 80, settings.GPCNeTVerbose: 140} {
		var b bytes.Buffer
		require.NoError(t, live.Write(&b, ran(t, columns, "alltoall+incast"), gpcnet.New))
		text := b.String()
		require.True(t, strings.HasPrefix(text, "NetworkLoad Tests v1.3\n  Test with 6 MPI ranks (6 nodes)\n"+
			"  2 nodes running Network Tests\n  4 nodes running Congestion Tests (min 2 nodes per congestor)\n"), text)
		for line := range strings.Lines(text) {
			if n := len(strings.TrimRight(line, "\n")); strings.ContainsAny(line[:1], "|+") && n != 80 {
				require.Equal(t, width, n, line)
			}
		}
		read, err := imports.Read(strings.NewReader(text), "x")
		require.NoError(t, err)
		require.Equal(t, "GPCNeT", read.(interface{ Common() *foreign.Result }).Common().Program)
	}
}

// Congestors with bursts and without are others: each has tables of its own, and its factors.
func TestBursts(t *testing.T) {
	const steady, bursts = ": incast ", ": incast@1ms:0.3 "
	r := ran(t, settings.GPCNeTColumns, "incast", "incast@1ms:0.3")
	for columns, width := range map[settings.Columns]int{settings.GPCNeTColumns: 80, settings.GPCNeTVerbose: 140} {
		r.Settings.Columns = columns
		var b bytes.Buffer
		require.NoError(t, live.Write(&b, r, gpcnet.New))
		text := b.String()
		tables := 2 // beside the congestors, and the factors
		if columns == settings.GPCNeTVerbose {
			tables = 4 // the congestors alone, each victim beside them, the factors
			require.Regexp(t, `\|\s+Two-sided Incast \(4096 B\) \|`, text)
			require.Regexp(t, `\|\s+incast@1ms:0.3 \(4096 B\) \|`, text)
		}
		require.Equal(t, tables, strings.Count(text, steady), text)
		require.Equal(t, tables, strings.Count(text, bursts), text)
		for line := range strings.Lines(text) {
			if n := len(strings.TrimRight(line, "\n")); strings.ContainsAny(line[:1], "|+") && n != 80 {
				require.Equal(t, width, n, line)
			}
		}
		read, err := imports.Read(strings.NewReader(text), "x")
		require.NoError(t, err)
		require.NotEmpty(t, read)
	}
}
