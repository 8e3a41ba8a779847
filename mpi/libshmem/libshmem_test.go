package libshmem_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/conformance"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
	"github.com/effective-bandwidth/beff/mpi/libshmem"
)

// pluginVariable is the environment variable with the path of the plug-in, for the processes.
const pluginVariable = "BEFF_TEST_PLUGIN"

// process is this binary as a process of a job.
var process = conformance.Process{Engine: onProcess, Work: map[string]func(mpi.Engine) error{
	"too large": tooLarge,
	"refused":   refused,
	"reduced":   reduced,
	"in turns":  inTurns,
}}

func TestMain(m *testing.M) { process.Main(m, func() { os.RemoveAll(built) }) }

// TestRank runs the conformance suite on one process of a job.
func TestRank(t *testing.T) { process.Suite(t) }

func onProcess(main func(mpi.Engine) error) error {
	return libshmem.Run(plugin.Files{Path: os.Getenv(pluginVariable)}, main)
}

// built is the directory of the plug-in.
var built string

// build makes the plug-in with the compiler wrapper that OSHCC names.
var build = sync.OnceValue(func() error {
	var err error
	if built, err = os.MkdirTemp("", "beff-libshmem"); err != nil {
		return err
	}
	return plugin.Build(os.Getenv("OSHCC"), filepath.Join(built, "plugin.so"), "-Wall", "-Wextra", "-Wshadow",
		"-Werror")
})

// launcher returns the words of OSHRUN, such as "oshrun --oversubscribe". Without OSHRUN it skips the test.
func launcher(t testing.TB) []string {
	words := strings.Fields(os.Getenv("OSHRUN"))
	if len(words) == 0 {
		t.Skip("OSHRUN and OSHCC name no OpenSHMEM: make test-openshmem does")
	}
	return words
}

// oshrun starts processes of this binary, each of which does some work.
func oshrun(t testing.TB, processes int, work string) (output string, err error) {
	words, environ := started(t)
	return conformance.Start(t, words, processes, work, environ)
}

// started returns the words of the launcher and the environment of processes.
func started(t testing.TB) (words, environ []string) {
	words = launcher(t)
	require.NoError(t, build())
	return words, append(os.Environ(), pluginVariable+"="+filepath.Join(built, "plugin.so"))
}

// quiet are lines of a verbose test that began or was skipped.
var quiet = regexp.MustCompile(`(?m)^ *(=== RUN|--- SKIP|conformance.go:\d+: (the engine|needs)).*\n`)

func TestConformance(t *testing.T) {
	for _, processes := range []int{1, 2, 3, 4} {
		t.Run(fmt.Sprintf("P=%d", processes), func(t *testing.T) {
			words, environ := started(t)
			out, err := conformance.StartSuite(t, words, processes, environ)
			passed := strings.Count(out, "--- PASS: TestRank ") // includes lines of quiet that oshrun joins with others
			out = quiet.ReplaceAllString(out, "")
			require.NoError(t, err, out)
			require.GreaterOrEqual(t, passed, processes, out)
			require.NotContains(t, out, "signal 11", "the processes end in order")
			if processes > 1 {
				require.Contains(t, out, "--- PASS: TestRank/WindowPieces", "the suite has run")
			}
		})
	}
}

// TestTooLarge asks for a window that the symmetric heap has no room for.
func TestTooLarge(t *testing.T) {
	t.Setenv("SHMEM_SYMMETRIC_HEAP_SIZE", "32M")
	out, err := oshrun(t, 2, "too large")
	require.NoError(t, err, out)
	require.Equal(t, 2, strings.Count(out, "too small for a window of 67108864 bytes: SHMEM_SYMMETRIC_HEAP_SIZE sets"))
}

