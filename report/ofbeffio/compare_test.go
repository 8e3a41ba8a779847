package ofbeffio

import (
	"bytes"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/format/sum21"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/internal/golden"
	"github.com/effective-bandwidth/beff/report/versus"
)

// ioPair is a result and one whose type 0 is read in a third of the time.
func ioPair(change func(*fixture.IO)) (*beffio.Result, *beffio.Result) {
	a, b := fixture.IOCluster(), fixture.IOCluster()
	b.Change = func(s *beffio.Sample) {
		switch {
		case s.Access == beffio.Read && s.Pattern <= 8:
			s.Seconds /= 3
		case s.Access == beffio.Write:
			s.Seconds *= 1.1
		}
	}
	for _, m := range []*fixture.IO{a, b} {
		m.Passes = 3
		if change != nil {
			change(m)
		}
	}
	return a.Result(), b.Result()
}

func comparedIO(t *testing.T, results ...*beffio.Result) *Comparison {
	c, err := Compare([]string{"a", "b", "c"}[:len(results)], results)
	require.NoError(t, err)
	require.NoError(t, c.Document(nil).Validate())
	return c
}

// Shares sum to 100 %, the parts to the logarithm of the ratio, by each formula and whatever was rewritten.
func TestIOShares(t *testing.T) {
	for _, rules := range []beffio.Rules{beffio.RulesPaper, beffio.Rules21} {
		for _, all := range []bool{false, true} {
			a, b := ioPair(func(m *fixture.IO) { m.Config.Rules, m.Config.RewriteAll = rules, all })
			other := fixture.IOCluster()
			other.Config.RewriteAll, other.Config.Partitions = !all, []int{3}
			for _, o := range comparedIO(t, a, b, other.Result()).Others {
				require.InDelta(t, math.Log(o.Ratio), o.Gap.Log, 1e-12)
				share, log := 0.0, 0.0
				for i, p := range o.Gap.Parts {
					share, log = share+p.Share, log+p.Log
					require.True(t, i == 0 || math.Abs(p.Log) <= math.Abs(o.Gap.Parts[i-1].Log), "not in order")
				}
				require.InDelta(t, 1, share, 1e-9)
				require.InDelta(t, o.Gap.Log, log, 1e-12)
			}
			require.InDelta(t, b.Derived.BEffIO/a.Derived.BEffIO, comparedIO(t, a, b).Others[0].Ratio, 1e-12)
		}
	}
}

// What was made faster is what drives the gap, and what passes show to be larger than their spread.
func TestIODriver(t *testing.T) {
	a, b := ioPair(nil)
	c := comparedIO(t, a, b)
	o := c.Others[0]
	require.Equal(t, "read, scatter", o.Gap.Parts[0].Name)
	require.Greater(t, o.Gap.Parts[0].Share, 1.0)
	require.Equal(t, []int{0, 1, 2}, c.views[0].whole)
	found := map[string]versus.Difference{}
	for _, d := range o.Differences {
		found[d.Name] = d
	}
	require.True(t, found["read, scatter"].LargerThanSpread())
	require.True(t, found["read"].LargerThanSpread())
	require.True(t, found["read, shared"].Interval.Known)
	require.False(t, found["read, shared"].LargerThanSpread())
	require.False(t, found["write, shared"].Interval.Known)
	require.InDelta(t, 1/1.1, found["write, chunks of 1 MB"].Ratio(), 1e-9)
	require.Contains(t, found, "rewrite, chunks of M_PART")
	require.InDelta(t, b.Derived.Partitions[1].Accesses[2].Types[patterns.Scatter], found["read, scatter"].Second, 1)
}

// A last pass that is a part, or passes of only one result, give no interval.
func TestIOPasses(t *testing.T) {
	a, b := ioPair(nil)
	for i := range b.Samples {
		if s := &b.Samples[i]; s.Pass == 2 && s.Pattern == 7 {
			s.Bytes /= 2
		}
	}
	require.Equal(t, []int{0, 1}, comparedIO(t, a, b).views[1].whole)
	for _, d := range comparedIO(t, a, fixture.IOCluster().Result()).Others[0].Differences {
		require.False(t, d.Interval.Known, d.Name)
	}
}

func TestIOSame(t *testing.T) {
	a, _ := ioPair(nil)
	o := comparedIO(t, a, a).Others[0]
	require.InDelta(t, 1, o.Ratio, 1e-15)
	require.True(t, math.IsNaN(o.Gap.Parts[0].Share))
	for _, d := range o.Differences {
		require.False(t, d.LargerThanSpread(), d.Name)
	}
}

// Results without a rating have figures to show, and no gap.
func TestIOPart(t *testing.T) {
	a, _ := ioPair(nil)
	stopped := fixture.IOResults()["stopped"]
	for _, c := range []*Comparison{comparedIO(t, a, stopped), comparedIO(t, stopped, a),
		comparedIO(t, stopped, stopped)} {
		require.Zero(t, c.Others[0].Ratio)
		require.Nil(t, c.Others[0].Gap)
		require.NotEmpty(t, c.Others[0].Differences)
	}
	_, err := Compare([]string{"a"}, []*beffio.Result{a})
	require.Error(t, err)
}

func TestIONotices(t *testing.T) {
	a, b := ioPair(func(m *fixture.IO) { m.Config.Rules = beffio.Rules21 })
	require.True(t, a.Valid)
	require.Empty(t, comparedIO(t, a, b).notices())
	m := fixture.IOCluster()
	m.Config.Partitions, m.Config.NoShared, m.Config.RewriteAll, m.Config.Memory, m.Config.Duration = []int{3}, true,
		true, 1<<30, time.Minute
	m.Run.Library.Engine = "local"
	var levels []document.Level
	for _, n := range comparedIO(t, m.Result(), a).notices() {
		levels = append(levels, n.Level)
	}
	bad, warning := document.Bad, document.Warning
	require.Equal(t, []document.Level{bad, bad, bad, bad, warning, warning, warning, warning}, levels)
}

func TestIOComparison(t *testing.T) {
	a, b := ioPair(nil)
	var sum bytes.Buffer
	require.NoError(t, sum21.Write(&sum, fixture.IOResults()["old"]))
	imported, err := sum21.Read(&sum, "old.sum")
	require.NoError(t, err)
	for name, c := range map[string]*Comparison{"pair": comparedIO(t, a, b), "imported": comparedIO(t, a, imported)} {
		var text bytes.Buffer
		require.NoError(t, document.PlainText(&text, c.Document(nil)))
		golden.Equal(t, "compare_"+name+".txt", text.String())
	}
}
