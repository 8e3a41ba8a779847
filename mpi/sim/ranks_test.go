package sim

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/sim/machine"
	"github.com/effective-bandwidth/beff/sim/model"
)

// onRanks runs main on all processes of the plain machine: o 1 µs, L 2 µs, 1 GB/s.
func onRanks(t *testing.T, processes int, main func(e mpi.Engine) error, settings ...string) {
	t.Helper()
	m, err := machine.Parse("plain", []byte(plain), settings...)
	require.NoError(t, err)
	x, err := model.New(m, processes, 1)
	require.NoError(t, err)
	require.NoError(t, Run(x, 1, main))
}

// measure runs a program of all processes.
func measure(e mpi.Engine, p *mpi.Program, n mpi.Loops) (mpi.Measurement, error) {
	r, err := e.Compile(p)
	if err != nil {
		return mpi.Measurement{}, err
	}
	defer r.Close()
	return r.Run(n)
}

// TestRanksPingPong compares a ping-pong and its laps with LogGP's time, also for loops that are extrapolated.
func TestRanksPingPong(t *testing.T) {
	for _, n := range []mpi.Loops{{Timed: 1}, {Untimed: 5, Timed: 3}, {Timed: 1000, Each: true}} {
		onRanks(t, 2, func(e mpi.Engine) error {
			b, err := e.NewBuffer(2000)
			if err != nil {
				return err
			}
			me := e.World().Rank()
			p := &mpi.Program{Comm: e.World(), Start: e.World(), Places: []mpi.Place{
				{Space: b, Length: 1000, Peer: 1 - me}, {Space: b, Offset: 1000, Length: 1000, Peer: mpi.AnySource}}}
			send, recv := mpi.Call{Op: mpi.Send, Send: mpi.One(0)}, mpi.Call{Op: mpi.Recv, Recv: mpi.One(1)}
			lap := mpi.Call{Op: mpi.Lap, Root: 1}
			p.Call(send, recv, lap)
			if me == 1 {
				p.Loop = []mpi.Call{recv, send, lap}
			}
			before := e.(Simulation).Now()
			m, err := measure(e, p, n)
			if err != nil {
				return err
			}
			loops := float64(n.Timed)
			if me == 0 {
				require.InEpsilon(t, loops*10e-6, m.Seconds, 1e-9)
				require.InEpsilon(t, loops*10e-6, m.Laps[1].Seconds, 1e-9)
				require.InEpsilon(t, 10e-6, m.Laps[1].Last, 1e-9)
				require.InDelta(t, (loops+float64(n.Untimed))*10e-6, e.(Simulation).Now().Sub(before).Seconds(), 2e-9)
			}
			require.Len(t, m.Each, map[bool]int{true: int(n.Timed)}[n.Each])
			for _, seconds := range m.Each[min(1, len(m.Each)):] {
				require.InEpsilon(t, 10e-6, seconds, 1e-9)
			}
			return nil
		})
	}
}

// TestRanksCollectives checks that all collective calls end on any number of processes, with any root.
func TestRanksCollectives(t *testing.T) {
	for _, processes := range []int{1, 2, 3, 5, 8, 12} {
		onRanks(t, processes, func(e mpi.Engine) error {
			for _, op := range mpi.Ops() {
				if collectives[op] == nil {
					continue
				}
				for _, bytes := range []int64{8, 1 << 10, 1 << 16} {
					p, err := collectiveOf(e, e.World(), op, bytes)
					if err != nil {
						return err
					}
					m, err := measure(e, p, mpi.Loops{Timed: 20})
					if err != nil {
						return err
					}
					require.False(t, processes > 1 && m.Seconds < 0, "%v", op)
				}
			}
			return nil
		})
	}
}

// TestRanksBarrier checks that a barrier takes one message for each doubling of the number of processes.
func TestRanksBarrier(t *testing.T) {
	for processes, steps := range map[int]float64{2: 1, 3: 2, 4: 2, 5: 3, 16: 4, 17: 5} {
		onRanks(t, processes, func(e mpi.Engine) error {
			m, err := measure(e, &mpi.Program{Comm: e.World(), Start: e.World(), Loop: []mpi.Call{{Op: mpi.Barrier}}},
				mpi.Loops{Timed: 100})
			require.InEpsilon(t, 100*steps*4e-6, m.Seconds, 1e-6)
			return err
		})
	}
}

// TestRanksGroups runs a ring in each half of the processes at the same time, in separate communicators.
func TestRanksGroups(t *testing.T) {
	onRanks(t, 6, func(e mpi.Engine) error {
		half, err := e.World().Split(e.World().Rank()%2, -e.World().Rank())
		if err != nil {
			return err
		}
		b, err := e.NewBuffer(2000)
		if err != nil {
			return err
		}
		p := &mpi.Program{Comm: half, Start: e.World(), Places: []mpi.Place{
			{Space: b, Length: 1000, Peer: (half.Rank() + 1) % 3},
			{Space: b, Offset: 1000, Length: 1000, Peer: (half.Rank() + 2) % 3}}}
		p.Call(mpi.Call{Op: mpi.Sendrecv, Send: mpi.One(0), Recv: mpi.One(1)})
		m, err := measure(e, p, mpi.Loops{Timed: 100})
		if err != nil {
			return err
		}
		require.InEpsilon(t, 100*5e-6, m.Seconds, 1e-9)
		_, err = measure(e, &mpi.Program{Start: e.World()}, mpi.Loops{Timed: 1})
		return err
	})
}

func TestRanksRefuse(t *testing.T) {
	onRanks(t, 2, func(e mpi.Engine) error {
		_, err := measure(e, &mpi.Program{Comm: e.World(), Loop: []mpi.Call{{Op: mpi.Decide}}},
			mpi.Loops{Timed: 1})
		require.ErrorAs(t, err, new(*mpi.UnsupportedError))
		_, err = measure(e, &mpi.Program{Comm: e.World(), Start: e.World(), Loop: []mpi.Call{{Op: mpi.Barrier}}},
			mpi.Loops{Timed: 10, Budget: 1})
		require.ErrorContains(t, err, "budget")
		_, files := e.(mpi.Files)
		require.False(t, files || mpi.MovesData(e))
		return nil
	})
}

// TestRanksGraph lets the halves of a ring of cables gather at the same time, and then one after the other. They share
// no cable, so each takes equally long both times.
func TestRanksGraph(t *testing.T) {
	for _, processes := range []int{8, 64} {
		var cables []string
		for node := range processes {
			cables = append(cables, fmt.Sprintf("{between: [%d, %d]}", node, (node+1)%processes))
		}
		onRanks(t, processes, func(e mpi.Engine) error {
			world, clock := e.World(), func() time.Time { return e.(Simulation).Now() }
			second := world.Rank() / (processes / 2)
			half, err := world.Split(second, 0)
			if err != nil {
				return err
			}
			gather := func() (took time.Duration) {
				before := clock()
				for n := range int64(20) {
					p, failed := collectiveOf(e, half, mpi.Allgather, 100*n)
					require.NoError(t, failed)
					p.Start = nil
					_, failed = measure(e, p, mpi.Loops{Timed: 1})
					err = errors.Join(err, failed)
				}
				return clock().Sub(before)
			}
			together := gather()
			for turn := range 2 {
				if turn == second {
					require.InDelta(t, together, gather(), 2)
				}
				err = errors.Join(err, world.Barrier())
			}
			require.NotZero(t, together)
			return err
		}, "topology={kind: graph, cables: ["+strings.Join(cables, ", ")+"]}")
	}
}
