package model

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/sim/machine"
)

// machineOf returns the model of a machine of which some keys are set.
func machineOf(t *testing.T, processes int, settings ...string) *Model {
	t.Helper()
	m, err := machine.Parse("played", []byte(`
name: played
processes_per_node: 1
memory_per_process: 1 GiB
endpoint: {overhead: 1us, latency: 3us, bandwidth: 1 GB/s}
link: {bandwidth: 100 GB/s}
topology: {kind: full}
`), settings...)
	require.NoError(t, err)
	x, err := New(m, processes, 1)
	require.NoError(t, err)
	return x
}

// again returns the script of a process that repeats some acts a number of times.
func again(process int32, times int, acts ...Act) Script {
	return Script{Process: process, Pieces: times, Piece: func(int) []Act { return acts }}
}

// pingPong returns the scripts of two processes that send a message there and back.
func pingPong(times int, bytes int64) []Script {
	send, receive := Act{Kind: Send, Peer: 1, Bytes: bytes}, Act{Kind: Receive, Peer: 1, Slot: 1}
	done := []Act{{Kind: Wait}, {Kind: Wait, Slot: 1}}
	first := again(0, times, send, done[0], receive, done[1])
	send.Peer, receive.Peer = 0, 0
	return []Script{first, again(1, times, receive, done[1], send, done[0])}
}

// TestPlayPingPong compares times with closed forms of LogGP: 2 (2o + L + nG), copies, and the handshake of a long
// message.
func TestPlayPingPong(t *testing.T) {
	for _, c := range []struct {
		bytes    int64
		settings []string
		want     float64 // µs of a message
	}{
		{0, nil, 5},
		{1000, nil, 6},
		{1000, []string{"endpoint.copy=0.5 GB/s"}, 10},
		{1000, []string{"endpoint.eager=1000"}, 6},
		{2000, []string{"endpoint.eager=1000"}, 7 + 2*4},
		{1000, []string{"lengths=[{bytes: 1000, factor: 2}]"}, 12},
		{1000, []string{"endpoint.bandwidth=1000 GB/s", "noise.slow_nodes=[1]", "endpoint.port_bandwidth=1 GB/s"}, 7},
	} {
		list, err := machineOf(t, 2, c.settings...).Play(pingPong(3, c.bytes))
		require.NoError(t, err)
		for k := range 3 {
			require.InEpsilon(t, float64(k+1)*2*c.want*1e-6, list[0].Ends[k], 1e-9, "%d bytes, %v", c.bytes, c.settings)
		}
	}
}

// TestPlayShares sends two messages from different processes to one receiver, the second later than the first.
func TestPlayShares(t *testing.T) {
	m := machineOf(t, 4, "endpoint.overhead=0s", "endpoint.latency=0s", "endpoint.bandwidth=1 MB/s")
	list, err := m.Play([]Script{
		again(0, 1, Act{Kind: Send, Peer: 2, Bytes: 2000}),
		again(1, 1, Act{Kind: Work, Seconds: 1e-3}, Act{Kind: Send, Peer: 2, Bytes: 1000, Tag: 1}),
		again(2, 1, Act{Kind: Receive, Peer: Anyone}, Act{Kind: Receive, Peer: 1, Tag: 1, Slot: 1}, Act{Kind: Wait},
			Act{Kind: Lap}, Act{Kind: Wait, Slot: 1}, Act{Kind: Lap, Lap: 1}),
	})
	require.NoError(t, err)
	require.InDelta(t, 3e-3, list[2].Laps[0][0], 1e-9) // all of the bandwidth for 1 ms, then half for 2 ms
	require.InDelta(t, 0, list[2].Laps[0][1], 1e-9)
	require.InDelta(t, 0, list[0].Ends[0], 1e-12, "nobody waits for the sender")
}

