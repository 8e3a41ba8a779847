package model

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Calls of a process to the memory of process 1: o 1 µs, L 3 µs, 1 GB/s.
var (
	done  = Act{Kind: Flush, Peer: 1, Waits: true}
	local = Act{Kind: Flush, Peer: Anyone}
)

func put(bytes int64) Act { return Act{Kind: Access, Peer: 1, Bytes: bytes, Slot: -1} }
func get(bytes int64) Act { return Act{Kind: Access, Peer: 1, Back: bytes, Waits: true, Slot: -1} }

// repeated returns n copies of an act, followed by others.
func repeated(n int, x Act, then ...Act) (list []Act) {
	for range n {
		list = append(list, x)
	}
	return append(list, then...)
}

// TestAccess compares accesses with closed forms of LogGP, with overhead on one side.
func TestAccess(t *testing.T) {
	inside := []string{"processes_per_node=2", "inside_node.latency=0.5us"}
	for name, c := range map[string]struct {
		acts     []Act
		settings []string
		want     float64 // µs
	}{
		"put: o + L + nG + L":       {acts: []Act{put(1000), done}, want: 8},
		"put that has left: o + nG": {acts: []Act{put(1000), local}, want: 2},
		"empty put: o + 2L":         {acts: []Act{put(0), done}, want: 7},
		"get: o + L + L + nG":       {acts: []Act{get(1000), done}, want: 8},
		"get, its memory":           {acts: []Act{get(1000), local}, want: 8},
		"fetched and combined": {acts: []Act{{Kind: Access, Peer: 1, Bytes: 500, Back: 500, Waits: true, Slot: -1},
			done}, want: 8},
		"put within a node: o + L+ nG": {acts: []Act{put(1000), done}, settings: inside, want: 2.5},
		"get within a node":            {acts: []Act{get(1000), done}, settings: inside, want: 2.5},
		"puts: o + knG + 2L":           {acts: repeated(20, put(2000), done), want: 1 + 20*2 + 6},
		"short puts: ko + nG + 2L":     {acts: repeated(20, put(500), done), want: 20 + 0.5 + 6},
		"gets: o + 2L + knG":           {acts: repeated(20, get(2000), done), want: 1 + 6 + 20*2},
		"puts: o + (k-1)g + 2L": {acts: repeated(20, put(0), done), settings: []string{"endpoint.gap=2us"},
			want: 1 + 19*2 + 6},
		"request": {acts: []Act{{Kind: Access, Peer: 1, Bytes: 1000, Slot: 3}, {Kind: Wait, Slot: 3}},
			want: 2},
		"nothing to flush": {acts: []Act{done, local}, want: 0},
		"other window":     {acts: []Act{put(1000), {Kind: Flush, Peer: 1, Tag: 7, Waits: true}}, want: 1},
		"factor of a length": {acts: []Act{put(1000), done},
			settings: []string{"lengths=[{bytes: 1000, factor: 2}]"}, want: 2 * (7 + 1)},
	} {
		t.Run(name, func(t *testing.T) {
			list, err := machineOf(t, 2, c.settings...).Play([]Script{again(0, 1, c.acts...)})
			require.NoError(t, err)
			require.InDelta(t, c.want*1e-6, list[0].Ends[0], 1e-12)
		})
	}
}

// TestAccessShares lets origins share the target's port and the links of their routes. On a ring of four nodes, whose
// links are as fast as ports, the puts from 0 and 3 to 1 arrive from both sides, and the puts from 3 and 0 to 2 and 1
// share the link 0-1.
func TestAccessShares(t *testing.T) {
	for name, c := range map[string]struct {
		origins, targets []int32
		settings         []string
		want             float64
	}{
		"one target": {[]int32{0, 2}, []int32{1, 1}, nil, 1 + 3 + 2*1000 + 3},
		"a link": {[]int32{3, 0}, []int32{1, 1},
			[]string{"topology={kind: torus, dims: [4]}", "link.bandwidth=1 GB/s"}, 1 + 3 + 2*1000 + 3},
		"separate ways": {[]int32{3, 0}, []int32{2, 1},
			[]string{"topology={kind: torus, dims: [4]}", "link.bandwidth=1 GB/s"}, 1 + 3 + 1000 + 3},
		"a link of half the bandwidth": {[]int32{0}, []int32{1},
			[]string{"topology={kind: torus, dims: [4]}", "link.bandwidth=0.5 GB/s"}, 1 + 3 + 2000 + 3},
	} {
		t.Run(name, func(t *testing.T) {
			var scripts []Script
			for i, origin := range c.origins {
				x := put(1e6)
				x.Peer = c.targets[i]
				scripts = append(scripts, again(origin, 1, x, Act{Kind: Flush, Peer: Anyone, Waits: true}))
			}
			list, err := machineOf(t, 4, c.settings...).Play(scripts)
			require.NoError(t, err)
			for _, x := range list {
				require.InEpsilon(t, c.want*1e-6, x.Ends[0], 1e-9)
			}
		})
	}
}
