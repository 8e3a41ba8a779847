package sim

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
)

// transfers returns a program that accesses process 1's window from process 0, with the given number of bytes.
func transfers(e mpi.Engine, bytes int64) (p *mpi.Program, w mpi.Window, err error) {
	b, err := e.NewBuffer(3 * bytes)
	if err != nil {
		return nil, nil, err
	}
	if w, err = e.(mpi.Windows).NewWindow(e.World(), b); err != nil {
		return nil, nil, err
	}
	p = &mpi.Program{Comm: e.World(), Start: e.World()}
	for i := range int64(3) {
		p.Place(mpi.Place{Space: b, Offset: i * bytes, Length: bytes, Type: mpi.Int64})
	}
	p.Place(mpi.Place{Space: w, Length: bytes, Peer: 1, Type: mpi.Int64})
	return p, w, nil
}

// TestOneSided compares loops with closed forms, with o 1 µs, L 2 µs, 1 GB/s.
func TestOneSided(t *testing.T) {
	in, window := mpi.One(0), mpi.One(3)
	flush := mpi.Call{Op: mpi.WinFlush, Recv: window}
	for name, c := range map[string]struct {
		bytes  int64
		before []mpi.Call
		loop   []mpi.Call
		after  []mpi.Call
		others bool // the other processes also make the calls of a loop
		loops  int64
		want   float64 // µs of all loops
	}{
		"put": {bytes: 1000, loop: []mpi.Call{{Op: mpi.Put, Send: in, Recv: window}, flush}, loops: 1000,
			want: 1000 * (1 + 2 + 1 + 2)},
		"get": {bytes: 1000, loop: []mpi.Call{{Op: mpi.Get, Send: in, Recv: window}, flush}, loops: 1000,
			want: 1000 * (1 + 2 + 2 + 1)},
		"fetch": {bytes: 8, loop: []mpi.Call{{Op: mpi.FetchAndOp, Send: mpi.Span{Count: 2}, Recv: window}, flush},
			loops: 10, want: 10 * (1 + 2 + 0.008 + 2 + 0.008)},
		"swap": {bytes: 8, loop: []mpi.Call{{Op: mpi.CompareAndSwap, Send: mpi.Span{Count: 3}, Recv: window}, flush},
			loops: 10, want: 10 * (1 + 2 + 0.016 + 2 + 0.008)},
		"combined": {bytes: 1000, loop: []mpi.Call{{Op: mpi.Accumulate, Send: in, Recv: window}, flush}, loops: 10,
			want: 10 * 6},
		"combined and fetched": {bytes: 1000, loop: []mpi.Call{{Op: mpi.GetAccumulate, Send: mpi.Span{Count: 2},
			Recv: window}, flush}, loops: 10, want: 10 * 7},
		"local": {bytes: 1000, loop: []mpi.Call{{Op: mpi.Put, Send: in, Recv: window},
			{Op: mpi.WinFlushLocal, Recv: window}}, after: []mpi.Call{flush}, loops: 1000, want: 1000*2 + 4},
		"request": {bytes: 1000, loop: []mpi.Call{{Op: mpi.Rput, Send: in, Recv: window}, {Op: mpi.Wait}, flush},
			loops: 10, want: 10 * 6},
		// The port is busy all the time: o + L + n G + L.
		"all at the end": {bytes: 4000, loop: []mpi.Call{{Op: mpi.Put, Send: in, Recv: window}},
			after: []mpi.Call{flush}, loops: 1000, want: 1 + 2 + 1000*4 + 2},
		"all at the end, few": {bytes: 4000, loop: []mpi.Call{{Op: mpi.Put, Send: in, Recv: window}},
			after: []mpi.Call{flush}, loops: 20, want: 1 + 2 + 20*4 + 2},
		// The processor is busy all the time: n o + L + G + L.
		"short ones": {bytes: 8, loop: []mpi.Call{{Op: mpi.Get, Send: in, Recv: window}},
			after: []mpi.Call{{Op: mpi.WinFlushAll, Recv: window}}, loops: 1000, want: 1000 + 2 + 2 + 0.008},
		// A put, its acknowledgement, and two overheads of a barrier whose other message has already arrived.
		"fence": {bytes: 1000, loop: []mpi.Call{{Op: mpi.Put, Send: in, Recv: window},
			{Op: mpi.WinFence, Recv: window}}, others: true, loops: 1000, want: 1000 * (6 + 2)},
		// A fence after all loops: one message of its barrier has already arrived.
		"aggregate": {bytes: 4000, loop: []mpi.Call{{Op: mpi.Put, Send: in, Recv: window}},
			after: []mpi.Call{{Op: mpi.WinFence, Recv: window}}, others: true, loops: 1000, want: 5 + 1000*4 + 2},
		"locks take no time": {bytes: 8, loop: []mpi.Call{{Op: mpi.WinLock, Recv: window},
			{Op: mpi.Put, Send: in, Recv: window}, {Op: mpi.WinUnlock, Recv: window}}, loops: 10,
			want: 10 * 5.008},
		"made and freed": {bytes: 8, loop: []mpi.Call{{Op: mpi.WinCreate, Recv: window},
			{Op: mpi.WinFree, Recv: window}}, others: true, loops: 10, want: 10 * (4 + 0.032 + 4)},
	} {
		t.Run(name, func(t *testing.T) {
			onRanks(t, 2, func(e mpi.Engine) error {
				p, w, err := transfers(e, c.bytes)
				if err != nil {
					return err
				}
				me := e.World().Rank()
				p.Before, p.Loop, p.After = c.before, c.loop, c.after
				if me == 1 {
					p.Before, p.Loop, p.After = nil, nil, nil
					if c.others {
						p.Loop, p.After = c.loop, c.after
						if c.loop[0].Op == mpi.Put {
							p.Loop = c.loop[1:]
						}
					}
				}
				m, err := measure(e, p, mpi.Loops{Untimed: 3, Timed: c.loops})
				if me == 0 {
					require.InEpsilon(t, c.want*1e-6, m.Seconds, 1e-9)
				}
				return errors.Join(err, w.Close())
			})
		})
	}
}

