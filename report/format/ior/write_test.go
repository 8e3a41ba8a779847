package ior

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/ior"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

const mib = 1 << 20

// recorded has what IOR 4.1 printed on two processes, with the settings of its command line. The lines of its warnings
// about files of fewer bytes than they could have are left out.
var recorded = map[string]ior.Settings{
	"mpiio": {API: ior.MPIIO, Collective: true, Transfer: mib, Block: 4 * mib, Segments: 2, ShiftNodes: 1, Sync: true,
		Barriers: true, Repetitions: 3, Write: true, Read: true, File: "/scratch/f"},
	"wall": {API: ior.POSIX, Transfer: 2 * mib, Block: 2 << 30, Segments: 1, ShiftNodes: 1, Stonewall: 1, WearOut: true,
		Repetitions: 1, Write: true, Read: true, File: "/scratch/f"},
	"write": {API: ior.POSIX, Transfer: 256 << 10, Block: mib, Segments: 1, Stonewall: 1, Repetitions: 1, Write: true,
		Keep: true, File: "/scratch/g"},
}

// like returns a result with the settings of a text, and with figures that are about as large.
func like(s ior.Settings) *ior.Result {
	at := time.Date(2026, 11, 26, 1, 38, 44, 0, time.Local)
	r := &ior.Result{Processes: 2, Tests: []ior.Settings{s}, Complete: true,
		FileSystem: ior.FileSystem{Directory: "/scratch", Size: 252 << 30, Free: 200 << 30, Files: 16 << 20,
			FreeFiles: 15 << 20}, Software: rating.Software{Engine: mpi.Library{Standard: "3.1"}},
		Machine: rating.Machine{Host: rating.Host{System: "Linux", Name: "vm"},
			Placement: []job.Placement{{Host: "vm", Ranks: "0-1", Processes: 2}}},
		Period: rating.Period{Started: at}}
	for n := range s.Repetitions {
		for _, a := range ior.Accesses() {
			if s.Measures(a) {
				x := ior.Sample{Repetition: n, Access: a, Open: 0.01, Move: 0.2, Close: 0.03, Seconds: 0.24,
					Latency: 0.001, Transfers: 2 * min(s.Transfers(), 26), Most: min(s.Transfers(), 26)}
				if x.Bytes = x.Transfers * s.Transfer; s.Stonewall > 0 {
					x.WallTransfers, x.WallLeast, x.WallMost, x.WallSeconds = 45, 19, 26, 1.05
				}
				r.Samples = append(r.Samples, x)
			}
		}
	}
	return r
}

// shape returns a line with all numbers and blanks around them as marks: numbers of a column have one width, whatever
// their digits are.
func shape(line string) string {
	if strings.Contains(line, " : ") || strings.HasPrefix(line, "stonewalling") || strings.HasPrefix(line, "Pairs") {
		return regexp.MustCompile(`\d+(\.\d+)?`).ReplaceAllString(line, "0")
	}
	return regexp.MustCompile(`[-\d. ]+`).ReplaceAllStringFunc(line, func(s string) string {
		return strings.Repeat("#", len(s))
	})
}

// TestForm compares the text with IOR's own, byte for byte but for figures, dates and the command line.
func TestForm(t *testing.T) {
	for name, s := range recorded {
		want, err := os.ReadFile("testdata/" + name + ".txt")
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, Write(&b, like(s)))
		have, lines := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
		require.Len(t, have, len(lines), "%s: %s", name, b.String())
		for i, line := range lines {
			if dated := regexp.MustCompile(`^(Began|StartTime|Finished|Command line) +: `); dated.MatchString(line) {
				require.Equal(t, dated.FindString(line), dated.FindString(have[i]))
				continue
			}
			require.Equal(t, shape(line), shape(have[i]), "%s, line %d: %s", name, i+1, line)
		}
	}
}

// TestFigures compares rows and summary with IOR's for the figures that it printed.
func TestFigures(t *testing.T) {
	for x, want := range map[float64]string{0.000085: "0.000085  ", 0.9999996: "1.000000  ", 1: "1.00      ",
		443.67: "443.67    ", 3599.994: "3599.99   ", 3600: "3600      ", 34789.46: "34789     ", -1: "   -      "} {
		require.Equal(t, want, figure(x))
	}
	for bytes, want := range map[int64]string{47008: "47008 bytes", 262144: "262144 bytes", mib: "1 MiB",
		3 * mib / 2: "1.50 MiB", 4 << 30: "4 GiB", 5 << 39: "2.50 TiB"} {
		require.Equal(t, want, Size(bytes))
	}
	r := like(recorded["mpiio"])
	r.Samples = r.Samples[:0]
	for n, x := range [][2]float64{{54.33, 0.294522}, {33.19, 0.482063}, {51.35, 0.311583}} { // of a recorded text
		require.InDelta(t, x[0], 16/x[1], 0.01)
		r.Samples = append(r.Samples, ior.Sample{Repetition: n, Access: ior.Write, Seconds: x[1], Bytes: 16 * mib})
	}
	var b bytes.Buffer
	require.NoError(t, Write(&b, r))
	require.Contains(t, b.String(), "\nwrite          54.33      33.19      46.29       9.34      54.33      "+
		"33.19      46.29       9.34    0.36272         NA            NA     0      2   2    3   0     1        "+
		"1         0    0      2  4194304  1048576      16.0 MPIIO      0\n")
}
