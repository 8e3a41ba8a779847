package ofbeffio

import (
	"bytes"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// ioPair returns a result, and a second one whose type 0 is read in a third of the time and which writes more slowly.
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

func comparedIO(t *testing.T, results ...*beffio.Result) *compare.Comparison {
	c, err := Compared([]string{"a", "b", "c"}[:len(results)], alone(results...))
	require.NoError(t, err)
	require.NoError(t, c.Document.Validate())
	return c
}

// The ratio is the ratio of the ratings, by either formula, and with one or all types rewritten.
func TestIORatio(t *testing.T) {
	for _, rules := range []beffio.Rules{beffio.RulesPaper, beffio.Rules21} {
		for _, all := range []bool{false, true} {
			a, b := ioPair(func(m *fixture.IO) { m.Config.Rules, m.Config.RewriteAll = rules, all })
			require.InDelta(t, b.Derived.BEffIO/a.Derived.BEffIO, comparedIO(t, a, b).Pairs[0].Main.Ratio(), 1e-12)
		}
	}
}

// Only the access that was made faster differs by more than the spread of the passes.
func TestIOFaster(t *testing.T) {
	a, b := ioPair(nil)
	c := comparedIO(t, a, b)
	o := c.Pairs[0]
	require.Equal(t, []int{0, 1, 2}, newView(a).whole)
	found := map[string]compare.Difference{}
	for _, d := range o.Groups[0].Rows {
		found[d.Name] = d.Difference
	}
	require.True(t, found["read, scatter"].Significant)
	require.True(t, found["read"].Significant)
	require.True(t, found["read, shared"].Interval().Known)
	require.False(t, found["read, shared"].Significant)
	require.False(t, found["write, shared"].Interval().Known)
	require.InDelta(t, 1/1.1, found["write, chunks of 1 MB"].Ratio(), 1e-9)
	require.Contains(t, found, "rewrite, chunks of M_PART")
	require.InDelta(t, b.Derived.Partitions[1].Accesses[2].Types[patterns.Scatter], found["read, scatter"].Second.Value,
		1)
}

// An incomplete last pass doesn't count. If only one result has several passes, there is no interval.
func TestIOPasses(t *testing.T) {
	a, b := ioPair(nil)
	for i := range b.Samples {
		if s := &b.Samples[i]; s.Pass == 2 && s.Pattern == 7 {
			s.Bytes /= 2
		}
	}
	require.Equal(t, []int{0, 1}, newView(b).whole)
	for _, d := range comparedIO(t, a, fixture.IOCluster().Result()).Pairs[0].Groups[0].Rows {
		require.False(t, d.Interval().Known, d.Name)
	}
}

func TestIOSame(t *testing.T) {
	a, _ := ioPair(nil)
	o := comparedIO(t, a, a).Pairs[0]
	require.InDelta(t, 1, o.Main.Ratio(), 1e-15)
	for _, d := range o.Groups[0].Rows {
		require.False(t, d.Significant, d.Name)
	}
}

// A result without a rating still has figures to compare.
func TestIOPart(t *testing.T) {
	a, _ := ioPair(nil)
	stopped := fixture.IOResults()["stopped"]
	for _, c := range []*compare.Comparison{comparedIO(t, a, stopped), comparedIO(t, stopped, a),
		comparedIO(t, stopped, stopped)} {
		require.False(t, c.Pairs[0].Main.Measured())
		require.NotEmpty(t, c.Pairs[0].Groups)
	}
	nothing := *stopped
	nothing.Samples, nothing.Files = nil, nil
	nothing.Derived = beffio.Derive(&nothing)
	c := comparedIO(t, a, &nothing)
	require.Negative(t, newView(&nothing).n)
	require.Empty(t, c.Pairs[0].Groups)
	_, err := Compared([]string{"a"}, alone(a))
	require.Error(t, err)
}

func TestIONotices(t *testing.T) {
	a, b := ioPair(func(m *fixture.IO) { m.Config.Rules = beffio.Rules21 })
	require.True(t, a.Valid)
	require.Empty(t, comparedIO(t, a, b).Document.Notices)
	m := fixture.IOCluster()
	m.Config.Partitions, m.Config.NoShared, m.Config.RewriteAll, m.Config.Memory, m.Config.Duration = []int{3}, true,
		true, 1<<30, time.Minute
	m.Run.Library.Engine = "local"
	var levels []document.Level
	for _, n := range comparedIO(t, m.Result(), a).Document.Notices {
		levels = append(levels, n.Level)
	}
	bad, warning := document.Bad, document.Warning
	require.Equal(t, []document.Level{bad, bad, bad, bad, warning, warning, warning, warning}, levels)
}

func TestIOComparison(t *testing.T) {
	a, b := ioPair(nil)
	var text bytes.Buffer
	require.NoError(t, document.PlainText(&text, comparedIO(t, a, b).Document))
	fixture.Golden(t, "compare_pair.txt", text.String())
}

// If a type is read in half the time, reading grows by the type's share, which is 2/6 for type 0 and 1/6 for the
// others. Reading is half of the paper's rating. Release 2.1's rating grows with the square root of reading.
func TestIOOneTypeFaster(t *testing.T) {
	for _, rules := range []beffio.Rules{beffio.RulesPaper, beffio.Rules21} {
		for _, typ := range beffio.Types() {
			a, b := fixture.IOCluster(), fixture.IOCluster()
			a.Config.Rules, b.Config.Rules = rules, rules
			first := a.Result()
			second := b.Result()
			for i := range second.Samples {
				s := &second.Samples[i]
				if s.Access == beffio.Read && second.Pattern(s.Pattern).Type == typ {
					s.Seconds /= 2
				}
			}
			for i := range second.Files {
				if f := &second.Files[i]; f.Access == beffio.Read && f.Type == typ.String() {
					f.Open, f.Close = f.Open/2, f.Close/2
				}
			}
			second.Derived = beffio.Derive(second)
			o := comparedIO(t, first, second).Pairs[0]
			best := first.Derived.Partitions[first.Rated()].Accesses
			weights := []float64{2. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6}
			read := 0.0
			for i, x := range best[2].Types {
				read += weights[i] * x
			}
			faster := read + weights[typ]*best[2].Types[typ]
			want := math.Sqrt(faster / read)
			if rules == beffio.RulesPaper {
				others := 0.25*best[0].Bandwidth + 0.25*best[1].Bandwidth
				want = (others + 0.5*faster) / (others + 0.5*read)
			}
			require.InEpsilon(t, want, o.Main.Ratio(), 1e-9)
			for _, d := range o.Groups[0].Rows {
				switch d.Name {
				case "read":
					require.InEpsilon(t, faster/read, d.Ratio(), 1e-9)
				case "read, " + typ.String():
					require.InEpsilon(t, 2, d.Ratio(), 1e-9)
				case "write", "rewrite":
					require.InEpsilon(t, 1, d.Ratio(), 1e-12)
				}
			}
		}
	}
}

// The spread of reading is the spread of its passes' bandwidths, in which type 0 counts twice.
func TestIOIntervalOfPasses(t *testing.T) {
	slow := fixture.IOCluster()
	slow.Passes = 3
	slow.Change = func(s *beffio.Sample) {
		if s.Access == beffio.Read {
			s.Seconds *= 1 + 0.1*float64(s.Pass)
		}
	}
	r := slow.Result()
	rated := r.Rated()
	mean := func(pass int) float64 {
		sum := 0.0
		for _, typ := range beffio.Types() {
			bytes, seconds := 0.0, 0.0
			for _, s := range r.Samples {
				if s.Partition == rated && s.Access == beffio.Read && s.Pass == pass &&
					r.Pattern(s.Pattern).Type == typ {
					bytes, seconds = bytes+float64(s.Bytes), seconds+s.Seconds
				}
			}
			for _, f := range r.Files {
				if f.Partition == rated && f.Access == beffio.Read && f.Pass == pass && f.Type == typ.String() {
					seconds += f.Open + f.Close
				}
			}
			sum += bytes / seconds
			if typ == patterns.Scatter {
				sum += bytes / seconds
			}
		}
		return sum / 6
	}
	each := []float64{mean(0), mean(1), mean(2)}
	want := compare.OfOne(mean(0), each)
	for _, d := range comparedIO(t, r, r).Pairs[0].Groups[0].Rows {
		if d.Name == "read" {
			require.True(t, d.Interval().Known)
			require.InEpsilon(t, want.Value, d.First.Value, 1e-9)
			require.InEpsilon(t, want.Deviation, d.Second.Deviation, 1e-9)
			require.Equal(t, 2, d.Second.Degrees)
		}
	}
}

// A class has the patterns whose l in Table 2 is its size, without those of a single call and those that fill up.
func TestIOChunkClasses(t *testing.T) {
	r := fixture.IOCluster().Result()
	v := newView(r)
	require.Equal(t, r.Rated(), v.n)
	for class, want := range map[string][]int{
		"1 kB": {5, 13, 21, 29, 38}, "1 kB + 8 B": {7, 15, 23, 31, 40}, "32 kB": {4, 12, 20, 28, 37},
		"32 kB + 8 B": {6, 14, 22, 30, 39}, "1 MB": {2, 3, 11, 19, 27, 36}, "1 MB + 8 B": {8, 16, 24, 32, 41},
		"M_PART": {1, 10, 18, 26, 35},
	} {
		for _, c := range chunkClasses {
			if c.name == class {
				require.Equal(t, want, c.common(v, v, beffio.Write), class)
			}
		}
	}
}

// alone returns sides with one result each.
func alone(results ...*beffio.Result) (sides [][]*beffio.Result) {
	for _, r := range results {
		sides = append(sides, []*beffio.Result{r})
	}
	return sides
}