func tooLarge(e mpi.Engine) error {
	_, _, err := e.(mpi.Windows).Allocate(e.World(), 64<<20)
	if err == nil {
		return errors.New("64 MiB of 32 were allocated")
	}
	fmt.Println(err)
	w, b, err := e.(mpi.Windows).Allocate(e.World(), 1<<20)
	if err != nil {
		return err
	}
	b.Free()
	return w.Close()
}

// TestReduced combines numbers of all types in all ways, in place and not, on all processes and on every second one.
func TestReduced(t *testing.T) {
	out, err := oshrun(t, 4, "reduced")
	require.NoError(t, err, out)
	require.Equal(t, 4, strings.Count(out, "all reductions are right\n"), out)
}

func reduced(e mpi.Engine) error {
	half, err := e.World().Split(e.World().Rank()%2, 0)
	if err != nil {
		return err
	}
	for _, c := range []mpi.Comm{e.World(), half} {
		for _, kind := range []mpi.Type{mpi.Int32, mpi.Int64, mpi.Float32, mpi.Float64} {
			for with := range mpi.Min + 1 {
				for _, inPlace := range []bool{false, true} {
					if err := reduceOn(e, c, kind, with, inPlace); err != nil {
						return fmt.Errorf("%v %v in place %v: %w", kind, with, inPlace, err)
					}
				}
			}
		}
	}
	fmt.Println("all reductions are right")
	return half.Free()
}

// TestTurns combines numbers on one process, and then on all processes, which by then have made different numbers of
// reductions. Open MPI's component "basic" uses the caller's arrays, which other processes don't access.
func TestTurns(t *testing.T) {
	t.Setenv("OMPI_MCA_scoll", "basic")
	out, err := oshrun(t, 2, "in turns")
	require.NoError(t, err, out)
}

func inTurns(e mpi.Engine) error {
	alone, err := e.World().Split(e.World().Rank(), 0)
	if err != nil {
		return err
	}
	if e.World().Rank() == 0 {
		err = reduceOn(e, alone, mpi.Int64, mpi.Sum, true)
	}
	return errors.Join(err, reduceOn(e, e.World(), mpi.Int64, mpi.Sum, true), alone.Free())
}

// reduceOn combines 1000 numbers of each process: its rank, counted from 1.
func reduceOn(e mpi.Engine, c mpi.Comm, kind mpi.Type, with mpi.Reduction, inPlace bool) error {
	const n, loops = 1000, 2
	length := n * kind.Size()
	w, b, err := e.(mpi.Windows).Allocate(c, 2*length)
	if err != nil {
		return err
	}
	from, into := b.Bytes()[:length], b.Bytes()[length:]
	write(from, kind, float64(c.Rank()+1))
	write(into, kind, float64(c.Rank()+1))
	p := &mpi.Program{Comm: c, Start: c}
	p.Place(mpi.Place{Space: b, Length: length, Type: kind})
	p.Place(mpi.Place{Space: b, Length: length, Offset: length, Type: kind})
	p.Call(mpi.Call{Op: mpi.Allreduce, Send: mpi.One(0), Recv: mpi.One(1), Reduce: with, InPlace: inPlace})
	r, err := e.Compile(p)
	if err != nil {
		return err
	}
	timed := int64(loops)
	if inPlace {
		timed = 1 // a second loop would combine results of the first
	}
	if _, err := r.Run(mpi.Loops{Timed: timed}); err != nil {
		return err
	}
	r.Close()
	size := float64(c.Size())
	want := make([]byte, length)
	write(want, kind, map[mpi.Reduction]float64{mpi.Sum: size * (size + 1) / 2, mpi.Max: size, mpi.Min: 1}[with])
	if !bytes.Equal(want, into) {
		return fmt.Errorf("%v instead of %v", into[:8], want[:8])
	}
	return w.Close()
}

