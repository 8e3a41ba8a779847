package document

import (
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"
)

// A first screen has at most twelve lines on any terminal. Only the line for scripts may be wider than the terminal.
// The verdict and the next command are never cut. The lines to copy are whole and come last.
func TestScreen(t *testing.T) {
	d := &Document{Title: "t", Notices: []Notice{{Level: Warning, Text: "Valid, but noisy: ± 13 %", Bare: true}},
		Screen: []Fact{{"", "Valid, but noisy: ± 13 %"},
			{"b_eff", "4.1 to 5.3 GB/s (4.7 GB/s ± 13 %), 2 processes, Open MPI 4.1.4, a system with a long name"},
			{"Cause", "other programs kept 0.79 of 2 processors of a host with a long name busy all the time"},
			{"Remedy", "use whole nodes (--exclusive), and look for other programs there with `top`"},
			{"Also", strings.Repeat("and much more ", 20)}},
		Next: "mpirun -n 2 beff run --resume w60",
		Last: "b_eff = 4700 MB/s = 2360 * 2 PEs with 12052 MB/PE on " + strings.Repeat("Linux ", 15)}
	d.Next = "srun --mpi=pmix -N 2 -n 2 beff run --resume " + strings.Repeat("w", 30)
	long := "beff report " + strings.Repeat("w", 70) + " -o x"
	quoted := "beff report '" + strings.Repeat("w ", 40) + "'"
	for next, want := range map[string]string{
		d.Next: "srun --mpi=pmix -N 2 -n 2 beff run --resume \\\n        " + strings.Repeat("w", 30),
		"mpirun -n 2 beff run -o NAME # " + strings.Repeat("w ", 30): "mpirun -n 2 beff run -o NAME",
		long: long, quoted: quoted,
	} {
		var b strings.Builder
		d.Next = next
		require.NoError(t, Brief(Screen{Width: 70})(&b, d))
		require.Contains(t, b.String(), "\nNext    "+want+"\n", "a shell takes it as one line")
	}
	d.Next = "mpirun -n 2 beff run --resume w60"
	for _, width := range []int{0, 60, 80, 120} {
		var b strings.Builder
		require.NoError(t, Brief(Screen{Width: width})(&b, d))
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		require.LessOrEqual(t, len(lines), UsualLines, b.String())
		require.Equal(t, "Valid, but noisy: ± 13 %", lines[0])
		require.Equal(t, strings.TrimSpace(d.Last), lines[len(lines)-1])
		require.Contains(t, b.String(), "\nNext    mpirun -n 2 beff run --resume w60\n")
		if width == 0 {
			width = unknownWidth
		}
		for _, line := range lines[:len(lines)-1] {
			require.LessOrEqual(t, uniseg.StringWidth(line), width, line)
		}
		require.Contains(t, b.String(), "\nb_eff   4.1 to 5.3 GB/s (4.7 GB/s ± 13 %)")
		require.Contains(t, b.String(), "\nCause   other programs kept 0.79 of 2 processors")
	}
}
