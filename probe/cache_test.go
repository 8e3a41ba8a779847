package probe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
)

// Off the cache, each repetition has its own memory: whole lines of 64 bytes and one more. There is one such slot for
// each repetition, but at most as many as fit into twice the cache.
func TestOffCacheMemory(t *testing.T) {
	for _, c := range []struct{ bytes, cache, line, stride, slots int64 }{
		{1000, 1 << 16, 0, 17 * 64, 121}, // 2^17/1088 = 120.5
		{1024, 1 << 16, 0, 17 * 64, 121},
		{1025, 1 << 16, 0, 18 * 64, 114},
		{1024, 1 << 16, 128, 9 * 128, 114},
		{1024, 17 * 64 * 50, 0, 17 * 64, 100},
		{1024, 1 << 30, 0, 17 * 64, 1000},
		{1024, 0, 0, 1024, 1},
	} {
		sizes := map[int64]bool{}
		s := &scripted.Engine{Processes: 2, Cost: func(x scripted.Step) float64 {
			for _, place := range x.Program.Places {
				sizes[place.Space.Size()] = true
				if c.slots > 1 {
					require.Equal(t, c.stride, place.Advance, "%+v", c)
				}
			}
			return 1e-6
		}}
		onScript(t, s, probe.Config{Selections: named(t, "PingPong"), Settings: settings.Settings{
			Rows: settings.Rows{Lengths: []int64{c.bytes}}, Repetitions: settings.Repetitions{Policy: settings.Off},
			Memory: settings.Memory{CacheSize: c.cache, CacheLine: c.line}}})
		require.Equal(t, map[int64]bool{c.slots * c.stride: true}, sizes, "%+v", c)
	}
}

// Progress never goes back, and after the first tenth it is never off by more than a quarter: it expects rows to take
// as long as others of their length, or in proportion to the data they move, and as long as in the previous pass.
func TestProgressOfRows(t *testing.T) {
	for name, cost := range map[string]func(scripted.Step) float64{"latency": scripted.Linear(1e-4, 1e12),
		"bandwidth": scripted.Linear(1e-6, 1e8), "both": scripted.Linear(1e-6, 4e9)} {
		for _, wanted := range []settings.Settings{{Repetitions: settings.Repetitions{Max: 100}}, {Passes: 3,
			Rows: settings.Rows{Lengths: []int64{8, 16, 1 << 20}}}} {
			s := &scripted.Engine{Processes: 4, Cost: cost}
			plan, err := probe.NewPlan(4, probe.Config{Selections: named(t, "PingPong", "Sendrecv", "Exchange"),
				Settings: wanted})
			require.NoError(t, err)
			var all []rating.Progress
			begin := s.Now()
			_, err = plan.Measure(s, rating.Observer[measured.Outcome]{Now: s.Now,
				Progress: func(p rating.Progress) { all = append(all, p) }})
			require.NoError(t, err)
			require.Len(t, all, plan.Rows())
			last, whole := 0.0, s.Now().Sub(begin).Seconds()
			for _, p := range all {
				require.GreaterOrEqual(t, p.Part, last)
				last = p.Part
				if at := p.Elapsed.Seconds() / whole; at >= 0.1 {
					require.InDelta(t, at, p.Part, 0.25, "%s, %+v: %+v of %v s", name, wanted, p, whole)
					require.InDelta(t, whole, (p.Elapsed + p.Left).Seconds(), 0.25*whole, "%s, %+v: %+v", name,
						wanted, p)
				}
			}
		}
	}
}

// A map has P times Q processes, both at least one. Only blocks of the multiple mode and of maps list their groups.
func TestMapsAndGroups(t *testing.T) {
	s := &scripted.Engine{Processes: 6}
	for _, c := range []struct {
		name   string
		sides  []int
		groups [][]int
		right  bool
	}{
		{"Sendrecv", nil, nil, true}, {"Multi-Sendrecv", nil, [][]int{{0, 1}, {2, 3}, {4, 5}}, true},
		{"Sendrecv", []int{2, 3}, [][]int{{0, 2}}, true}, {"Sendrecv", []int{6, 1}, [][]int{{0, 1}}, true},
		{"Sendrecv", []int{0, 3}, nil, false}, {"Sendrecv", []int{3, 0}, nil, false},
		{"Sendrecv", []int{2, 2}, nil, false},
		{"Sendrecv", []int{6}, nil, false}, {"Sendrecv", []int{-2, -3}, nil, false},
	} {
		plan, err := probe.NewPlan(6, probe.On(s, probe.Config{Selections: named(t, c.name),
			Settings: settings.Settings{Who: settings.Who{Map: c.sides}}}))
		require.Equal(t, c.right, err == nil, "%+v", c)
		if c.right {
			require.Equal(t, c.groups, plan.Blocks[0].Groups, "%+v", c)
		}
	}
}
