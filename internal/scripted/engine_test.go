package scripted

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
)

// once is one timed loop.
var once = mpi.Loops{Timed: 1}

// ringOf returns the program of a process's exchange with both neighbors. The spans of calls are the two places to send
// from and the two to receive into.
func ringOf(t *testing.T, e mpi.Engine, calls func(send, recv mpi.Span) []mpi.Call, length int64) *mpi.Program {
	t.Helper()
	b, err := e.NewBuffer(1 << 40)
	require.NoError(t, err)
	right, left := 1, e.World().Size()-1
	p := &mpi.Program{Comm: e.World(), Start: e.World()}
	for _, peer := range []int{left, right, right, left} {
		p.Place(mpi.Place{Space: b, Length: length, Peer: peer})
	}
	p.Call(calls(mpi.Span{First: 0, Count: 2}, mpi.Span{First: 2, Count: 2})...)
	return p
}

// sendrecvs returns two exchanges one after the other.
func sendrecvs(send, recv mpi.Span) []mpi.Call {
	return []mpi.Call{{Op: mpi.Sendrecv, Send: mpi.One(send.First), Recv: mpi.One(recv.First)},
		{Op: mpi.Sendrecv, Send: mpi.One(send.First + 1), Recv: mpi.One(recv.First + 1)}}
}

// isends returns the same exchanges at the same time.
func isends(send, recv mpi.Span) []mpi.Call {
	return []mpi.Call{{Op: mpi.Isend, Send: mpi.One(send.First)}, {Op: mpi.Irecv, Recv: mpi.One(recv.First)},
		{Op: mpi.Isend, Send: mpi.One(send.First + 1)}, {Op: mpi.Irecv, Recv: mpi.One(recv.First + 1)},
		{Op: mpi.Waitall}}
}

func alltoallv(send, recv mpi.Span) []mpi.Call {
	return []mpi.Call{{Op: mpi.Alltoallv, Send: send, Recv: recv}}
}

func compile(t *testing.T, e mpi.Engine, p *mpi.Program) mpi.Runner {
	t.Helper()
	r, err := e.Compile(p)
	require.NoError(t, err)
	return r
}

func TestSteps(t *testing.T) {
	for _, c := range []struct {
		calls func(send, recv mpi.Span) []mpi.Call
		want  mpi.Op
	}{{sendrecvs, mpi.Sendrecv}, {alltoallv, mpi.Alltoallv}, {isends, mpi.Isend}} {
		t.Run(c.want.String(), func(t *testing.T) {
			var steps []Step
			e := &Engine{Processes: 5, Cost: func(s Step) float64 { steps = append(steps, s); return 1 }}
			program := ringOf(t, e, c.calls, 1000)
			r := compile(t, e, program)
			for _, n := range []mpi.Loops{once, {Untimed: 2, Timed: 3}} {
				_, err := r.Run(n)
				require.NoError(t, err)
			}
			want := Step{Program: program, Calls: program.Loop, Size: 5, Method: c.want, Messages: 2, Bytes: 2000,
				Loops: once}
			require.Equal(t, want, steps[0])
			want.Loops, want.Run = mpi.Loops{Untimed: 2, Timed: 3}, 1
			require.Equal(t, want, steps[1])
		})
	}
}

func TestStepOfOneSide(t *testing.T) {
	e := &Engine{Processes: 2}
	b, err := e.NewBuffer(8)
	require.NoError(t, err)
	place := mpi.Place{Space: b, Length: 8, Peer: 1}
	for _, c := range []struct {
		calls []mpi.Call
		want  Step
	}{
		{nil, Step{}},
		{[]mpi.Call{{Op: mpi.Stamp, Send: mpi.One(0)}, {Op: mpi.Send, Send: mpi.One(0)}},
			Step{Method: mpi.Sendrecv, Messages: 1, Bytes: 8}},
		{[]mpi.Call{{Op: mpi.Recv, Recv: mpi.One(0)}}, Step{Method: mpi.Sendrecv}},
		{[]mpi.Call{{Op: mpi.Irecv, Recv: mpi.One(0)}, {Op: mpi.Waitall}}, Step{Method: mpi.Isend}},
		{[]mpi.Call{{Op: mpi.Barrier}}, Step{Method: mpi.Barrier}},
	} {
		p := &mpi.Program{Comm: e.World(), Places: []mpi.Place{place}, Loop: c.calls}
		c.want.Program, c.want.Calls, c.want.Size = p, c.calls, 2
		require.Equal(t, c.want, newStep(p, p.Loop))
	}
	require.Zero(t, newStep(&mpi.Program{}, nil).Size)
}