// TestWindows makes, frees and closes windows.
func TestWindows(t *testing.T) {
	onRanks(t, 3, func(e mpi.Engine) error {
		var b mpi.Buffer
		if e.World().Rank() == 1 {
			b, _ = e.NewBuffer(24)
		}
		w, err := e.(mpi.Windows).NewWindow(e.World(), b)
		require.NoError(t, err)
		require.Equal(t, int64(24), w.Size())
		require.ErrorContains(t, w.Create(), "exists")
		require.NoError(t, w.Free())
		require.NoError(t, w.Create())
		require.NoError(t, w.Close())
		require.NoError(t, w.Close())
		w, b, err = e.(mpi.Windows).Allocate(e.World(), 48)
		require.NoError(t, err)
		require.Equal(t, []int64{48, 48}, []int64{w.Size(), b.Size()})
		require.ErrorContains(t, w.Free(), "came with its memory")
		_, _, err = e.(mpi.Windows).Allocate(e.World(), -1)
		require.Error(t, err)
		_, err = e.(mpi.Windows).NewWindow(nil, nil)
		require.Error(t, err)
		return w.Close()
	})
}

// TestGroupsShare runs a transfer in each of two groups at the same time. The transfers share the ports of the nodes.
func TestGroupsShare(t *testing.T) {
	onRanks(t, 4, func(e mpi.Engine) error {
		me := e.World().Rank()
		half, err := e.World().Split(me%2, me)
		if err != nil {
			return err
		}
		b, err := e.NewBuffer(2e6)
		if err != nil {
			return err
		}
		p := &mpi.Program{Comm: half, Start: half, Places: []mpi.Place{{Space: b, Length: 1e6, Peer: 1 - half.Rank()}}}
		p.Call(mpi.Call{Op: mpi.Send, Send: mpi.One(0)})
		if half.Rank() == 1 {
			p.Loop = []mpi.Call{{Op: mpi.Recv, Recv: mpi.One(0)}}
		}
		m, err := measure(e, p, mpi.Loops{Timed: 1})
		if err != nil {
			return err
		}
		if half.Rank() == 1 {
			require.InEpsilon(t, 2e-3+4e-6, m.Seconds, 1e-9)
		}
		return half.Free()
	}, "processes_per_node=2", "endpoint.port_bandwidth=1 GB/s", "topology={kind: full}")
}

// TestTargets puts within pairs, in a program of all processes: targets are ranks of the window. On a torus of 8 with
// links as fast as a process, process 4 is four links away: o + 2 (L + 4 · 1 µs) + nG.
func TestTargets(t *testing.T) {
	onRanks(t, 8, func(e mpi.Engine) error {
		me := e.World().Rank()
		pair, err := e.World().Split(me%4, me)
		if err != nil {
			return err
		}
		b, err := e.NewBuffer(1000)
		if err != nil {
			return err
		}
		w, err := e.(mpi.Windows).NewWindow(pair, b)
		if err != nil {
			return err
		}
		p := &mpi.Program{Comm: e.World(), Start: pair, Places: []mpi.Place{{Space: b, Length: 1000},
			{Space: w, Length: 1000, Peer: 1 - pair.Rank()}}}
		if me == 0 {
			p.Loop = []mpi.Call{{Op: mpi.Put, Send: mpi.One(0), Recv: mpi.One(1)}, {Op: mpi.WinFlush, Recv: mpi.One(1)}}
		}
		m, err := measure(e, p, mpi.Loops{Timed: 10})
		if me == 0 {
			require.InEpsilon(t, 10*(1+2*(2+4)+1)*1e-6, m.Seconds, 1e-9)
		}
		return errors.Join(err, w.Close(), pair.Free())
	}, "topology={kind: torus, dims: [8]}", "link.latency=1us")
}
