package beffio

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/patterns"
)

// thousand returns the configuration of a run of 1000 s on 2 processes whose bytes have no limit. A whole set of
// accesses has 64 units of time for writing, 22 for rewriting type 0 and 64 for reading.
func thousand(change func(*Config)) Config {
	c := Config{Rules: RulesPaper, Duration: 1000 * time.Second, Memory: 256 << 20, MaxBytes: 1 << 60,
		Partitions: []int{2}}
	if change != nil {
		change(&c)
	}
	return c
}

// passOf returns the samples of an access in the first pass, by their patterns.
func passOf(r *Result, partition int, a Access) map[int]Sample {
	list := map[int]Sample{}
	for _, s := range r.Samples {
		if s.Partition == partition && s.Access == a && s.Pass == 0 {
			list[s.Pattern] = s
		}
	}
	return list
}

// "A pattern's share is T / partitions · U / (sum of U over the accesses made)". Calls are repeated while one more fits
// into the share: "elapsed · (r+1)/r ≤ share". The first pattern of a type is one call. A pattern that repeats another
// pattern's calls makes as many.
func TestShares(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(*Config)
		disk    disk
		unit    float64 // seconds of a unit of time
		seconds float64
	}{
		"all alike":     {nil, disk{write: 1e9, read: 1e9}, 1000. / 150, 1000},
		"all rewritten": {func(c *Config) { c.RewriteAll = true }, disk{write: 1e9, read: 1e9}, 1000. / 192, 1000},
		"slow reading":  {nil, disk{write: 1e9, read: 0.5e9}, 1000. / 150, 1000 * 214. / 150},
		"two partitions": {func(c *Config) { c.Partitions = []int{2, 1} }, disk{write: 1e9, read: 1e9}, 1000. / 300,
			1000},
	} {
		t.Run(name, func(t *testing.T) {
			config := thousand(c.change)
			r := rate(t, config, 2, c.disk)
			require.InEpsilon(t, c.seconds, r.WallSeconds, 5e-3)
			for n, processes := range r.Partitions {
				write, read := passOf(r, n, Write), passOf(r, n, Read)
				for _, p := range r.Patterns {
					s := write[p.Number]
					call := float64(processes) * float64(p.Memory) / c.disk.write
					switch {
					case p.Units > 0 && p.Type <= patterns.Separated:
						require.InEpsilon(t, c.unit*float64(p.Units), s.Scheduled, 1e-9, "pattern %d", p.Number)
						require.EqualValues(t, math.Floor(s.Scheduled/call), s.Repetitions, "pattern %d", p.Number)
						require.InEpsilon(t, call*float64(s.Repetitions), s.Seconds, 1e-6)
						require.InEpsilon(t, s.Seconds, s.IO, 1e-6)
						require.InEpsilon(t, call, s.LastIO, 1e-6)
						require.InDelta(t, 0, s.Marks+s.Barrier+s.Broadcast+s.Sync+s.LastBarrier, 1e-6)
					case p.Units == 0:
						require.EqualValues(t, 1, s.Repetitions, "pattern %d", p.Number)
					}
					x := read[p.Number]
					require.Equal(t, s.Repetitions, x.Repetitions)
					require.False(t, x.OutOfTime || s.OutOfTime || s.OutOfBytes, "pattern %d", p.Number)
				}
			}
		})
	}
}

// Files that are read faster than they were written are read again until the time is used.
func TestReadPasses(t *testing.T) {
	for speed, want := range map[float64]int{1: 1, 2: 2, 4: 4} {
		r := rate(t, thousand(nil), 2, disk{write: 1e9, read: speed * 1e9})
		require.InEpsilon(t, 1000, r.WallSeconds, 0.03)
		passes, whole := 0, 0.0
		for _, s := range r.Samples {
			if s.Access == Read {
				passes = max(passes, s.Pass+1)
				whole += s.Seconds
			}
		}
		require.InDelta(t, want, passes, 1, "and a part")
		require.InEpsilon(t, 64*1000./150, whole, 0.04, "%v times as fast", speed)
	}
}

