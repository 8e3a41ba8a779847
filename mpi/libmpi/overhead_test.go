package libmpi_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ebitengine/purego"
	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
)

// BenchmarkOverhead prints the one-way time of a 1-byte ping-pong by program and by a loop written by hand in C. Both
// run in turn in the same process.
func BenchmarkOverhead(b *testing.B) {
	for b.Loop() {
		out, err := mpirun(b, 2, "overhead")
		require.NoError(b, err, out)
		fmt.Fprint(os.Stdout, "\n", out)
	}
}

// BenchmarkFileOverhead compares the time of a loop of b_eff_io's type 2 with chunks of 1 kB in the same way.
func BenchmarkFileOverhead(b *testing.B) {
	for b.Loop() {
		out, err := mpirun(b, 2, "file overhead", b.TempDir())
		require.NoError(b, err, out)
		fmt.Fprint(os.Stdout, "\n", out)
	}
}

const (
	pairs         = 9
	overheadLoops = 200_000
	fileLoops     = 20_000
)

// overhead is the work of a rank of BenchmarkOverhead. Rank 0 prints.
func overhead(e mpi.Engine) error {
	const size = 6 * (8<<20 + 16)
	var buffers [2]mpi.Buffer
	for i := range buffers {
		b, err := e.NewBuffer(size)
		if err != nil {
			return err
		}
		defer b.Free()
		buffers[i] = b
	}
	send, recv, peer := &buffers[0].Bytes()[0], &buffers[1].Bytes()[0], int32(1-e.World().Rank())
	hand, err := openByHand()
	if err != nil {
		return err
	}
	if e.World().Rank() == 0 {
		fmt.Printf("%s %s, P = 2, one-way time of 1 byte, median of %d pairs (min … max)\n", e.Library().Library,
			e.Library().Version, pairs)
	}
	for _, c := range []struct {
		name   string
		marked bool
		byHand func() float64
	}{
		{"plain Send and Recv", false, func() float64 {
			return hand.PingPong(send, recv, 1, peer, overheadLoops)
		}},
		{"with walk, marks and check", true, func() float64 {
			return hand.MarkedPingPong(send, recv, size, 1, peer, overheadLoops)
		}},
	} {
		r, err := e.Compile(pingPong(e, buffers, 1, c.marked))
		if err != nil {
			return err
		}
		err = comparePairs(e, comparison{
			name: c.name, runner: r, loops: mpi.Loops{Untimed: 1000, Timed: overheadLoops}, per: 2 * overheadLoops,
			byHand: c.byHand,
			reset:  func() error { return nil },
		})
		r.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// fileOverhead is the work of a rank of BenchmarkFileOverhead. Each loop rewrites its file from the start, so only the
// first pair makes it longer. The loop of bare calls has no marks, reads the clock once and looks at no status.
func fileOverhead(e mpi.Engine) error {
	const chunk = 1024
	f, free, err := ownFile(e, os.Args[1])
	if err != nil {
		return err
	}
	defer free()
	p, free, err := writeProgram(e, f, chunk)
	if err != nil {
		return err
	}
	defer free()
	r, err := e.Compile(p)
	if err != nil {
		return err
	}
	defer r.Close()
	with := *p
	with.Loop = slices.Clone(p.Loop)
	with.Loop[slices.IndexFunc(p.Loop, func(c mpi.Call) bool { return c.Op == mpi.FileWrite })+1].Counts = true
	counted, err := e.Compile(&with)
	if err != nil {
		return err
	}
	defer counted.Close()
	hand, err := openByHand()
	if err != nil {
		return err
	}
	if rc := hand.Open(filepath.Join(os.Args[1], fmt.Sprint("byhand", e.World().Rank()))); rc != 0 {
		return fmt.Errorf("open the file by hand: code %d", rc)
	}
	memory := p.Places[0].Space.(mpi.Buffer).Bytes()
	if e.World().Rank() == 0 {
		fmt.Printf("%s %s, P = 2, a loop of MPI_File_write of 1 kB to a file per process, MPI_Barrier, MPI_Bcast, "+
			"median of %d pairs (min … max)\n",
			e.Library().Library, e.Library().Version, pairs)
	}
	for _, c := range []struct {
		name   string
		runner mpi.Runner
		blocks bool // the program keeps the times of its calls in blocks, as b_eff_io does
		byHand func(memory *byte, length int32, loops int64, budget float64) float64
	}{
		{"against bare calls", r, false, hand.Writes},
		{"the same, marks, laps, count", r, false, hand.MarkedWrites},
		{"and blocks in the program", r, true, hand.MarkedWrites},
		{"and each call's time counted", counted, true, hand.MarkedWrites},
	} {
		err = errors.Join(err, comparePairs(e, comparison{
			name: c.name, runner: c.runner, per: fileLoops,
			loops:  mpi.Loops{Timed: fileLoops, Budget: 1e6, Blocks: c.blocks},
			byHand: func() float64 { return c.byHand(&memory[0], int32(len(memory)), fileLoops, 1e6) },
			reset: func() error {
				if rc := hand.Rewind(); rc != 0 {
					return fmt.Errorf("rewind the file by hand: code %d", rc)
				}
				return f.SetView(mpi.View{}, nil)
			},
		}))
	}
	if rc := hand.Close(); rc != 0 {
		err = errors.Join(err, fmt.Errorf("close the file by hand: code %d", rc))
	}
	return errors.Join(err, f.Close())
}

// loopsByHand holds the functions of testdata/byhand.c. A function that returns a time returns a negative time if a
// call failed or a mark was wrong.
type loopsByHand struct {
	PingPong       func(send, recv *byte, length, peer int32, loops int64) float64
	MarkedPingPong func(send, recv *byte, size int64, length, peer int32, loops int64) float64
	Open           func(path string) int32
	Rewind         func() int32
	Close          func() int32
	Writes         func(memory *byte, length int32, loops int64, budget float64) float64
	MarkedWrites   func(memory *byte, length int32, loops int64, budget float64) float64
	Persistent     func(send, recv *byte, count int32, loops int64) float64
}

// openByHand loads the loops by hand. Their MPI has already been loaded into this process.
func openByHand() (l loopsByHand, err error) {
	library, err := purego.Dlopen(os.Getenv(byHandVariable), purego.RTLD_NOW)
	if err != nil {
		return l, err
	}
	for name, f := range map[string]any{
		"ping_pong": &l.PingPong, "marked_ping_pong": &l.MarkedPingPong, "open": &l.Open, "rewind": &l.Rewind,
		"close": &l.Close, "writes": &l.Writes, "marked_writes": &l.MarkedWrites,
		"persistent": &l.Persistent,
	} {
		purego.RegisterLibFunc(f, library, "byhand_"+name)
	}
	return l, nil
}

// pingPong returns one loop for this rank.
func pingPong(e mpi.Engine, buffers [2]mpi.Buffer, length int64, marked bool) *mpi.Program {
	p := &mpi.Program{Comm: e.World(), Start: e.World()}
	rank := e.World().Rank()
	for i, from := range []int{rank, 1 - rank} {
		place := mpi.Place{Space: buffers[i], Length: length, Peer: 1 - rank}
		if marked {
			place.Step, place.Mark = 8, mpi.Mark{Width: 1, Key: uint64(from) * 151, PerLoop: 7}
		}
		p.Place(place)
	}
	send, recv := mpi.Call{Op: mpi.Send, Send: mpi.One(0)}, mpi.Call{Op: mpi.Recv, Recv: mpi.One(1)}
	if marked {
		p.Call(mpi.Call{Op: mpi.Walk, Send: mpi.Span{First: 0, Count: 2}}, mpi.Call{Op: mpi.Stamp, Send: mpi.One(0)})
	}
	if rank == 0 {
		p.Call(send, recv)
	} else {
		p.Call(recv, send)
	}
	if marked {
		p.Call(mpi.Call{Op: mpi.Check, Recv: mpi.One(1)})
	}
	return p
}

// comparison holds a program and the loop by hand that does the same.
type comparison struct {
	name   string
	runner mpi.Runner
	loops  mpi.Loops
	byHand func() float64 // seconds
	reset  func() error   // called before each run of either
	per    float64        // divisor of a run's time for printing
}

// comparePairs prints the medians of program and hand-written loop.
func comparePairs(e mpi.Engine, c comparison) error {
	program, hand, ratio, err := c.inTurn(e)
	if err == nil && e.World().Rank() == 0 {
		fmt.Printf("%-28s program %.1f ns, by hand %.1f ns, ratio %.3f (%.3f … %.3f)\n", c.name,
			median(program)/c.per*1e9, median(hand)/c.per*1e9, median(ratio), slices.Min(ratio), slices.Max(ratio))
	}
	return err
}

// inTurn runs program and hand-written loop in turn, with alternating order in the pairs.
func (c comparison) inTurn(e mpi.Engine) (program, hand, ratio []float64, err error) {
	for i := range pairs + 1 {
		var times [2]float64
		for j := range 2 {
			which := (i + j) % 2
			if err := c.reset(); err != nil {
				return nil, nil, nil, err
			}
			if times[which], err = c.run(e, which == 0); err != nil {
				return nil, nil, nil, err
			}
		}
		if i == 0 {
			continue // warm-up
		}
		program, hand, ratio = append(program, times[0]), append(hand, times[1]), append(ratio, times[0]/times[1])
	}
	return program, hand, ratio, nil
}

// run returns the seconds of the program or of the loop by hand.
func (c comparison) run(e mpi.Engine, program bool) (float64, error) {
	if program {
		m, err := c.runner.Run(c.loops)
		switch {
		case err != nil:
			return 0, err
		case m.Mismatch != nil:
			return 0, m.Mismatch
		case m.Failure != nil:
			return 0, m.Failure
		}
		return m.Seconds, nil
	}
	if err := e.World().Barrier(); err != nil {
		return 0, err
	}
	seconds := c.byHand()
	if seconds < 0 {
		return 0, fmt.Errorf("loop by hand: %v", seconds)
	}
	return seconds, nil
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/2]
}
