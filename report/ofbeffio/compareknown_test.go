package ofbeffio

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// If no partition has a rating, the largest partition with samples is compared, whatever the order.
func TestComparedPartition(t *testing.T) {
	for _, c := range []struct {
		partitions []int
		empty      int // partition without samples; negative for none
		want       int
	}{
		{[]int{2, 4}, -1, 1}, {[]int{4, 2}, -1, 0}, {[]int{2, 4, 3}, 1, 2}, {[]int{3, 4, 2}, 1, 0},
		{[]int{2, 3, 4}, 0, 2}, {[]int{4}, -1, 0}, {[]int{4}, 0, -1},
	} {
		m := fixture.IOCluster()
		m.Config.Partitions = c.partitions
		r := m.Result()
		require.Equal(t, slices.Index(c.partitions, 4), newView(r).n, "the rating of most processes")
		for _, last := range []beffio.Access{beffio.Rewrite, beffio.Write} {
			later := func(access beffio.Access) bool { return access != beffio.Write && access != last }
			r.Samples = slices.DeleteFunc(r.Samples, func(s beffio.Sample) bool {
				return later(s.Access) || s.Partition == c.empty
			})
			r.Files = slices.DeleteFunc(r.Files, func(f beffio.FileSample) bool {
				return later(f.Access) || f.Partition == c.empty
			})
			r.Derived = beffio.Derive(r)
			require.Equal(t, c.want, newView(r).n, "%+v until %s", c, last)
		}
	}
}

// Only passes of the compared partition with all of its files and samples count. A pass is whole if it moved as many
// bytes as the first one.
func TestPassesOfPartition(t *testing.T) {
	for _, partitions := range [][]int{{2, 4}, {4, 2}, {4}} {
		for changed := range partitions {
			for pass := 1; pass <= 2; pass++ {
				m := fixture.IOCluster()
				m.Config.Partitions, m.Passes = partitions, 3
				want := []int{0, 1, 2}
				if r := m.Result(); changed == r.Rated() {
					want = slices.DeleteFunc(want, func(i int) bool { return i == pass })
				}
				about := []any{"partition %d of %v, pass %d", changed, partitions, pass}
				r := m.Result()
				r.Files = slices.DeleteFunc(r.Files, func(f beffio.FileSample) bool {
					return f.Partition == changed && f.Pass == pass && f.Type == "separated"
				})
				require.Equal(t, want, newView(r).whole, about...)
				r = m.Result()
				for i := range r.Samples {
					if s := &r.Samples[i]; s.Partition == changed && s.Pass == pass && s.Pattern == 7 {
						s.Bytes--
					}
				}
				v := newView(r)
				require.Equal(t, want, v.whole, about...)
				require.Len(t, v.passes, 3*(43+5), "patterns and files of each pass")
				for _, s := range r.Samples {
					if s.Partition == v.n && s.Access == beffio.Read {
						require.Equal(t, transfer{s.Bytes, s.Seconds}, v.passes[passOf{s.Pass, s.Pattern}])
					}
				}
			}
		}
	}
}

// slowed returns a result whose times are 10^12 times as long, so that all bandwidths are below one byte per second.
func slowed(m *fixture.IO) *beffio.Result {
	r := m.Result()
	for i := range r.Samples {
		r.Samples[i].Seconds *= 1e12
	}
	for i := range r.Files {
		r.Files[i].Open *= 1e12
		r.Files[i].Close *= 1e12
	}
	r.Derived = beffio.Derive(r)
	return r
}

// Results are compared even if they are very slow and have one partition each. The bandwidth of a class of chunks is
// the mean of its patterns' bandwidths.
func TestSlowResults(t *testing.T) {
	a, b := fixture.IOCluster(), fixture.IOCluster()
	a.Config.Partitions, b.Config.Partitions = []int{4}, []int{4}
	b.Change = func(s *beffio.Sample) { s.Seconds /= 2 }
	first, second := slowed(a), slowed(b)
	require.Less(t, first.Derived.BEffIO, 0.01)
	o := comparedIO(t, first, second).Pairs[0]
	require.InEpsilon(t, second.Derived.BEffIO/first.Derived.BEffIO, o.Main.Ratio(), 1e-12)
	sum, patterns := 0.0, []int{4, 12, 20, 28, 37}
	for _, s := range first.Samples {
		if s.Access == beffio.Write && slices.Contains(patterns, s.Pattern) {
			sum += float64(s.Bytes) / s.Seconds
		}
	}
	found := 0
	for _, d := range o.Groups[0].Rows {
		if d.Name == "write, chunks of 32 kB" {
			found++
			require.InEpsilon(t, sum/float64(len(patterns)), d.First.Value, 1e-12)
			require.InEpsilon(t, 2, d.Ratio(), 1e-12)
		}
	}
	require.Equal(t, 1, found)
}
