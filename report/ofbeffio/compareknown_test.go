package ofbeffio

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// Where no partition has a rating, the one of most processes that has samples is compared, whatever the order.
func TestComparedPartition(t *testing.T) {
	for _, c := range []struct {
		partitions []int
		empty      int // partition without samples; negative: none
		want       int
	}{
		{[]int{2, 4}, -1, 1}, {[]int{4, 2}, -1, 0}, {[]int{2, 4, 3}, 1, 2}, {[]int{3, 4, 2}, 1, 0},
		{[]int{2, 3, 4}, 0, 2}, {[]int{4}, -1, 0}, {[]int{4}, 0, -1},
	} {
		m := fixture.IOCluster()
		m.Config.Partitions = c.partitions
		r := m.Result()
		require.Equal(t, slices.Index(c.partitions, 4), newView(r, r.Rules).n, "the rating of most processes")
		r.Samples = slices.DeleteFunc(r.Samples, func(s beffio.Sample) bool {
			return s.Access == beffio.Read || s.Partition == c.empty
		})
		r.Files = slices.DeleteFunc(r.Files, func(f beffio.FileSample) bool {
			return f.Access == beffio.Read || f.Partition == c.empty
		})
		r.Derived = beffio.Derive(r)
		require.Equal(t, c.want, newView(r, r.Rules).n, "%+v", c)
	}
}

// Passes are those of the partition that is compared, with all of its files and samples.
func TestPassesOfPartition(t *testing.T) {
	for _, c := range []struct {
		partition int
		want      []int
	}{{0, []int{0, 1, 2}}, {1, []int{0, 1}}} {
		r, _ := ioPair(nil)
		require.Equal(t, 1, r.Rated())
		r.Files = slices.DeleteFunc(r.Files, func(f beffio.FileSample) bool {
			return f.Partition == c.partition && f.Pass == 2 && f.Type == "separated"
		})
		require.Equal(t, c.want, newView(r, r.Rules).whole, "a file of partition %d is missing", c.partition)
		r, _ = ioPair(nil)
		for i := range r.Samples {
			if s := &r.Samples[i]; s.Partition == c.partition && s.Pass == 2 && s.Pattern == 7 {
				s.Bytes--
			}
		}
		require.Equal(t, c.want, newView(r, r.Rules).whole, "a sample of partition %d is shorter", c.partition)
	}
}

// slowed returns a result whose every time was 10^12 times as long, so that no bandwidth is a byte per second.
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

// Results are compared however slow they are, and if each has one partition. Chunks of a class have the mean of the
// bandwidths of its patterns.
func TestSlowResults(t *testing.T) {
	a, b := fixture.IOCluster(), fixture.IOCluster()
	a.Config.Partitions, b.Config.Partitions = []int{4}, []int{4}
	b.Change = func(s *beffio.Sample) { s.Seconds /= 2 }
	first, second := slowed(a), slowed(b)
	require.Less(t, first.Derived.BEffIO, 0.01)
	o := comparedIO(t, first, second).Others[0]
	require.InEpsilon(t, second.Derived.BEffIO/first.Derived.BEffIO, o.Ratio, 1e-12)
	require.NotNil(t, o.Gap)
	sum, patterns := 0.0, []int{4, 12, 20, 28, 37}
	for _, s := range first.Samples {
		if s.Access == beffio.Write && slices.Contains(patterns, s.Pattern) {
			sum += float64(s.Bytes) / s.Seconds
		}
	}
	found := 0
	for _, d := range o.Differences {
		if d.Name == "write, chunks of 32 kB" {
			found++
			require.InEpsilon(t, sum/float64(len(patterns)), d.First, 1e-12)
			require.InEpsilon(t, 2, d.Ratio(), 1e-12)
		}
	}
	require.Equal(t, 1, found)
}
