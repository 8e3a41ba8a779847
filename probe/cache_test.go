package probe_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/scripted"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/rating"
)

// Off the cache, each repetition has memory of its own: whole lines of 64 bytes and one more. There is one such slot
// for each repetition, but at most as many as fit in twice the cache.
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
		onScript(t, s, probe.Config{Selections: named(t, "PingPong"), Settings: probe.Settings{
			Lengths: []int64{c.bytes}, Policy: probe.Off, CacheSize: c.cache, CacheLine: c.line}})
		require.Equal(t, map[int64]bool{c.slots * c.stride: true}, sizes, "%+v", c)
	}
}

// The remaining time is estimated from that of the rows so far.
func TestProgressOfRows(t *testing.T) {
	s := &scripted.Engine{Processes: 2, Cost: func(x scripted.Step) float64 { return 1e-3 }}
	plan, err := probe.NewPlan(2, probe.Config{Selections: named(t, "PingPong", "Sendrecv"), Settings: probe.Settings{
		Lengths: []int64{8, 16, 32}, Policy: probe.Off, MsgsPer: 100}},
		func(mpi.Op) bool { return true }, s.Library())
	require.NoError(t, err)
	var left []time.Duration
	_, err = plan.Measure(s, rating.Observer[probe.Measured]{Now: s.Now, Progress: func(p rating.Progress) {
		require.InDelta(t, float64(len(left))/6, p.Part, 1e-12)
		left = append(left, p.Left)
	}})
	require.NoError(t, err)
	const row = 110 * time.Millisecond // 100 repetitions, and 10 before
	require.Equal(t, []time.Duration{0, 5 * row, 4 * row, 3 * row, 2 * row, row}, left)
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
		plan, err := probe.NewPlan(6, probe.Config{Selections: named(t, c.name),
			Settings: probe.Settings{Map: c.sides}},
			s.Supports, s.Library())
		require.Equal(t, c.right, err == nil, "%+v", c)
		if c.right {
			require.Equal(t, c.groups, plan.Blocks[0].Groups, "%+v", c)
		}
	}
}
