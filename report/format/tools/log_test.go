package tools

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/foreign"
)

// logged returns the runs in a text.
func logged(t testing.TB, text string) (list []Found) {
	t.Helper()
	err := Log(strings.NewReader(text), "x", func(f Found) error { list = append(list, f); return nil })
	require.NoError(t, err, "%.200s", text)
	return list
}

// each returns a text with f applied to its lines, which are counted from 0.
func each(text string, f func(i int, line string) string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := range lines {
		lines[i] = f(i, lines[i])
	}
	return strings.Join(lines, "\n") + "\n"
}

// before returns a function that puts a text before each line.
func before(form string) func(string) string {
	return func(text string) string {
		return each(text, func(i int, line string) string {
			if strings.Contains(form, "%") {
				return fmt.Sprintf(form, i/60%60, i%60) + line
			}
			return form + line
		})
	}
}

// launcher has lines as launchers and libraries print them: one for each process, similar to lines of figures.
var launcher = strings.Repeat("[0] MPI startup(): 17      40017    node0       {17,65}\n", 1500)

// noises has the ways in which a text may change on its way to a file.
var noises = map[string]func(string) string{
	"byte order mark":    func(s string) string { return "\ufeff" + s },
	"CRLF":               func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
	"UTF-16":             inUTF16,
	"srun --label":       before("0: "),
	"wide label":         before("  12: "),
	"mpirun --tag":       before("[1,0]<stdout>:"),
	"mpirun --timestamp": before("Sun Nov 29 10:%02d:%02d 2026<stdout>: "),
	"pdsh":               before("node-17: "),
	"compose":            before("rank_0  | "),
	"time":               before("2026-11-29T10:%02d:%02d.123456Z stdout F "),
	"clock":              before("[10:%02d:%02d] "),
	"Latin-1":            before("[r\xe9seau\xff 10:%02d:%02d] "),
	"quotation":          before("> "),
	"indentation":        before("    "),
	"label, indentation": before("0:     "),
	"colours": func(s string) string {
		return each(s, func(_ int, l string) string { return "\x1b[32m" + l + "\x1b[0m" })
	},
	"late title": func(s string) string { return launcher + s },
	"other processes": func(s string) string {
		return each(s, func(i int, l string) string { return "0: " + l + "\n1: rank 1 says 1 2 3" })
	},
	"progress": func(s string) string {
		return strings.ReplaceAll(s, "\n#", "\nloading 10 %\rloading 100 %\r#")
	},
}

func inUTF16(s string) string {
	var b bytes.Buffer
	for _, u := range utf16.Encode([]rune("\ufeff" + s)) {
		b.Write([]byte{byte(u), byte(u >> 8)})
	}
	return b.String()
}

// bare returns a result without the fields that depend on its place in the file.
func bare(r *foreign.Result) foreign.Result {
	b := *r
	b.Line, b.Ended = 0, ""
	return b
}

// No change of a text on its way to a file changes its figures.
func TestNoise(t *testing.T) {
	for _, file := range samples(t) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		clean := strings.TrimSuffix(string(text), "\n") + "\n"
		want := logged(t, clean)
		for name, noise := range noises {
			got := logged(t, noise(clean))
			require.Len(t, got, len(want), "%s: %s", file, name)
			for i := range want {
				require.NoError(t, got[i].Err, "%s: %s", file, name)
				require.Equal(t, bare(want[i].Result), bare(got[i].Result), "%s: %s", file, name)
			}
		}
	}
}

// A log may have any number of runs, with and without labels. Each run keeps its figures.
func TestRuns(t *testing.T) {
	var whole strings.Builder
	var want []foreign.Result
	for _, file := range samples(t) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		one := logged(t, string(text))[0].Result
		for _, noise := range []string{"quotation", "clock", "late title", ""} {
			part := strings.TrimSuffix(string(text), "\n") + "\n"
			if f := noises[noise]; f != nil {
				part = f(part)
			}
			fmt.Fprintf(&whole, "== %s\n%s\n", file, part)
			want = append(want, bare(one))
		}
	}
	var got []foreign.Result
	for _, f := range logged(t, whole.String()) {
		require.NoError(t, f.Err)
		require.Equal(t, f.Line, f.Result.Line)
		got = append(got, bare(f.Result))
	}
	figures := func(list []foreign.Result) (lines []string) {
		for _, r := range list {
			for _, x := range r.Tables {
				lines = append(lines, fmt.Sprint(r.Program, r.ProgramVersion, r.Complete, r.Started, x))
			}
		}
		return lines
	}
	require.Equal(t, figures(want), figures(got), "some are joined")
}

