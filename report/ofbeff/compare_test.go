package ofbeff

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/internal/golden"
	"github.com/effective-bandwidth/beff/report/versus"
)

// pair returns the results of two machines with different latency and bandwidth.
func pair() (*beff.Result, *beff.Result) {
	b := fixture.Cluster("b")
	b.Latency, b.PerByte, b.Random = 1.3e-6, 0.8e-10, 1.7
	return fixture.Cluster("a").Result(), b.Result()
}

func compared(t *testing.T, results ...*beff.Result) *Comparison {
	c, err := Compare([]string{"a", "b", "c"}[:len(results)], results)
	require.NoError(t, err)
	return c
}

// Shares sum to 100 %, the parts to the logarithm of the ratio of both b_eff.
func TestShares(t *testing.T) {
	a, b := pair()
	more := fixture.Cluster("c")
	more.Processes, more.Config.Memory = 20, 1<<30
	c := compared(t, a, b, more.Result())
	require.True(t, c.PerProcess)
	for _, o := range c.Others {
		require.InDelta(t, math.Log(o.Ratio), o.Gap.Log, 1e-12)
		require.Len(t, o.Gap.Areas, 6)
		require.Len(t, o.Gap.Patterns, 36*3)
		for _, parts := range [][]versus.Part{o.Gap.Areas, o.Gap.Patterns} {
			share, log := 0.0, 0.0
			for i, p := range parts {
				share, log = share+p.Share, log+p.Log
				require.True(t, i == 0 || math.Abs(p.Log) <= math.Abs(parts[i-1].Log), "not in order")
			}
			require.InDelta(t, 1, share, 1e-9)
			require.InDelta(t, o.Gap.Log, log, 1e-12)
		}
	}
	require.InDelta(t, b.Derived.BEff/a.Derived.BEff, c.Others[0].Ratio, 1e-12)
}

// The patterns that were made slower drive the gap.
func TestDriver(t *testing.T) {
	a, slow := fixture.Cluster("a"), fixture.Cluster("b")
	slow.Random = 3
	o := compared(t, a.Result(), slow.Result()).Others[0]
	require.Equal(t, "randoms, long", o.Gap.Areas[0].Name)
	require.Greater(t, o.Gap.Areas[0].Share, 0.5)
	require.InDelta(t, math.Sqrt(0.5), o.Ratio, 1e-9)
	for _, d := range o.Differences {
		if d.Name == "rings" {
			require.InDelta(t, 1, d.Ratio(), 1e-12)
			require.False(t, d.LargerThanSpread())
		}
	}
}

func TestSame(t *testing.T) {
	a, _ := pair()
	c := compared(t, a, a)
	require.InDelta(t, 1, c.Others[0].Ratio, 1e-15)
	require.True(t, math.IsNaN(c.Others[0].Gap.Areas[0].Share))
	for _, d := range c.Others[0].Differences {
		require.False(t, d.LargerThanSpread(), d.Name)
	}
	require.NoError(t, document.PlainText(new(bytes.Buffer), c.Document(nil)))
}

func TestOneRepetition(t *testing.T) {
	m := fixture.Cluster("a")
	m.Config.Quick = true
	c := compared(t, m.Result(), m.Result())
	for _, d := range c.Others[0].Differences {
		require.False(t, d.Interval.Known)
	}
	require.Equal(t, document.Bad, c.Document(nil).Notices[0].Level)
}

// Results without b_eff have figures to show, and no gap.
func TestPart(t *testing.T) {
	a, _ := pair()
	m := fixture.Cluster("b")
	m.Config.Patterns = []string{"ping-pong"}
	c := compared(t, a, m.Result())
	require.Zero(t, c.Others[0].Ratio)
	require.Nil(t, c.Others[0].Gap)
	require.NoError(t, document.PlainText(new(bytes.Buffer), c.Document(nil)))
}

func TestTooFew(t *testing.T) {
	a, _ := pair()
	_, err := Compare([]string{"a"}, []*beff.Result{a})
	require.Error(t, err)
}

func TestNotices(t *testing.T) {
	a, b := pair()
	require.Empty(t, compared(t, a, b).notices())
	b.Rules, b.Lmax, b.Engine.Engine, b.Valid, b.Processes = beff.Rules36, 4096, "local", false, 16
	var levels []document.Level
	for _, n := range compared(t, a, b).notices() {
		levels = append(levels, n.Level)
	}
	require.Equal(t, []document.Level{document.Bad, document.Bad, document.Bad, document.Warning, document.Warning},
		levels)
}

func TestDocument(t *testing.T) {
	a, b := pair()
	more := fixture.Cluster("c")
	more.Processes = 16
	for name, c := range map[string]*Comparison{"pair": compared(t, a, b),
		"processes": compared(t, a, b, more.Result())} {
		var text bytes.Buffer
		require.NoError(t, document.PlainText(&text, c.Document(nil)))
		golden.Equal(t, "compare_"+name+".txt", text.String())
	}
}
