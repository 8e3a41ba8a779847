package accept

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/effective-bandwidth/beff/internal/mutants"
	"github.com/stretchr/testify/require"
)

// sheetOf returns a sheet of one requirement with further lines, which begin at line 7.
func sheetOf(lines ...string) []byte {
	const head = "title = \"x\"\n[system]\nnodes = 4\nnics = 2\n[[requirement]]\nid = \"a\"\n"
	return []byte(head + strings.Join(lines, "\n"))
}

const allreduce = `figure = "osu.allreduce.t_avg"`

// The error for a wrong sheet is one line with the file and the line number, and suggests what was meant.
func TestWrongSheets(t *testing.T) {
	of := func(lines ...string) string { return string(sheetOf(lines...)) }
	for text, want := range map[string]string{
		of(`figure = "osu.alreduce.t_avg"`): `x.toml:7: a: unknown figure "osu.alreduce.t_avg": no test ` +
			`"alreduce": did you mean allreduce?`,
		of(`figure = "osu.allreduce.t_avrg"`): `x.toml:7: a: unknown figure "osu.allreduce.t_avrg": no column ` +
			`"t_avrg": did you mean t_avg?`,
		of(`figure = "osv.allreduce.t_avg"`): `did you mean osu?`,
		of(`figure = "b_ef"`):                `x.toml:7: a: unknown figure "b_ef": did you mean b_eff?`,
		of(`figure = "osu.allreduce"`):       `want SUITE.TEST.COLUMN`,
		of(`figure = "ior.write.bandwith"`):  `no column "bandwith": did you mean bandwidth?`,
		of(allreduce, `threshold = "max 4500"`): `x.toml:8: a: threshold "max 4500": want a number with a ` +
			`unit: min, ms, ns, s, us, µs`,
		of(allreduce, `threshold = "max 4500 GB/s"`):      `want a number with a unit: min, ms`,
		of(`figure = "b_eff"`, `threshold = "min 3"`):     `want a number with a unit: B/s, GB/s`,
		of(`figure = "score"`, `threshold = "min 3 s"`):   `score has no unit`,
		of(allreduce, `threshold = "min 4500 us"`):        `a smaller osu.allreduce.t_avg is better: want max`,
		of(`figure = "b_eff"`, `threshold = "max 3 B/s"`): `a larger b_eff is better: want min`,
		of(allreduce, `threshold = "between 5 us 4 us"`):  `no value is between these`,
		of(allreduce, `threshold = "between 5 us"`):       `want two values`,
		of(allreduce, `threshold = "max -5 us"`):          `want values above 0`,
		of(allreduce, `threshold = "5 us"`):               `want max X, min X or between X Y`,
		of(allreduce, `bytes = "1 Mib"`):                  `x.toml:8: a: bytes = "1 Mib": want bytes`,
		of(allreduce, `bytes = -1`):                       `want 0 or more`,
		of(`figure = "b_eff"`, `bytes = 8`):               `b_eff is a figure of whole results`,
		of(allreduce, `bytes = [8]`):                      `x.toml:8: a: bytes: want two lengths or more in a list`,
		of(allreduce, `bytes = [8, "x"]`):                 `x.toml:8: a: bytes = "x": want bytes`,
		of(allreduce, `bytes = [8, 8]`):                   `x.toml:6: a-8: another requirement has this name`,
		of(allreduce, `bytes = [8, 9]`, `threshold = ["max 1 s"]`): `x.toml:9: a: threshold: 1 limits for 2 ` +
			`lengths`,
		of(allreduce, `bytes = [8, 9]`, `threshold = [1, 2]`): `x.toml:9: a: threshold = 1: want a text`,
		of(allreduce, `bytes = [8, 9]`, `may_miss = 1`):       `may_miss = 1: want fewer than the 2`,
		of(allreduce, `bytes = 8`, `threshold = "max 1 s"`, `may_miss = 1`): `x.toml:10: a: may_miss: want ` +
			`a list`,
		of(allreduce, `byts = 8`):                 `x.toml:8: unknown key "byts": did you mean bytes?`,
		of(allreduce, `per = "nik"`, `nodes = 2`): `per = "nik": did you mean nic?`,
		of(allreduce, `per = "nic"`):              `per = "nic": want nodes, too`,
		of(allreduce, `nodes = 2`, `per = "nic"`, `processes = 8`): `processes = 8 contradicts 2 nodes with one ` +
			`per nic, which make 4`,
		of(allreduce, `processes = 8`, `parity = "odd"`): `x.toml:9: a: parity = "odd" contradicts 8 processes`,
		of(allreduce, `nodes = "some"`):                  `nodes = some: want a number, or "all"`,
		of(allreduce, `nodes = 4`, `distance = "max"`):   `needs nodes = 2`,
		of(allreduce, `parity = "odd"`, `cut = "top"`):   `contradicts parity = "odd"`,
		of(allreduce, `where = "proceses=4"`):            `unknown column "proceses": did you mean processes?`,
		of(allreduce, `age = "a week"`):                  `want days such as 30d`,
		of(allreduce, `spread = "3"`):                    `want a standard deviation such as 3 %`,
		of(allreduce, `engine = "mpy"`):                  `engine = "mpy": did you mean mpi?`,
		of(allreduce, `statistic = "meen"`):              `did you mean mean?`,
		of(allreduce, `same_run = ["b"]`):                `same_run: no requirement "b"`,
		of(allreduce, `memory_filled = 0.8`):             `apply to IOR`,
		of(allreduce, `measure = "beff probe 'x'"`):      `want a beff command without quotes`,
		of(allreduce, `measure = "list x.json"`):         `"list x.json": want io, probe or run`,
		of(allreduce, `measure = "probe --library l.so"`): `--library isn't allowed in a sheet: give it on the ` +
			`command line`,
		of(allreduce, `measure = "probe --option library=l"`):   `--option isn't allowed in a sheet`,
		of(allreduce, `measure = "probe Bcast -o x"`):           `-o isn't allowed in a sheet`,
		of(allreduce, `measure = "probe Bcast -ox"`):            `-ox isn't allowed in a sheet`,
		of(allreduce, `measure = "probe -- Bcast"`):             `-- isn't allowed in a sheet`,
		of(allreduce, `measure = "osu latency -m 8:8"`):         `"osu latency -m 8:8": want io, probe or run`,
		of(allreduce, `measure = "run -fN graph:x"`):            `-fN isn't allowed in a sheet`,
		of(allreduce, `measure = "io --directory=/home"`):       `--directory=/home isn't allowed in a sheet`,
		of(allreduce, `measure = "probe ../x"`):                 `../x may be a file, which a sheet must not name`,
		of(allreduce, `measure = "probe --msgsize=/x"`):         `--msgsize=/x may be a file`,
		of(allreduce, "[[requirement]]", `id = "a"`, allreduce): `x.toml:9: a: another requirement has this name`,
		of(`figure = 3`):                                  `x.toml:7:`,
		"title = \"x\"\n":                                 `x.toml: no requirement`,
		"title = \"x\"\nconfidence = 95\n":                `x.toml:2: confidence = 95: want a number from 0.5`,
		"[[requirement]]\nid = \"a\"\n" + allreduce:       `x.toml: want a title`,
		"title = \"x\"\n[[requirement]]\n" + allreduce:    `x.toml:2: requirement 1: id = ""`,
		"title = \"x\n":                                   `x.toml:1:`,
		"title = \"x\"\n" + strings.Repeat("#", MaxBytes): `x.toml: is longer than 65536 bytes`,
	} {
		_, err := Parse("x.toml", []byte(text), nil)
		require.ErrorContains(t, err, want, "%.200s", text)
		require.NotContains(t, err.Error(), "\n")
	}
}