// TestStepOfCollectives counts the bytes that a process sends, however many processes receive them.
func TestStepOfCollectives(t *testing.T) {
	e := &Engine{Processes: 3}
	b, err := e.NewBuffer(48)
	require.NoError(t, err)
	w, err := e.NewWindow(e.World(), b)
	require.NoError(t, err)
	require.Equal(t, int64(48), w.Size())
	places := []mpi.Place{
		{Space: b, Length: 8, Type: mpi.Float32}, {Space: b, Offset: 8, Length: 24, Type: mpi.Float32},
		{Space: w, Length: 4, Peer: 2, Type: mpi.Int32},
		{Space: b, Length: 4, Type: mpi.Int32}, {Space: b, Length: 4, Type: mpi.Int32},
		{Space: b, Length: 4, Type: mpi.Int32},
	}
	for _, c := range []struct {
		calls []mpi.Call
		want  Step
	}{
		{[]mpi.Call{{Op: mpi.Allgather, Send: mpi.One(0), Recv: mpi.One(1)}},
			Step{Method: mpi.Allgather, Messages: 1, Bytes: 8}},
		{[]mpi.Call{{Op: mpi.Exploit, Times: 7}, {Op: mpi.Exploit, Times: 8}}, Step{Products: 15}},
		{[]mpi.Call{{Op: mpi.Iallreduce, Send: mpi.One(0), Recv: mpi.One(0)}, {Op: mpi.Exploit, Times: 5},
			{Op: mpi.Wait}}, Step{Method: mpi.Iallreduce, Messages: 1, Bytes: 8, Products: 5}},
		{[]mpi.Call{{Op: mpi.CompareAndSwap, Send: mpi.Span{First: 3, Count: 3}, Recv: mpi.One(2)},
			{Op: mpi.WinFlush, Recv: mpi.One(2)}}, Step{Method: mpi.CompareAndSwap, Messages: 1, Bytes: 4}},
	} {
		p := &mpi.Program{Comm: e.World(), Places: places, Loop: c.calls}
		compile(t, e, p)
		c.want.Program, c.want.Calls, c.want.Size = p, c.calls, 3
		require.Equal(t, c.want, newStep(p, p.Loop))
	}
}

// TestWindow checks that windows take the time that the script sets.
func TestWindow(t *testing.T) {
	e := &Engine{Processes: 3, Files: func(call string) float64 {
		return map[string]float64{"MPI_Win_create": 2, "MPI_Win_free": 0.5, "MPI_Win_allocate": 3}[call]
	}}
	begin := e.Now()
	w, err := e.NewWindow(e.World(), nil)
	require.NoError(t, err)
	require.Zero(t, w.Size())
	require.NoError(t, w.Free())
	require.NoError(t, w.Create())
	require.Equal(t, 4500*time.Millisecond, e.Now().Sub(begin))
	require.NoError(t, w.Close())
	require.NoError(t, w.Close())
	require.Equal(t, 5*time.Second, e.Now().Sub(begin), "a free window isn't freed again")
	w, b, err := e.Allocate(e.World(), 48)
	require.NoError(t, err)
	require.Equal(t, []int64{48, 48}, []int64{w.Size(), b.Size()})
	require.Equal(t, 8*time.Second, e.Now().Sub(begin))
	require.ErrorContains(t, w.Free(), "came with its memory")
	require.ErrorContains(t, w.Create(), "came with its memory")
	require.NoError(t, w.Close())
	require.Equal(t, 8500*time.Millisecond, e.Now().Sub(begin))
	e.Abort(1)
	require.ErrorIs(t, w.Free(), mpi.ErrAborted)
}

// TestPerCall asks for the cost of each measured call.
func TestPerCall(t *testing.T) {
	e := &Engine{Processes: 3, Cost: PerCall(func(s Step, c mpi.Call) float64 {
		return map[mpi.Op]float64{mpi.Exploit: float64(c.Times), mpi.Barrier: 0.5, mpi.Stamp: 1000}[c.Op] +
			float64(s.Loops.Timed)
	})}
	b, err := e.NewBuffer(8)
	require.NoError(t, err)
	p := &mpi.Program{Comm: e.World(), Places: []mpi.Place{{Space: b, Length: 8}}}
	p.Call(mpi.Call{Op: mpi.Stamp, Send: mpi.One(0)}, mpi.Call{Op: mpi.Exploit, Times: 7}, mpi.Call{Op: mpi.Barrier})
	m, err := compile(t, e, p).Run(mpi.Loops{Timed: 2})
	require.NoError(t, err)
	require.Equal(t, 2*(7+0.5+2*2), m.Seconds)
}