// write fills memory with a number.
func write(data []byte, kind mpi.Type, x float64) {
	for at := range len(data) / int(kind.Size()) {
		rest := data[at*int(kind.Size()):]
		switch kind {
		case mpi.Int32:
			binary.NativeEndian.PutUint32(rest, uint32(x))
		case mpi.Int64:
			binary.NativeEndian.PutUint64(rest, uint64(x))
		case mpi.Float32:
			binary.NativeEndian.PutUint32(rest, math.Float32bits(float32(x)))
		case mpi.Float64:
			binary.NativeEndian.PutUint64(rest, math.Float64bits(x))
		}
	}
}

// TestRefused tries calls and operands that OpenSHMEM doesn't have.
func TestRefused(t *testing.T) {
	out, err := oshrun(t, 2, "refused")
	require.NoError(t, err, out)
	for _, line := range []string{
		"MPI_Win_create is not supported by the engine openshmem",
		"MPI_Put of pieces other than elements of 4 or 8 bytes with a stride of whole elements is not supported by " +
			"the engine openshmem",
		"MPI_Get of elements of different sizes is not supported by the engine openshmem",
		"MPI_Fetch_and_op of anything but sums is not supported by the engine openshmem",
		"MPI_Fetch_and_op of floating-point numbers is not supported by the engine openshmem",
		"MPI_Sendrecv is not supported by the engine openshmem",
		"MPI_Allreduce of memory outside of the symmetric heap is not supported by the engine openshmem",
		"MPI_Allreduce of signed chars is not supported by the engine openshmem",
	} {
		require.Equal(t, 2, strings.Count(out, line+"\n"), line)
	}
}

func refused(e mpi.Engine) error {
	b, err := e.NewBuffer(1024)
	if err != nil {
		return err
	}
	defer b.Free()
	_, err = e.(mpi.Windows).NewWindow(e.World(), b)
	fmt.Println(err)
	w, symmetric, err := e.(mpi.Windows).Allocate(e.World(), 1024)
	if err != nil {
		return err
	}
	tried := func(op mpi.Op, reduce mpi.Reduction, here, there mpi.Place) {
		here.Space, there.Space = b, w
		p := &mpi.Program{Comm: e.World()}
		p.Place(here)
		p.Place(here) // the result
		p.Place(there)
		call := mpi.Call{Op: op, Send: mpi.One(0), Recv: mpi.One(2), Reduce: reduce}
		if op == mpi.FetchAndOp {
			call.Send.Count = 2
		}
		if op == mpi.Sendrecv || op == mpi.Allreduce {
			p.Places[2].Space = b
		}
		p.Call(call)
		r, err := e.Compile(p)
		if err == nil {
			r.Close()
		}
		fmt.Println(err)
	}
	pieces := func(n int, length, stride int64) mpi.Place {
		return mpi.Place{Length: int64(n) * length, Pieces: mpi.Strided(n, length, stride)}
	}
	tried(mpi.Put, 0, pieces(8, 2, 4), mpi.Place{Length: 16})
	tried(mpi.Get, 0, pieces(4, 4, 8), pieces(2, 8, 16))
	tried(mpi.FetchAndOp, mpi.Max, mpi.Place{Length: 8, Type: mpi.Int64}, mpi.Place{Length: 8, Type: mpi.Int64})
	tried(mpi.FetchAndOp, mpi.Sum, mpi.Place{Length: 8, Type: mpi.Float64}, mpi.Place{Length: 8, Type: mpi.Float64})
	tried(mpi.Sendrecv, 0, mpi.Place{Length: 8}, mpi.Place{Length: 8, Offset: 8})
	tried(mpi.Allreduce, mpi.Sum, mpi.Place{Length: 8, Type: mpi.Int64},
		mpi.Place{Length: 8, Offset: 8, Type: mpi.Int64})
	b = symmetric
	tried(mpi.Allreduce, mpi.Sum, mpi.Place{Length: 8, Type: mpi.Int8},
		mpi.Place{Length: 8, Offset: 8, Type: mpi.Int8})
	return w.Close()
}
