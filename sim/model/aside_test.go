package model

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAside forwards a message from process 0 via 1 to 2 while all of them work. With o 1 µs, L 3 µs and nG 1 µs the
// message arrives at process 1 after 5 µs, and leaves after 7 µs if process 1 receives it at once.
func TestAside(t *testing.T) {
	send := func(to int32) []Act { return []Act{{Kind: Send, Peer: to, Bytes: 1000}, {Kind: Wait}} }
	receive := func(from int32) []Act { return []Act{{Kind: Receive, Peer: from}, {Kind: Wait}} }
	pass := append(receive(0), Act{Kind: Send, Peer: 2, Bytes: 1000, Slot: 1}, Act{Kind: Wait, Slot: 1})
	for name, c := range map[string]struct {
		work     float64 // µs
		settings []string
		want     [3]float64
	}{
		"no work":           {0, nil, [3]float64{2, 8, 12}},
		"long work":         {20, nil, [3]float64{21, 22, 21}}, // the work, and o, 2o and o for messages
		"work ends between": {10, nil, [3]float64{11, 12, 12}}, // 2 waits for the message, from 10 to 11
		"only in calls":     {10, []string{"endpoint.progress=calls"}, [3]float64{11, 13, 17}},
		"in calls, at once": {1, []string{"endpoint.progress=calls"}, [3]float64{2, 8, 12}},
	} {
		t.Run(name, func(t *testing.T) {
			var scripts []Script
			for i, acts := range [][]Act{send(1), pass, receive(1)} {
				scripts = append(scripts, again(int32(i), 1, Act{Kind: Aside, Acts: acts},
					Act{Kind: Work, Seconds: c.work * 1e-6}, Act{Kind: Wait}))
			}
			list, err := machineOf(t, 3, c.settings...).Play(scripts)
			require.NoError(t, err)
			for i, want := range c.want {
				require.InDelta(t, want*1e-6, list[i].Ends[0], 1e-12, "process %d", i)
			}
		})
	}
}

// TestAsides runs two asides at a time. They share the processor, and end in any order.
func TestAsides(t *testing.T) {
	from := func(peer int32, slot int32) Act {
		return Act{Kind: Aside, Slot: slot, Acts: []Act{{Kind: Receive, Peer: peer}, {Kind: Wait}}}
	}
	for _, progress := range []string{"always", "calls"} {
		list, err := machineOf(t, 3, "endpoint.progress="+progress).Play([]Script{
			again(0, 1, from(1, 0), from(2, 1), Act{Kind: Work, Seconds: 10e-6}, Act{Kind: WaitAll}),
			again(1, 1, Act{Kind: Send, Peer: 0}, Act{Kind: Wait}),
			again(2, 1, Act{Kind: Send, Peer: 0}, Act{Kind: Wait}),
		})
		require.NoError(t, err)
		require.InDelta(t, 12e-6, list[0].Ends[0], 1e-12) // the work, and two overheads
	}
	_, err := machineOf(t, 2).Play([]Script{again(0, 1, from(1, 0), Act{Kind: Work}, Act{Kind: Wait})})
	require.ErrorContains(t, err, "process 0 waits forever")
}