// The sync is a part of a pattern's time. Its expected cost, per call and constant, is reserved from the share.
func TestSharesOfSync(t *testing.T) {
	for name, d := range map[string]disk{
		"as long as the calls":   {write: 1e9, read: 1e9, sync: 1e9},
		"longer than the calls":  {write: 5e9, read: 5e9, sync: 0.5e9},
		"and always some of it":  {write: 1e9, read: 1e9, sync: 1e9, always: 0.3},
		"always the same":        {write: 1e9, read: 1e9, always: 0.3},
		"shorter than the calls": {write: 1e9, read: 1e9, sync: 10e9},
	} {
		t.Run(name, func(t *testing.T) {
			r := rate(t, thousand(nil), 2, d)
			require.InEpsilon(t, 1000, r.WallSeconds, 0.2)
			for number, s := range passOf(r, 0, Write) {
				p := r.Pattern(number)
				if p.Units == 0 || p.Type > patterns.Separated {
					continue
				}
				call := 2 * float64(p.Memory) / d.write
				sync := d.always
				if d.sync > 0 {
					sync += float64(s.Bytes) / d.sync
				}
				require.InEpsilon(t, sync, s.Sync, 1e-6)
				require.InDelta(t, 0, s.Barrier, 1e-6, "no barrier takes time")
				require.InEpsilon(t, s.IO+sync, s.Seconds, 1e-6)
				if number > 1 {
					require.InDelta(t, s.Scheduled, s.Seconds, 0.02*s.Scheduled+call,
						"pattern %d: a sync is learned from others", number)
				}
			}
		})
	}
}

// If bytes are the limit, they are divided among the patterns by their units of time. The sum counts the bytes of types
// 0 and 1 once, and the bytes of type 2 three times, because types 3 and 4 each write at most as much. 2 MB for each
// process are reserved for rounding up their segments.
func TestSharesOfBytes(t *testing.T) {
	for _, partitions := range [][]int{{2}, {2, 1}} {
		const maxBytes = 100e9
		r := rate(t, thousand(func(c *Config) { c.MaxBytes, c.Partitions = maxBytes, partitions }), 2,
			disk{write: 1e13, read: 1e13})
		all, set := 0.0, 0.0
		for n := range partitions {
			for number, s := range passOf(r, n, Write) {
				p := r.Pattern(number)
				all += float64(s.Bytes)
				if p.Type > patterns.Separated {
					require.False(t, s.OutOfBytes, "pattern %d", number)
					continue
				}
				set += float64(s.Bytes)
				if p.Type == patterns.Separated {
					set += 2 * float64(s.Bytes)
				}
				require.Equal(t, p.Units > 0, s.OutOfBytes, "pattern %d", number)
				want := maxBytes / 64 / float64(len(partitions)) * float64(p.Units)
				require.InDelta(t, want, float64(s.Bytes), 0.01*maxBytes/64*float64(p.Units)+2*2*float64(p.Memory),
					"pattern %d", number)
			}
		}
		require.LessOrEqual(t, all, maxBytes)
		require.LessOrEqual(t, set, maxBytes)
		require.Greater(t, set, 0.999*maxBytes)
		require.Less(t, r.WallSeconds, 100., "there is no more to write")
		first, again := 0.0, 0.0
		for _, s := range r.Samples {
			if s.Pass == 0 {
				first += s.Seconds
			} else {
				again += s.Seconds
			}
		}
		require.InDelta(t, 0.05*first, again, 0.03*first, "a part is read again")
	}
}

// With bytes for one call of each pattern, there is one call of each. With 64 MB more for each process, some calls are
// made twice, and all still fit.
func TestLeastBytes(t *testing.T) {
	for more, once := range map[int64]bool{0: true, 64 << 20: false} {
		maxBytes := 3 * (bytesOfOneCallEach + more)
		r := rate(t, thousand(func(c *Config) { c.MaxBytes, c.Partitions = maxBytes, []int{1, 2} }), 2,
			disk{write: 1e13, read: 1e13})
		calls, bytes := int64(0), int64(0)
		for n := range r.Partitions {
			for number, s := range passOf(r, n, Write) {
				bytes += s.Bytes
				if r.Pattern(number).Type <= patterns.Separated {
					calls = max(calls, s.Repetitions)
				}
			}
		}
		require.Equal(t, once, calls == 1, "%d bytes more", more)
		require.LessOrEqual(t, bytes, maxBytes)
	}
}