func TestClock(t *testing.T) {
	e := &Engine{Processes: 4, Cost: Linear(0.5, 1024)}
	r := compile(t, e, ringOf(t, e, sendrecvs, 512)) // 2 messages: 2 s a loop
	begin := e.Now()
	m, err := r.Run(mpi.Loops{Untimed: 1, Timed: 10})
	require.NoError(t, err)
	require.Equal(t, mpi.Measurement{Begin: 2, Seconds: 20, Loops: 10}, m)
	require.Equal(t, 22*time.Second, e.Now().Sub(begin))
	e.Advance(0.25)
	require.Equal(t, 22250*time.Millisecond, e.Now().Sub(begin))
}

// TestNoise has a cost that depends on the number of runs.
func TestNoise(t *testing.T) {
	e := &Engine{Processes: 4, Cost: func(s Step) float64 { return []float64{1, 1.5, 0.75}[s.Run%3] }}
	programs := []mpi.Runner{compile(t, e, &mpi.Program{}), compile(t, e, &mpi.Program{})}
	for i, want := range []float64{2, 3, 1.5, 2} {
		m, err := programs[i%2].Run(mpi.Loops{Timed: 2})
		require.NoError(t, err)
		require.Equal(t, want, m.Seconds)
	}
}

func TestResolution(t *testing.T) {
	for _, c := range []struct {
		cost, resolution float64
		loops            int64
		steps            float64
	}{
		{0.3, 1, 3, 0},
		{0.3, 1, 4, 1},
		{0.25, 0.5, 7, 3},
		{0.1, 0.1, 3, 3},
		{1e-6, 1e-6, 7, 7},
		{1e-7, 1e-6, 9, 0},
	} {
		e := &Engine{Processes: 2, Cost: func(Step) float64 { return c.cost }, Resolution: c.resolution}
		m, err := compile(t, e, &mpi.Program{}).Run(mpi.Loops{Timed: c.loops})
		require.NoError(t, err)
		require.Equal(t, c.steps*c.resolution, m.Seconds, "%+v", c)
		require.InDelta(t, c.cost*float64(c.loops), e.Now().Sub((&Engine{}).Now()).Seconds(), 1e-9)
	}
}

func TestFail(t *testing.T) {
	wrong := &mpi.Mismatch{Rank: 0, Place: 1, Loop: 7, Expected: 1, Found: 2}
	failed := &mpi.Error{Call: "MPI_Sendrecv", Text: "unplugged"}
	e := &Engine{Processes: 2, Cost: func(Step) float64 { return 1 }, Fail: func(s Step) (*mpi.Mismatch, error) {
		switch s.Run {
		case 1:
			return wrong, nil
		case 2:
			return nil, failed
		}
		return nil, nil
	}}
	r := compile(t, e, &mpi.Program{})
	for _, want := range []struct {
		m   mpi.Measurement
		err error
	}{
		{mpi.Measurement{Seconds: 1, Loops: 1}, nil},
		{mpi.Measurement{Begin: 1, Seconds: 1, Loops: 1, Wrong: 1, Mismatch: wrong}, nil},
		{mpi.Measurement{}, failed}, {mpi.Measurement{Begin: 2, Seconds: 1, Loops: 1}, nil},
	} {
		m, err := r.Run(once)
		require.Equal(t, want.m, m)
		require.Equal(t, want.err, err)
	}
}

func TestReductions(t *testing.T) {
	slower := func(rank int, v float64) float64 { return v * (1 + float64(rank)/2) }
	for _, c := range []struct {
		skew func(int, float64) float64
		op   mpi.Reduction
		want []float64
	}{
		{nil, mpi.Sum, []float64{6, -12}},
		{nil, mpi.Max, []float64{2, -4}},
		{nil, mpi.Min, []float64{2, -4}},
		{slower, mpi.Sum, []float64{9, -18}},
		{slower, mpi.Max, []float64{4, -4}},
		{slower, mpi.Min, []float64{2, -8}},
	} {
		values := []float64{2, -4}
		require.NoError(t, (&Engine{Processes: 3, Skew: c.skew}).World().Allreduce(values, c.op))
		require.Equal(t, c.want, values)
	}
}

func TestComm(t *testing.T) {
	e := &Engine{Processes: 7}
	w := e.World()
	require.Equal(t, []int{0, 7}, []int{w.Rank(), w.Size()})
	recv := make([]byte, 14)
	require.NoError(t, w.Gather([]byte("ab"), recv, 0))
	require.Equal(t, "ababababababab", string(recv))
	require.NoError(t, w.Gather([]byte("ab"), nil, 3))
	require.Error(t, w.Gather([]byte("ab"), nil, 0))
	data := []byte("ab")
	require.NoError(t, w.Bcast(data, 3))
	require.Equal(t, "ab", string(data))

	c, err := w.Split(0, 0)
	require.NoError(t, err)
	require.Equal(t, 7, c.Size())
	c, err = w.Split(-1, 0)
	require.NoError(t, err)
	require.Nil(t, c)
	e.Members = func(color, size int) int { return size - color }
	c, err = e.World().Split(1, 0)
	require.NoError(t, err)
	require.Equal(t, 6, c.Size())
	require.Equal(t, 2, e.Left())
	require.NoError(t, c.Free())
	require.Equal(t, 1, e.Left())

	c, err = w.Cart([]int{3, 2}, []bool{true, false})
	require.NoError(t, err)
	require.Equal(t, 6, c.Size())
	_, err = w.Cart([]int{4, 2}, []bool{true, false})
	require.Error(t, err)
	require.Equal(t, 2, e.Left())
}

