package ofbeff

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// pair returns the results of two machines with different latency and bandwidth.
func pair() (*beff.Result, *beff.Result) {
	b := fixture.Cluster("b")
	b.Latency, b.PerByte, b.Random = 1.3e-6, 0.8e-10, 1.7
	return fixture.Cluster("a").Result(), b.Result()
}

func compared(t *testing.T, results ...*beff.Result) *compare.Comparison {
	c, err := Compared([]string{"a", "b", "c"}[:len(results)], alone(results...))
	require.NoError(t, err)
	return c
}

// The ratio of two results is the ratio of their b_eff, per process if the numbers of processes differ.
func TestRatio(t *testing.T) {
	a, b := pair()
	more := fixture.Cluster("c")
	more.Processes, more.Config.Memory = 20, 1<<30
	c := compared(t, a, b, more.Result())
	require.Equal(t, "b_eff per process", c.Pairs[0].Main.Name)
	require.InDelta(t, b.Derived.BEff/a.Derived.BEff, c.Pairs[0].Main.Ratio(), 1e-12)
}

// Only patterns that were made slower have a ratio other than 1.
func TestSlowerRandoms(t *testing.T) {
	a, slow := fixture.Cluster("a"), fixture.Cluster("b")
	slow.Random = 3
	o := compared(t, a.Result(), slow.Result()).Pairs[0]
	require.InDelta(t, math.Sqrt(0.5), o.Main.Ratio(), 1e-9)
	for _, d := range o.Groups[0].Rows {
		if d.Name == "rings" {
			require.InDelta(t, 1, d.Ratio(), 1e-12)
			require.False(t, d.Significant)
		}
	}
}

func TestSame(t *testing.T) {
	a, _ := pair()
	c := compared(t, a, a)
	require.InDelta(t, 1, c.Pairs[0].Main.Ratio(), 1e-15)
	for _, d := range c.Pairs[0].Groups[0].Rows {
		require.False(t, d.Significant, d.Name)
	}
	require.NoError(t, document.PlainText(new(bytes.Buffer), c.Document))
}

func TestOneRepetition(t *testing.T) {
	m := fixture.Cluster("a")
	m.Config.Quick = true
	c := compared(t, m.Result(), m.Result())
	for _, d := range c.Pairs[0].Groups[0].Rows {
		require.False(t, d.Interval().Known)
	}
	require.Equal(t, document.Bad, c.Document.Notices[0].Level)
}

// A comparison accepts a result without b_eff.
func TestPart(t *testing.T) {
	a, _ := pair()
	m := fixture.Cluster("b")
	m.Config.Patterns = []string{"ping-pong"}
	c := compared(t, a, m.Result())
	require.False(t, c.Pairs[0].Main.Measured())
	require.NoError(t, document.PlainText(new(bytes.Buffer), c.Document))
}

func TestTooFew(t *testing.T) {
	a, _ := pair()
	_, err := Compared([]string{"a"}, alone(a))
	require.Error(t, err)
}

func TestNotices(t *testing.T) {
	a, b := pair()
	require.Empty(t, compared(t, a, b).Document.Notices)
	b.Rules, b.Lmax, b.Engine.Engine, b.Valid, b.Processes = beff.Rules36, 4096, "local", false, 16
	var levels []document.Level
	for _, n := range compared(t, a, b).Document.Notices {
		levels = append(levels, n.Level)
	}
	require.Equal(t, []document.Level{document.Bad, document.Bad, document.Bad, document.Bad, document.Warning}, levels)
}

// A comparison across classes warns that these ratings don't measure the same thing (finding A2 of a review: "b_eff
// grows with it").
func TestAcrossClasses(t *testing.T) {
	small := fixture.Cluster("b")
	small.Config.Memory = 256 << 20
	a, b := fixture.Cluster("a").Result(), small.Result()
	b.Engine.Engine = "local"
	d := compared(t, a, b).Document
	require.Equal(t, "the longest messages differ: a 32 MiB, b 2 MiB", d.Notices[1].Text)
	require.Contains(t, d.Notices[1].Remedy, "these ratings do not measure the same thing")
	require.Equal(t, "b compared with a", compared(t, a, a).Document.Subtitle)
}

// A ratio lies within its interval even if the best of all repetitions is far above each repetition (finding A6 of a
// review: a ratio of 3.009 with an interval of 3.332 to 6.216).
func TestRatioInInterval(t *testing.T) {
	source := rand.New(rand.NewPCG(1, 2))
	noisy := func() *beff.Result {
		r := fixture.Cluster("a").Result()
		for i := range r.Samples {
			r.Samples[i].Seconds *= math.Exp(math.Abs(source.NormFloat64()))
		}
		r.Derived = beff.Derive(r)
		return r
	}
	for range 10 {
		c := compared(t, noisy(), noisy())
		for _, d := range append(c.Pairs[0].Groups[0].Rows, compare.Row{Difference: c.Pairs[0].Main}) {
			require.True(t, d.Interval().Known && d.Interval().Holds(d.Ratio()), "%s: %v of %+v", d.Name, d.Ratio(),
				d.Interval())
		}
	}
}

func TestDocument(t *testing.T) {
	a, b := pair()
	more := fixture.Cluster("c")
	more.Processes = 16
	for name, c := range map[string]*compare.Comparison{"pair": compared(t, a, b),
		"processes": compared(t, a, b, more.Result())} {
		var text bytes.Buffer
		require.NoError(t, document.PlainText(&text, c.Document))
		fixture.Golden(t, "compare_"+name+".txt", text.String())
	}
}

// alone returns sides with one result each.
func alone(results ...*beff.Result) (sides [][]*beff.Result) {
	for _, r := range results {
		sides = append(sides, []*beff.Result{r})
	}
	return sides
}
