package libmpi_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/conformance"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

// sidesVariable names two interfaces of one MPI whose plug-ins are compared, as words of HEADERS,LOADED,LINKED: the
// directory of mpi.h, and the library that a portable plug-in loads, or that another one is linked with.
const sidesVariable = "BEFF_TEST_SIDES"

// builtSide makes the plug-in and the loops by hand of an interface, and returns the variables of ranks that load them.
func builtSide(b *testing.B, side string) []string {
	words := strings.Split(side, ",")
	require.Len(b, words, 3)
	dir := b.TempDir()
	compiler, made := "gcc -I"+words[0], filepath.Join(dir, "plugin.so")
	if words[1] != "" {
		require.NoError(b, plugin.BuildPortable(compiler, made))
	} else {
		require.NoError(b, plugin.Build(compiler+" -Wl,--no-as-needed "+words[2], made))
	}
	loops := filepath.Join(dir, "byhand.so")
	out, err := exec.Command("gcc", "-O2", "-fPIC", "-shared", "-I"+words[0], "-o", loops, "testdata/byhand.c").
		CombinedOutput()
	require.NoError(b, err, string(out))
	return append(os.Environ(), pluginVariable+"="+made, libraryVariable+"="+words[1], byHandVariable+"="+loops)
}

// sideLengths are the lengths of messages in bytes, with the loops of a run.
var sideLengths = []struct{ length, loops int64 }{{1, 100_000}, {64 << 10, 5000}}

// rounds is the number of jobs of each side.
const rounds = 9

// BenchmarkSides prints how the one-way times of two plug-ins compare, and each with the loop by hand in its job. Two
// libraries can't be in one process, so the jobs of both sides take turns, and each side comes first in turn.
func BenchmarkSides(b *testing.B) {
	sides := strings.Fields(os.Getenv(sidesVariable))
	if len(sides) != 2 {
		b.Skip(sidesVariable + " names no two plug-ins: make bench-abi does")
	}
	var environs [2][]string
	for i, side := range sides {
		environs[i] = builtSide(b, side)
	}
	for b.Loop() {
		program, ratio := [2][][]float64{}, [2][][]float64{} // of each side, by length
		for i := range sides {
			program[i], ratio[i] = make([][]float64, len(sideLengths)), make([][]float64, len(sideLengths))
		}
		name := ""
		for round := range rounds {
			for i := range sides {
				i = (round + i) % 2
				out, err := conformance.Start(b, launcher(b), 2, "side", environs[i])
				require.NoError(b, err, out)
				for l, of := range sideLengths {
					var p, h float64
					_, at, found := strings.Cut(out, fmt.Sprintf("side %d: ", of.length))
					_, err := fmt.Sscanf(at, "%g %g", &p, &h)
					require.True(b, found && err == nil, out)
					program[i][l], ratio[i][l] = append(program[i][l], p), append(ratio[i][l], p/h)
				}
				_, name, _ = strings.Cut(out, "library: ")
				name, _, _ = strings.Cut(name, "\n")
			}
		}
		fmt.Printf("\n%s, P = 2, one-way times, medians of %d jobs of %d pairs each (min … max)\n", name, rounds, pairs)
		for l, of := range sideLengths {
			fmt.Printf("%5d bytes: standard ABI %.1f ns, its own %.1f ns, ratio %s\n", of.length,
				median(program[0][l])*1e9, median(program[1][l])*1e9, spread(quotients(program[0][l], program[1][l])))
			fmt.Printf("%5s against a loop by hand: standard ABI %s, its own %s\n", "", spread(ratio[0][l]),
				spread(ratio[1][l]))
		}
	}
}

func quotients(a, b []float64) (list []float64) {
	for i := range a {
		list = append(list, a[i]/b[i])
	}
	return list
}

func spread(x []float64) string {
	return fmt.Sprintf("%.3f (%.3f … %.3f)", median(x), slices.Min(x), slices.Max(x))
}

// side is the work of a rank of BenchmarkSides. Rank 0 prints the medians of program and loop by hand in seconds.
func side(e mpi.Engine) error {
	var buffers [2]mpi.Buffer
	for i := range buffers {
		b, err := e.NewBuffer(64 << 10)
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
	for _, x := range sideLengths {
		r, err := e.Compile(pingPong(e, buffers, x.length, false))
		if err != nil {
			return err
		}
		program, byHand, _, err := comparison{runner: r, loops: mpi.Loops{Untimed: 1000, Timed: x.loops},
			byHand: func() float64 { return hand.PingPong(send, recv, int32(x.length), peer, x.loops) },
			reset:  func() error { return nil }}.inTurn(e)
		r.Close()
		if err != nil {
			return err
		}
		if e.World().Rank() == 0 {
			per := float64(2 * x.loops)
			fmt.Printf("side %d: %g %g\n", x.length, median(program)/per, median(byHand)/per)
		}
	}
	if e.World().Rank() == 0 {
		fmt.Printf("library: %s %s\n", e.Library().Library, e.Library().Version)
	}
	return nil
}
