package suites

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

var update = flag.Bool("update", false, "write the golden files of testdata")

// TestCalls lists the calls of every process of every kernel in its timed loops, to be compared with the guide's
// definitions: 3 processes if a kernel takes them, or more if it needs them, 2 repetitions, 24 bytes.
func TestCalls(t *testing.T) {
	var text strings.Builder
	for _, k := range Kernels() {
		for _, mode := range k.ModesFor(&settings.Settings{}) {
			for _, built := range buildModes(k) {
				size := 3
				if k.Active > 0 {
					size = k.Active
				}
				for !k.Fits(size) {
					size++
				}
				fmt.Fprintf(&text, "%s %s%s%s\n", k.Component, k.Name, withSeparator(", ", string(mode)),
					built.name)
				for rank := range size {
					s := setupOf(t, k.Component, k.Name, mode, rank, size, 24, 2)
					s.Run.Overlapped, s.Run.MockUp, s.Run.Times = built.overlapped, built.mockUp, 7
					s.Options.IMB, s.Rules.Window = &settings.IMB{}, 3
					x := s.Kernel.Builder.Build(s)
					program := s.Program(x)
					require.NoError(t, program.Validate())
					require.Empty(t, program.Before)
					fmt.Fprintf(&text, "  rank %d of %d: %d ×%s", rank, size, s.Run.Repetitions/max(x.Cycle, 1),
						steps(program, program.Loop))
					if len(program.After) > 0 {
						fmt.Fprintf(&text, "; then%s", steps(program, program.After))
					}
					text.WriteString("\n")
				}
			}
		}
	}
	const golden = "testdata/calls.txt"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(text.String()), 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), text.String())
}

type buildMode struct {
	overlapped, mockUp bool
	name               string
}

// buildModes returns the ways in which a kernel's program is built.
func buildModes(k *kernel.Kernel) []buildMode {
	if k.Class == kernel.Overlap || k.Class == kernel.Passive {
		return []buildMode{{}, {overlapped: true, name: ", while computing"}}
	}
	if k.Class == kernel.CallAndMockUp {
		return []buildMode{{}, {mockUp: true, name: ", its mock-up"}}
	}
	return []buildMode{{}}
}

func withSeparator(separator, text string) string {
	if text == "" {
		return ""
	}
	return separator + text
}

// steps returns a program's calls as text, with the places that they send from and receive into: the peer's rank, the
// bytes, and the distance to the next repetition's place.
func steps(p *mpi.Program, calls []mpi.Call) string {
	const most = 24
	var text strings.Builder
	for i, c := range calls {
		if i == most {
			fmt.Fprintf(&text, " … %d calls;", len(calls))
			break
		}
		fmt.Fprintf(&text, " %s", strings.TrimPrefix(c.Op.String(), "MPI_"))
		if c.Op == mpi.Lap {
			fmt.Fprintf(&text, " %d", c.Root)
		}
		if c.Rotate {
			text.WriteString(" root+")
		}
		if c.InPlace {
			text.WriteString(" in place")
		}
		if c.Times > 0 {
			fmt.Fprintf(&text, " %d×", c.Times)
		}
		for _, side := range []struct {
			name string
			span mpi.Span
		}{{"from", c.Send}, {"into", c.Recv}} {
			if side.span.Count == 0 {
				continue
			}
			fmt.Fprintf(&text, " %s", side.name)
			for _, place := range p.Places[side.span.First : side.span.First+side.span.Count] {
				fmt.Fprintf(&text, " %d:%d+%d", place.Peer, place.Offset, place.Length)
				if stride, ok := mpi.Regular(place.Pieces); ok {
					fmt.Fprintf(&text, " in %d every %d", len(place.Pieces), stride)
				}
				if place.Advance > 0 && c.Op != mpi.FileSync { // whose place only names the file
					fmt.Fprintf(&text, " advancing %d", place.Advance)
				}
			}
		}
		text.WriteString(";")
	}
	return strings.TrimSuffix(text.String(), ";")
}
