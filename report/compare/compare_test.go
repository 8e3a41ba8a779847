package compare

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// pair is a machine and one of other latency and bandwidth.
func pair() (*beff.Result, *beff.Result) {
	b := fixture.Cluster("b")
	b.Latency, b.PerByte, b.Random = 1.3e-6, 0.8e-10, 1.7
	return fixture.Cluster("a").Result(), b.Result()
}

func compared(t *testing.T, results ...*beff.Result) *Comparison {
	c, err := BEff([]string{"a", "b", "c"}[:len(results)], results)
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
		for _, parts := range [][]Part{o.Gap.Areas, o.Gap.Patterns} {
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

// What was made slower is what drives the gap.
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

// Welch's interval, against Student's where they are the same.
func TestWelch(t *testing.T) {
	// The interval is around the ratio of the geometric means.
	i := welch([]float64{10, 10.5, 11}, []float64{11, 12, 13})
	require.True(t, i.Known)
	require.InDelta(t, math.Log(12.0/10.5), (math.Log(i.Low)+math.Log(i.High))/2, 5e-3)
	require.Less(t, i.Low, 1.0)
	require.Greater(t, i.High, 1.25)
	// With equal variances and numbers Welch's is Student's with 4 degrees of freedom: t = 2.7764.
	x, y := []float64{1, math.E, math.Exp(2)}, []float64{math.Exp(10), math.Exp(11), math.Exp(12)}
	i = welch(x, y)
	half := 2.7764451 * math.Sqrt(2.0/3)
	require.InDelta(t, 10-half, math.Log(i.Low), 1e-6)
	require.InDelta(t, 10+half, math.Log(i.High), 1e-6)

	require.False(t, welch([]float64{1}, []float64{1, 2}).Known)
	require.False(t, welch([]float64{1, 0}, []float64{1, 2}).Known)
	require.Equal(t, Interval{2, 2, true}, rounded(welch([]float64{1, 1}, []float64{2, 2})))
}

func rounded(i Interval) Interval {
	i.Low, i.High = math.Round(i.Low*1e9)/1e9, math.Round(i.High*1e9)/1e9
	return i
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
	_, err := BEff([]string{"a"}, []*beff.Result{a})
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
		path := filepath.Join("testdata", "compare_"+name+".txt")
		if *update {
			require.NoError(t, os.MkdirAll("testdata", 0o755))
			require.NoError(t, os.WriteFile(path, text.Bytes(), 0o644))
			continue
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, string(want), text.String())
	}
}
