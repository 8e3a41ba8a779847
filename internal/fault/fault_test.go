package fault

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
)

// runs runs an empty program n times and returns the times and the errors.
func runs(t *testing.T, e mpi.Engine, n int) (seconds []float64, errs []error) {
	t.Helper()
	r, err := e.Compile(&mpi.Program{})
	require.NoError(t, err)
	for range n {
		m, err := r.Run(once)
		seconds, errs = append(seconds, m.Seconds), append(errs, err)
	}
	return seconds, errs
}

// once is one timed loop.
var once = mpi.Loops{Timed: 1}

func oneSecond(scripted.Step) float64 { return 1 }

// slower adds seconds to the time that a rank measures in each run.
func slower(rank int, seconds float64) Fault {
	return Fault{Rank: rank, Run: func(_ int, run Run) (mpi.Measurement, error) {
		m, err := run()
		m.Seconds += seconds
		return m, err
	}}
}

// dying makes a rank return an error instead of its n-th run and all later ones.
func dying(rank, n int) Fault {
	return Fault{Rank: rank, Run: func(i int, run Run) (mpi.Measurement, error) {
		if i >= n {
			return mpi.Measurement{}, errors.New("it died")
		}
		return run()
	}}
}

// TestFaultsNest checks that all faults of a rank have an effect, the first one innermost, and that runs are counted.
func TestFaultsNest(t *testing.T) {
	e := &scripted.Engine{Processes: 2, Cost: oneSecond}
	seconds, errs := runs(t, Inject(e, slower(0, 0.5), slower(0, 0.25), dying(0, 1)), 3)
	require.Equal(t, []float64{1.75, 0, 0}, seconds)
	require.NoError(t, errs[0])
	require.EqualError(t, errs[1], "it died")
	require.EqualError(t, errs[2], "it died")
	require.Equal(t, time.Second, e.Now().Sub((&scripted.Engine{}).Now()))
}

func TestFaultsOfOthers(t *testing.T) {
	e := Inject(&scripted.Engine{Processes: 2, Cost: oneSecond}, dying(1, 0), slower(1, 1), WrongByte(1, 0))
	seconds, errs := runs(t, e, 2)
	require.Equal(t, []float64{1, 1}, seconds)
	require.NoError(t, errors.Join(errs...))
}

// TestWrongByte makes one of three real ranks find wrong data, in its second program only.
func TestWrongByte(t *testing.T) {
	err := local.Run(3, func(e mpi.Engine) error {
		w, faulty := e.World(), Inject(e, WrongByte(1, 1))
		left := (w.Rank() + 2) % 3
		for i := range 3 {
			b, err := e.NewBuffer(32)
			if err != nil {
				return err
			}
			p := &mpi.Program{Comm: w, Start: w}
			p.Place(mpi.Place{Space: b, Length: 16, Peer: (w.Rank() + 1) % 3, Mark: keyOf(w.Rank())})
			p.Place(mpi.Place{Space: b, Offset: 16, Length: 16, Peer: left, Mark: keyOf(left)})
			p.Call(mpi.Call{Op: mpi.Stamp, Send: mpi.One(0)},
				mpi.Call{Op: mpi.Sendrecv, Send: mpi.One(0), Recv: mpi.One(1)},
				mpi.Call{Op: mpi.Check, Recv: mpi.One(1)})
			r, err := faulty.Compile(p)
			if err != nil {
				return err
			}
			m, err := r.Run(mpi.Loops{Timed: 5})
			if err != nil {
				return err
			}
			var want *mpi.Mismatch
			if w.Rank() == 1 && i == 1 {
				want = &mpi.Mismatch{Rank: 1, Place: 1, Expected: keyOf(left).Key ^ 1, Found: keyOf(left).Key}
			}
			require.Equal(t, want, m.Mismatch)
		}
		return nil
	})
	require.NoError(t, err)
}

// keyOf returns the mark of a rank's messages.
func keyOf(rank int) mpi.Mark { return mpi.Mark{Width: 8, Key: 0x0123456789abcdef + uint64(rank)} }

// TestDyingWithRealRanks checks that the other ranks wait until the dead rank's error ends the job.
func TestDyingWithRealRanks(t *testing.T) {
	err := local.Run(3, func(e mpi.Engine) error {
		r, err := Inject(e, dying(1, 2)).Compile(&mpi.Program{Start: e.World()})
		for err == nil {
			_, err = r.Run(once)
		}
		return err
	})
	require.EqualError(t, err, "it died")
}

// TestWrongDelivery spoils the data that one of three real ranks gets from a broadcast, and nothing else.
func TestWrongDelivery(t *testing.T) {
	err := local.Run(3, func(e mpi.Engine) error {
		w := e.World()
		b, err := e.NewBuffer(32)
		if err != nil {
			return err
		}
		p := &mpi.Program{Comm: w, Start: w}
		p.Place(mpi.Place{Space: b, Length: 8})
		p.Place(mpi.Place{Space: b, Offset: 16, Length: 8, Step: 8})
		p.Call(mpi.Call{Op: mpi.Bcast, Send: mpi.One(0), Recv: mpi.One(1)}, mpi.Call{Op: mpi.Barrier})
		r, err := Inject(e, WrongDelivery(1, mpi.Bcast), WrongDelivery(1, mpi.Gather)).Compile(p)
		if err != nil {
			return err
		}
		copy(b.Bytes(), "12345678")
		want := make([]byte, 32)
		copy(want, b.Bytes())
		if w.Rank() > 0 {
			copy(want[16:], b.Bytes()[:8])
		}
		if w.Rank() == 1 {
			want[20] ^= 1
			want[28] ^= 1
		}
		if _, err := r.Run(once); err != nil {
			return err
		}
		require.Equal(t, want, b.Bytes())
		return nil
	})
	require.NoError(t, err)
}

// TestWindows checks that there are windows if the engine has them.
func TestWindows(t *testing.T) {
	with := Inject(&scripted.Engine{Processes: 2}).(mpi.Windows)
	_, err := with.NewWindow(nil, nil)
	require.NoError(t, err)
	window, memory, err := with.Allocate(nil, 8)
	require.NoError(t, err)
	require.Equal(t, []int64{8, 8}, []int64{window.Size(), memory.Size()})

	without := Inject(struct{ mpi.Engine }{&scripted.Engine{Processes: 2}}).(mpi.Windows)
	_, err = without.NewWindow(nil, nil)
	require.ErrorContains(t, err, "the engine has none")
	_, _, err = without.Allocate(nil, 8)
	require.ErrorContains(t, err, "the engine has none")
}