// TestPlayParts shares a link between messages, some of which another link limits, and which take over the bandwidth of
// messages that end. Nodes 0, 1, 2 are in a row, with a wide link and a narrow one.
func TestPlayParts(t *testing.T) {
	const graph = "topology={kind: graph, " +
		"cables: [{between: [0, 1], bandwidth: 1}, {between: [1, 2], bandwidth: 0.25}]}"
	for name, c := range map[string]struct {
		messages []Message
		want     [3]float64 // when the last message has come to a process, in milliseconds
	}{
		"one continues":      {[]Message{{0, 0, 1}, {0, 0, 2}}, [3]float64{0, 1 / 0.75, 4}},
		"three to the third": {[]Message{{0, 0, 2}, {0, 0, 2}, {0, 1, 2}}, [3]float64{0, 0, 12}},
		"two end before":     {[]Message{{0, 0, 1}, {0, 0, 1}, {0, 0, 2}}, [3]float64{0, 2 / 0.75, 4}},
	} {
		t.Run(name, func(t *testing.T) {
			var acts [3][]Act
			for i, x := range c.messages {
				acts[x.From] = append(acts[x.From], Act{Kind: Send, Peer: x.To, Tag: uint64(i), Bytes: million,
					Slot: int32(i)})
				acts[x.To] = append(acts[x.To], Act{Kind: Receive, Peer: x.From, Tag: uint64(i), Slot: int32(i)})
			}
			var scripts []Script
			for p := range acts {
				if c.want[p] > 0 {
					acts[p] = append(acts[p], Act{Kind: WaitAll})
				}
				scripts = append(scripts, again(int32(p), 1, acts[p]...))
			}
			list, err := modelOf(t, 3, "nodes=3", graph).Play(scripts)
			require.NoError(t, err)
			for p, want := range c.want {
				require.InDelta(t, want*1e-3, list[p].Ends[0], 1e-9, "process %d", p)
			}
		})
	}
}

func TestPlayStuck(t *testing.T) {
	_, err := machineOf(t, 2).Play([]Script{again(0, 1, Act{Kind: Receive, Peer: 1}, Act{Kind: Wait})})
	require.ErrorContains(t, err, "process 0 waits forever")
}

// ring returns the messages of a ring in some order of the processes.
func ringOf(order []int) (list []Message) {
	n := len(order)
	for i, from := range order {
		list = append(list, Message{0, int32(from), int32(order[(i+1)%n])},
			Message{1, int32(from), int32(order[(i+n-1)%n])})
	}
	return list
}

// TestPlayAndStep compares times message by message with the bound. They agree if the messages of an exchange begin
// together. If links are shared and exchanges follow each other, processes drift apart, so a link sometimes carries
// messages of several exchanges and is sometimes idle, and the bound adds the slowest messages of all exchanges.
func TestPlayAndStep(t *testing.T) {
	inOrder := make([]int, 16)
	for i := range inOrder {
		inOrder[i] = i
	}
	for name, c := range map[string]struct {
		order            []int
		topology         string
		together, inTurn float64 // relative differences
	}{
		"ring, full":       {inOrder, "{kind: full}", 1e-3, 1e-3},
		"ring, torus":      {inOrder, "{kind: torus, dims: [4, 4]}", 1e-3, 1e-3},
		"ring, fat tree":   {inOrder, "{kind: fat-tree, radix: 8}", 1e-3, 1e-3},
		"random, full":     {nil, "{kind: full}", 1e-3, 1e-3},
		"random, torus":    {nil, "{kind: torus, dims: [4, 4]}", 0.05, 0.12},
		"random, fat tree": {nil, "{kind: fat-tree, radix: 8}", 0.09, 0.3},
	} {
		t.Run(name, func(t *testing.T) {
			if c.order == nil {
				c.order = rand.New(rand.NewPCG(1, 1)).Perm(16)
			}
			messages := ringOf(c.order)
			m := machineOf(t, 16, "link.bandwidth=1 GB/s", "topology="+c.topology)
			fast := m.NewStep(messages)
			exactly := *m
			exactly.Exact = true
			exact := exactly.NewStep(messages)
			for _, bytes := range []int64{1, 1 << 10, 1 << 14, 1 << 20} {
				require.InEpsilon(t, exact.Together(bytes), fast.Together(bytes), c.together, "%d bytes", bytes)
				require.InEpsilon(t, exact.InTurn(bytes), fast.InTurn(bytes), c.inTurn, "%d bytes in turn", bytes)
			}
		})
	}
}