// Values that a user sets replace the sheet's own.
func TestSet(t *testing.T) {
	s, err := Parse("x.toml", sheetOf(allreduce, `nodes = "all"`, `per = "nic"`, `parity = "odd"`), []Set{
		{"system.nodes", "256"}, {"a", "max 4.5 ms"}, {"spread", "2%"}})
	require.NoError(t, err)
	r := s.Requirements[0]
	require.Equal(t, 511, r.Processes)
	require.InDelta(t, 0.0045, r.Threshold.High, 1e-15)
	require.Equal(t, 0.02, r.Spread)
	_, err = Parse("x.toml", sheetOf(allreduce), []Set{{"b", "max 1 us"}})
	require.ErrorContains(t, err, "no requirement has this name: did you mean a?")
	_, err = Parse("x.toml", sheetOf(allreduce), []Set{{"system.nodes", "many"}})
	require.ErrorContains(t, err, "want a whole number")
}

// example returns the sheet of docs/accept.md.
func example(t testing.TB) []byte {
	page, err := os.ReadFile("../../docs/accept.md")
	require.NoError(t, err)
	_, text, found := strings.Cut(string(page), "\n    title = ")
	require.True(t, found)
	text, _, _ = strings.Cut("    title = "+text, "\n\n| key ")
	return []byte(regexp.MustCompile(`(?m)^    `).ReplaceAllString(text, ""))
}

// The sheet in the documentation can be read, and Line describes each of its requirements.
func TestExample(t *testing.T) {
	s, err := Parse("example.toml", example(t), nil)
	require.NoError(t, err)
	var lines []string
	for _, r := range s.Requirements {
		lines = append(lines, r.Line())
	}
	require.Equal(t, []string{
		"rating: mean of b_eff, 16384 processes, 256 nodes, min 100 GB/s, mpi",
		"files: mean of b_eff_io, 16384 processes, 256 nodes, min 20 GB/s, mpi",
		"allreduce-25MiB: mean of osu.allreduce.t_avg, 25 MiB, 1023 processes, 256 nodes, max 4500 us, mpi",
		"ior-read: max of ior.read.bandwidth, no limit, imported",
	}, lines)
}

// Reading the longest sheet allocates less than the square of its size in bytes, whatever is in it.
func TestSheetsAreBounded(t *testing.T) {
	many := func(form string) string {
		var b strings.Builder
		for i := 0; b.Len() < MaxBytes-100; i++ {
			fmt.Fprintf(&b, form, i)
		}
		return b.String()
	}
	for _, text := range []string{many("a%d=1\n"), many("[a%d.b.c.d]\n"), many("[[a]]\n[[a.b%d]]\n"),
		many("x%d.") + "a=1",
		"a=" + many("{a%d="), "a=" + strings.Repeat("[", MaxBytes-100), "a=[" + many("%d,") + "]"} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Parse("x.toml", []byte(text), nil)
		runtime.ReadMemStats(&after)
		require.Error(t, err)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(len(text)*len(text)), "%.20q", text)
	}
}

// FuzzParse reads any text without a panic. Either the error has one line, or the sheet has a line for each requirement
// and judges no results.
func FuzzParse(f *testing.F) {
	f.Add(example(f))
	f.Add([]byte(eight))
	f.Add(sheetOf(allreduce, `measure = " "`, `where = "processes=4"`))
	mutants.Fuzz(f, func(t *testing.T, text []byte) {
		s, err := Parse("x.toml", text, nil)
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		for _, r := range s.Requirements {
			require.NotContains(t, r.Line(), "\n")
		}
		a := s.Evidence(time.Now()).Judge()
		require.NoError(t, Document([]*Acceptance{a}).Validate())
	})
}
