package report

import (
	"bytes"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/effective-bandwidth/beff/internal/mutants"
	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/format/tools"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
	"github.com/effective-bandwidth/beff/report/offoreign"
	"github.com/effective-bandwidth/beff/report/ofprobe"
	"github.com/effective-bandwidth/beff/report/ranking"
)

// Imported texts of b_eff_io and IMB can be compared with beff's own results, by pattern and length.
func TestCompareImported(t *testing.T) {
	compared := func(first, second Report) [][]string {
		c, err := compared(nil, []string{"a", "b"}, [][]Report{{first}, {second}})
		require.NoError(t, err)
		require.NoError(t, c.Document.Validate())
		var list [][]string
		for _, g := range c.Pairs[0].Groups {
			require.NotEmpty(t, g.Rows, g.Name)
			for _, d := range g.Rows {
				require.InEpsilon(t, 1, d.Ratio(), 0.02, "%s %s", g.Name, d.Name)
			}
			list = append(list, g.Words)
		}
		return list
	}
	old := fixture.IOResults()["old"]
	theirs := imported(t, fixture.Foreign(t))
	own := ofbeffio.Report{Result: old}
	require.Len(t, compared(own, theirs), len(own.Common().Tables))
	e := theirs.Entry()
	require.Equal(t, []any{"b_eff_io", "2.1", old.Derived.Processes}, []any{e.Benchmark, e.Rules, e.Processes})
	ours := own.Entry()
	for _, key := range []string{"b_eff_io", "b_eff_io_paper", "b_eff_io_2_1", "write", "rewrite", "read",
		"read_scatter"} {
		require.InEpsilon(t, ours.Figures[key].Value, e.Figures[key].Value, 1e-3, key)
	}
	require.Equal(t, []any{ours.MemoryPerProcess, ours.Longest}, []any{e.MemoryPerProcess, e.Longest})
	ranking.Document(ranking.Rank([]ranking.Entry{e, ours}, false), ranking.View{})

	p := fixture.ProbeCluster()
	p.Add(kernel.MPI1, "PingPong", settings.Plain, 2, 1)
	p.Add(kernel.MPI1, "Allreduce", settings.Plain, 4, 1)
	p.Add(kernel.MPI1, "Exchange", settings.Plain, 4, 1) // which no other program measures
	p.Add(kernel.IO, "P_Write_Indv", settings.NonAggregate, 4, 1)
	text := strings.Replace(fixture.IMBText(t, &p.Result), "#    beff probe ", "#    Intel(R) MPI Benchmarks parts ", 1)
	// four times, and three bandwidths
	require.Len(t, compared(ofprobe.Report{Result: &p.Result}, imported(t, text)), 4+3)
}

// imported returns the report of a text.
func imported(t testing.TB, text string) offoreign.Report {
	r, err := tools.Read(strings.NewReader(text), "a.txt")
	require.NoError(t, err)
	return offoreign.Report{Result: r}
}

// Every text that can be imported can be proven, reported, ranked and compared. This is tried with every eighth mutant,
// because it takes far longer than reading.
func FuzzImported(f *testing.F) {
	var seeds []string
	for _, r := range fixture.Probed() {
		seeds = append(seeds, fixture.IMBText(f, r))
	}
	seeds = append(seeds, fixture.Foreign(f), strings.ReplaceAll(fixture.Foreign(f), "1032", "4096"))
	slices.SortFunc(seeds, func(a, b string) int { return len(a) - len(b) })
	for _, text := range seeds {
		f.Add(text)
	}
	probed := fixture.ProbeCluster()
	probed.Add(kernel.MPI1, "PingPong", settings.Plain, 2, 1)
	others := []Report{ofbeffio.Report{Result: fixture.IOCluster().Result()}, ofprobe.Report{Result: &probed.Result}}
	mutants.Fuzz(f, func(t *testing.T, text string) {
		r, err := tools.Read(strings.NewReader(text), "a.txt")
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		if !mutants.Fuzzing() && !slices.Contains(seeds, text) && crc32.ChecksumIEEE([]byte(text))%8 > 0 {
			return
		}
		var b bytes.Buffer
		require.NoError(t, offoreign.Report{Result: r}.Sealed(&b))
		k, err := find(b.Bytes())
		require.NoError(t, err)
		require.Equal(t, foreign.Benchmark, k.name)
		read, err := k.read(b.Bytes())
		require.NoError(t, err)
		require.NoError(t, read.Document().Validate())
		require.NoError(t, read.KeyValue(new(bytes.Buffer), true))
		ranking.Document(ranking.Rank([]ranking.Entry{read.Entry()}, false), ranking.View{})
		for _, other := range others {
			for _, pair := range [][]Report{{read, other}, {other, read}} {
				c, err := compared(k, []string{"a", "b"}, [][]Report{{pair[0]}, {pair[1]}})
				require.NoError(t, err)
				require.NoError(t, c.Document.Validate())
			}
		}
	})
}