// A text that is cut off anywhere has an incomplete result, or an error. Its figures are figures of the whole text.
func TestCutOff(t *testing.T) {
	for _, file := range samples(t) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		whole := logged(t, string(text))[0].Result
		for k := range 100 {
			part := string(text[:len(text)*k/100])
			var list []Found
			err := Log(strings.NewReader(part), "x", func(f Found) error { list = append(list, f); return nil })
			if err != nil {
				continue
			}
			require.Len(t, list, 1, "%s: %d bytes", file, len(part))
			r := list[0].Result
			if list[0].Err != nil {
				continue
			}
			if !r.Complete {
				require.Contains(t, r.Ended, "its text ends at line ")
			}
			require.LessOrEqual(t, len(r.Tables), len(whole.Tables))
			for _, x := range r.Tables {
				at := slices.IndexFunc(whole.Tables, x.SameTest)
				if at < 0 { // the number of processes or a setting was cut off
					at = slices.IndexFunc(whole.Tables, func(y foreign.Table) bool { return x.Test == y.Test })
				}
				require.GreaterOrEqual(t, at, 0, "%s: %s", file, x.Test)
				same := whole.Tables[at]
				for j, row := range x.Rows {
					want := same.Rows[j]
					for k, c := range x.Columns {
						if row.Each == nil && want.Each == nil && r.Program != "b_eff_io" { // else: means so far
							require.Contains(t, same.Columns, c)
							require.Equal(t, want.Values[slices.Index(same.Columns, c)], row.Values[k], file)
						}
					}
				}
			}
		}
	}
}

// If a program has a run for each table, its runs become one result until a table would occur twice.
func TestJoined(t *testing.T) {
	latency, bandwidth := sample(t, "osu/latency.txt"), sample(t, "osu/bw.txt")
	got := logged(t, latency+"srun: step 1\n"+bandwidth+latency)
	require.Len(t, got, 2)
	require.Equal(t, []int{2, 1}, []int{len(got[0].Result.Tables), len(got[1].Result.Tables)})
	_, err := Read(strings.NewReader(latency+latency), "x")
	require.ErrorContains(t, err, "it has 2 runs, of which one begins at line ")
}

// A warning names a line of the program that isn't understood, and contradictory figures are doubtful.
func TestWarned(t *testing.T) {
	const head = "# OSU MPI Latency Test v7.4\n# Size          Latency (us)\n"
	r, err := Read(strings.NewReader(head+"1 0.2\n2 x\n4 0.3\n"), "x")
	require.NoError(t, err)
	require.Len(t, r.Tables[0].Rows, 2)
	require.Equal(t, []rating.Warning{{Code: foreign.Line, Text: `line 4: "x" is not a number`}}, r.Warnings)
	r, err = Read(strings.NewReader(head+"1 0.2\n"+strings.Repeat("2 x\n", 200)), "x")
	require.NoError(t, err)
	require.Len(t, r.Warnings, mostWarnings+1)
	require.Equal(t, "150 warnings more about other lines", r.Warnings[mostWarnings].Text)
	r, err = Read(strings.NewReader(strings.Repeat("x x x x\n", 3)+"# Benchmarking PingPong\n# #processes = 2\n"+
		"       #bytes #repetitions      t[usec]   Mbytes/sec\n"+strings.Repeat("  1 x\n", 200)+
		"  1048576 10 350.25 1855.10\n"), "x")
	require.NoError(t, err)
	require.True(t, r.Doubtful(), "after %d warnings", len(r.Warnings))
	stop := errors.New("stop")
	require.ErrorIs(t, Log(strings.NewReader(head+"1 1\n"), "x", func(Found) error { return stop }), stop)
}

// A long log takes no more memory than its largest run, at a speed that is printed (go test -bench Log).
func BenchmarkLog(b *testing.B) {
	part := []byte(launcher + sample(b, "osu/latency.txt") + launcher + sample(b, "ior/posix.txt"))
	b.SetBytes(int64(len(part)))
	in := &repeating{part: part, left: b.N}
	b.ResetTimer()
	require.NoError(b, Log(in, "x", func(Found) error { return nil }))
}

// repeating is a file that repeats a part.
type repeating struct {
	part []byte
	left int
	at   int
}

func (r *repeating) Read(p []byte) (int, error) {
	if r.at == len(r.part) {
		r.at, r.left = 0, r.left-1
	}
	if r.left <= 0 {
		return 0, io.EOF
	}
	n := copy(p, r.part[r.at:])
	r.at += n
	return n, nil
}
