package mpitest

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
)

// runs runs an empty program n times and returns the times and the errors.
func runs(t *testing.T, e mpi.Engine, n int) (seconds []float64, errs []error) {
	t.Helper()
	r := compile(t, e, &mpi.Program{})
	for range n {
		m, err := r.Run(once)
		seconds, errs = append(seconds, m.Seconds), append(errs, err)
	}
	return seconds, errs
}

func oneSecond(Step) float64 { return 1 }

func TestFailingCall(t *testing.T) {
	seconds, errs := runs(t, Faulty(&Scripted{Processes: 2, Cost: oneSecond}, FailingCall(0, 1)), 3)
	require.Equal(t, []float64{1, 0, 1}, seconds)
	var failed *mpi.Error
	require.ErrorAs(t, errs[1], &failed)
	require.Equal(t, 0, failed.Rank)
	require.NoError(t, errors.Join(errs[0], errs[2]))
}

func TestDying(t *testing.T) {
	scripted := &Scripted{Processes: 2, Cost: oneSecond}
	seconds, errs := runs(t, Faulty(scripted, Dying(0, 1)), 3)
	require.Equal(t, []float64{1, 0, 0}, seconds)
	require.NoError(t, errs[0])
	require.EqualError(t, errs[1], "run: rank 0 died")
	require.EqualError(t, errs[2], "run: rank 0 died")
	require.Equal(t, time.Second, scripted.Now().Sub((&Scripted{}).Now()))
}

func TestSlow(t *testing.T) {
	seconds, errs := runs(t, Faulty(&Scripted{Processes: 2, Cost: oneSecond}, Slow(0, 0.5), Slow(0, 0.25),
		FailingCall(0, 1)), 2)
	require.Equal(t, []float64{1.75, 0}, seconds)
	require.Error(t, errs[1])
}

func TestLate(t *testing.T) {
	begin := time.Now()
	seconds, _ := runs(t, Faulty(&Scripted{Processes: 2, Cost: oneSecond}, Late(0, 5*time.Millisecond)), 2)
	require.Equal(t, []float64{1, 1}, seconds)
	require.GreaterOrEqual(t, time.Since(begin), 10*time.Millisecond)
}

func TestFaultsOfOthers(t *testing.T) {
	e := Faulty(&Scripted{Processes: 2, Cost: oneSecond}, FailingCall(1, 0), Dying(1, 0), Slow(1, 1),
		Late(1, time.Hour), WrongByte(1, 0))
	seconds, errs := runs(t, e, 2)
	require.Equal(t, []float64{1, 1}, seconds)
	require.NoError(t, errors.Join(errs...))
}

// TestWrongByte lets one of three real ranks see other data than were sent, in its second program only.
func TestWrongByte(t *testing.T) {
	err := local.Run(3, func(e mpi.Engine) error {
		p := &process{Engine: Faulty(e, WrongByte(1, 1)), world: e.World(), rank: e.World().Rank(), size: 3}
		for i := range 3 {
			var want *mpi.Mismatch
			if left, _ := neighbours(p.world); p.rank == 1 && i == 1 {
				want = &mpi.Mismatch{Rank: 1, Place: 2, Expected: keyOf(left).Key ^ 1, Found: keyOf(left).Key}
			}
			if err := p.ring(p.world, keyOf(p.rank), true, func(r mpi.Runner, _ []byte) error {
				m, err := r.Run(mpi.Loops{Timed: 5})
				p.sameMismatch(m.Mismatch, want)
				return err
			}); err != nil {
				return err
			}
		}
		return errors.Join(p.wrong...)
	})
	require.NoError(t, err)
}

// TestDyingOfReal: the others wait, until the dead rank's error ends the job.
func TestDyingOfReal(t *testing.T) {
	err := local.Run(3, func(e mpi.Engine) error {
		r, err := Faulty(e, Dying(1, 2)).Compile(&mpi.Program{Start: e.World()})
		for err == nil {
			_, err = r.Run(once)
		}
		return err
	})
	require.EqualError(t, err, "run: rank 1 died")
}

// TestWrongDelivery spoils what one of three real ranks gets from a broadcast, and nothing else.
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
		r, err := Faulty(e, WrongDelivery(1, mpi.Bcast), WrongDelivery(1, mpi.Gather)).Compile(p)
		if err != nil {
			return err
		}
		fill(b.Bytes()[:8], 0, 0, 0)
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

// TestFaultyWindows: there are windows if the engine has them.
func TestFaultyWindows(t *testing.T) {
	_, err := Faulty(&Scripted{Processes: 2}).(mpi.Windows).NewWindow(nil, nil)
	require.NoError(t, err)
	require.NoError(t, local.Run(1, func(e mpi.Engine) error {
		_, err := Faulty(e).(mpi.Windows).NewWindow(e.World(), nil)
		require.ErrorContains(t, err, "the engine has none")
		return nil
	}))
}
