package libmpi_test

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
)

// TestInterrupt ends an endless run from another goroutine of the process that decides.
func TestInterrupt(t *testing.T) {
	out, err := mpirun(t, 2, "interrupt")
	require.NoError(t, err, out)
	require.Equal(t, 2, strings.Count(out, "ended"), out)
}

func interrupt(e mpi.Engine) error {
	const root = 1
	if e.World().Rank() == root {
		time.AfterFunc(20*time.Millisecond, e.(mpi.Interrupter).Interrupt)
	}
	p := &mpi.Program{Comm: e.World(), Start: e.World()}
	p.Call(mpi.Call{Op: mpi.Barrier}, mpi.Call{Op: mpi.Decide, Root: root})
	m, err := runOnce(e, p, mpi.Loops{Timed: 1 << 62})
	if err != nil {
		return err
	}
	least, most := []float64{float64(m.Loops)}, []float64{float64(m.Loops)}
	if err := e.World().Allreduce(least, mpi.Min); err != nil {
		return err
	}
	if err := e.World().Allreduce(most, mpi.Max); err != nil {
		return err
	}
	if least[0] != most[0] {
		return fmt.Errorf("rank %d: between %v and %v loops", e.World().Rank(), least[0], most[0])
	}
	fmt.Println("ended")
	return nil
}

func runOnce(e mpi.Engine, p *mpi.Program, n mpi.Loops) (mpi.Measurement, error) {
	r, err := e.Compile(p)
	if err != nil {
		return mpi.Measurement{}, err
	}
	defer r.Close()
	return r.Run(n)
}

// TestFileTooLarge writes beyond the largest file that the system allows. Neither process waits for the other, and both
// report the reason.
func TestFileTooLarge(t *testing.T) {
	out, err := mpirun(t, 2, "too large", t.TempDir())
	require.NoError(t, err, out)
	require.Equal(t, 2, strings.Count(out, "MPI_File_write failed on rank"), out)
}

func fileTooLarge(e mpi.Engine) error {
	const chunk, fit = 8192, 8
	signal.Ignore(syscall.SIGXFSZ)
	const limit = fit*chunk + chunk/2
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
		return err
	}
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
	m, err := runOnce(e, p, mpi.Loops{Timed: 1000})
	switch {
	case err != nil:
		return err
	case m.Failure == nil || m.Loops != fit+1:
		return fmt.Errorf("rank %d: %d loops, failure %v", e.World().Rank(), m.Loops, m.Failure)
	case m.Failure.Class == 0 && !strings.HasSuffix(m.Failure.Text, ": 4096 of 8192 bytes were written"),
		!strings.HasPrefix(m.Failure.Text, os.Args[1]):
		return m.Failure
	}
	fmt.Println(m.Failure)
	return f.Close()
}

// ownFile opens a file only on this process.
func ownFile(e mpi.Engine, folder string) (f mpi.File, free func(), err error) {
	alone, err := e.World().Split(e.World().Rank(), 0)
	if err != nil {
		return nil, nil, err
	}
	path := filepath.Join(folder, fmt.Sprint(e.World().Rank()))
	f, err = e.(mpi.Files).OpenFile(alone, path, mpi.ReadWrite|mpi.Create|mpi.UniqueOpen, nil)
	return f, func() { alone.Free() }, err
}

// writeProgram returns one loop of b_eff_io's type 2: each process writes a chunk to its own file, then process 0
// decides.
func writeProgram(e mpi.Engine, f mpi.File, chunk int64) (p *mpi.Program, free func(), err error) {
	b, err := e.NewBuffer(chunk)
	if err != nil {
		return nil, nil, err
	}
	p = &mpi.Program{Comm: e.World(), Start: e.World()}
	memory := mpi.One(p.Place(mpi.Place{Space: b, Length: chunk, Mark: mpi.Mark{Width: 8, PerLoop: 1}}))
	file := mpi.One(p.Place(mpi.Place{Space: f, Length: chunk}))
	p.Call(
		mpi.Call{Op: mpi.Stamp, Send: memory}, mpi.Call{Op: mpi.Lap, Root: 0},
		mpi.Call{Op: mpi.FileWrite, Send: memory, Recv: file}, mpi.Call{Op: mpi.Lap, Root: 1},
		mpi.Call{Op: mpi.Barrier}, mpi.Call{Op: mpi.Lap, Root: 2},
		mpi.Call{Op: mpi.Decide}, mpi.Call{Op: mpi.Lap, Root: 3},
	)
	return p, b.Free, nil
}

// TestHints gives hints when a file is opened, with a view, and later. The library is free to drop hints.
func TestHints(t *testing.T) {
	out, err := mpirun(t, 2, "hints", filepath.Join(t.TempDir(), "file"))
	require.NoError(t, err, out)
	require.Equal(t, 2, strings.Count(out, "hints in force"), out)
}

func hints(e mpi.Engine) error {
	long := mpi.Hint{Key: "beff_long", Value: strings.Repeat("x", 200)}
	f, err := e.(mpi.Files).OpenFile(e.World(), os.Args[1], mpi.ReadWrite|mpi.Create,
		[]mpi.Hint{{Key: "cb_buffer_size", Value: "1048576"}, long})
	if err != nil {
		return err
	}
	if err := f.SetView(mpi.View{}, []mpi.Hint{{Key: "ind_wr_buffer_size", Value: "65536"}}); err != nil {
		return err
	}
	got, err := f.Hints()
	if err != nil {
		return err
	}
	fmt.Println("hints in force:", got)
	want := mpi.Hint{Key: "cb_buffer_size", Value: "1048576"}
	if e.Library().Library == "MPICH" && !slices.Contains(got, want) {
		return fmt.Errorf("rank %d: %v is lost", e.World().Rank(), want)
	}
	if _, err := e.(mpi.Files).OpenFile(e.World(), os.Args[1], mpi.ReadWrite,
		[]mpi.Hint{{Value: "no key"}}); err == nil {
		return fmt.Errorf("rank %d: a hint without a key", e.World().Rank())
	}
	return f.Close()
}