func TestRefusals(t *testing.T) {
	e := &Engine{Processes: 2}
	_, err := e.NewBuffer(-1)
	require.Error(t, err)
	_, err = e.Compile(&mpi.Program{Loop: []mpi.Call{{Op: mpi.Barrier}}})
	require.Error(t, err)
	r := compile(t, e, &mpi.Program{})
	for _, n := range []mpi.Loops{{}, {Untimed: -1, Timed: 1}} {
		_, err = r.Run(n)
		require.Error(t, err)
	}
	r.Close()
	_, err = r.Run(once)
	require.Error(t, err)
}

func TestAbort(t *testing.T) {
	e := &Engine{Processes: 2}
	r := compile(t, e, &mpi.Program{})
	_, ok := e.Aborted()
	require.False(t, ok)
	e.Abort(3)
	e.Abort(4)
	code, ok := e.Aborted()
	require.True(t, ok)
	require.Equal(t, 3, code)
	_, run := r.Run(once)
	_, buffer := e.NewBuffer(1)
	_, program := e.Compile(&mpi.Program{})
	for _, err := range []error{run, buffer, program, e.Collect(), e.World().Barrier(),
		e.World().Allreduce(nil, mpi.Sum)} {
		require.ErrorIs(t, err, mpi.ErrAborted)
	}
}

func TestBuffer(t *testing.T) {
	e := &Engine{}
	b, err := e.NewBuffer(100)
	require.NoError(t, err)
	require.Equal(t, 1, e.Left())
	require.Equal(t, int64(100), b.Size())
	b.Bytes()[99] = 7
	require.Equal(t, byte(7), b.Bytes()[99])
	b.Free()
	require.Zero(t, e.Left())
	_, err = (&Engine{}).NewBuffer(math.MaxInt64) // its memory is never needed
	require.NoError(t, err)
}

func TestLinear(t *testing.T) {
	cost := Linear(2e-6, 1e9)
	require.Equal(t, 0.0, cost(Step{}))
	require.Equal(t, 2e-6, cost(Step{Messages: 1}))
	require.Equal(t, 3*2e-6+6000/1e9, cost(Step{Messages: 3, Bytes: 6000}))
}

// TestSections checks that calls around the loops cost time once in each pass, and that the time of each loop is kept.
func TestSections(t *testing.T) {
	e := &Engine{Processes: 2, Cost: PerCall(func(Step, mpi.Call) float64 { return 1 })}
	barrier, lap := mpi.Call{Op: mpi.Barrier}, mpi.Call{Op: mpi.Lap}
	r := compile(t, e, &mpi.Program{Comm: e.World(), Before: []mpi.Call{barrier, barrier},
		Loop: []mpi.Call{barrier, barrier, barrier, lap}, After: []mpi.Call{barrier}})
	m, err := r.Run(mpi.Loops{Untimed: 2, Timed: 4, Each: true})
	require.NoError(t, err)
	require.Equal(t, mpi.Measurement{Begin: 2*3 + 3, Seconds: 4*3 + 3, Loops: 4, Each: []float64{3, 3, 3, 3},
		Laps: []mpi.LapTime{{Seconds: 12, Last: 3, Each: []float64{3, 3, 3, 3}}}}, m)
	m, err = r.Run(mpi.Loops{Timed: 2})
	require.NoError(t, err)
	require.Equal(t, mpi.Measurement{Begin: 24, Seconds: 9, Loops: 2,
		Laps: []mpi.LapTime{{Seconds: 6, Last: 3}}}, m)
}

// TestEachByTheClock checks that the times of loops add up to the run's on a coarse clock.
func TestEachByTheClock(t *testing.T) {
	e := &Engine{Processes: 2, Cost: func(Step) float64 { return 0.75 }, Resolution: 1}
	m, err := compile(t, e, &mpi.Program{}).Run(mpi.Loops{Timed: 4, Each: true})
	require.NoError(t, err)
	require.Equal(t, []float64{0, 1, 1, 1}, m.Each)
	require.Equal(t, 3.0, m.Seconds)
	require.Equal(t, mpi.Clock{Global: true, Resolution: 1}, e.Clock())
}
