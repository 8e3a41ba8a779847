package sum21_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/format/sum21"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
)

// file returns one of testdata.
func file(t testing.TB, name string) string {
	data, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return string(data)
}

func written(t testing.TB, r *beffio.Result) string {
	var b strings.Builder
	require.NoError(t, sum21.Write(&b, r))
	return b.String()
}

func read(t testing.TB, text string) *beffio.Result {
	r, err := sum21.Read(strings.NewReader(text), "a.sum")
	require.NoError(t, err)
	require.NoError(t, r.Check())
	return r
}

// release21 are files of release 2.1: one written by hand to the format, and, where they are, those from real machines,
// which are nobody's to copy.
func release21(t *testing.T, check func(t *testing.T, name, text string)) {
	t.Run("by hand", func(t *testing.T) { check(t, "release21", file(t, "release21.sum")) })
	t.Run("real", func(t *testing.T) {
		const where = "../../../../shared/data/b_eff_io"
		paths, err := filepath.Glob(where + "/*.sum")
		require.NoError(t, err)
		if len(paths) == 0 {
			t.Skip("no .sum files of real machines in " + where)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			name := strings.TrimSuffix(filepath.Base(path), ".sum")
			t.Run(name, func(t *testing.T) { check(t, name, string(data)) })
		}
	})
}

func TestReadRelease21(t *testing.T) {
	ratings := map[string]float64{"listbased_fs-ufs_run1": 214.516, "listbased_fs-ufs_run2": 213.850,
		"listless_fs-ufs_run1": 203.467, "release21": 123.648}
	host := rating.Host{System: "Linux", Name: "grisu0.ccrl-nece.de", Release: "2.6.6",
		Version: "#1 SMP Tue Jun 22 14:37:05 CEST 2004", Machine: "i686"}
	byHand := rating.Host{System: "Linux", Name: "node7", Release: "2.6.1",
		Version: "#1 SMP Mon Jan 5 10:20:30 CET 2004", Machine: "i686"}
	printed := regexp.MustCompile(`b_eff_io of these measurements =\s*(\S+) MB/s`)
	release21(t, func(t *testing.T, name, text string) {
		r := read(t, text)
		require.Equal(t, []int{4}, r.Partitions)
		said, err := strconv.ParseFloat(printed.FindStringSubmatch(text)[1], 64)
		require.NoError(t, err)
		require.InDelta(t, said, r.Derived.BEffIO/1e6, 0.001)
		if want, ok := ratings[name]; ok {
			require.InDelta(t, want, r.Derived.Release21/1e6, 0.001)
		}
		require.Equal(t, r.Derived.BEffIO, r.Derived.Release21)
		require.True(t, r.Complete && r.RewriteAll && !r.NoShared && !r.Valid)
		require.Equal(t, beffio.Rules21, r.Rules)
		require.Equal(t, "a.sum", r.Imported)
		require.EqualValues(t, 256<<20, r.MemoryPerProcess)
		require.EqualValues(t, 1<<30, r.TotalMemory)
		require.EqualValues(t, 2<<20, r.MPart)
		require.Equal(t, 10.0, r.Duration)
		require.Equal(t, "/tmp", r.FileSystem.Directory)
		require.Equal(t, map[bool]rating.Host{true: byHand, false: host}[name == "release21"], r.Host)
		require.Equal(t, 2004, r.Started.Year())
		require.Len(t, r.Samples, 3*(8*5+1))
		require.Len(t, r.Files, 3*5)
	})
}

// Written again, a file of release 2.1 is the same to the character, but for the lines that can't be.
func TestLayout(t *testing.T) {
	// Its last digit is beyond the three decimals of the table.
	rating := regexp.MustCompile(`b_eff_io (of these measurements )?=\s+\S+`)
	own := regexp.MustCompile(`(?m)^(b_eff_io\.c.*|-N .*|PATH=.*|\(by the paper.*|\(The total amount.*|` +
		`Total amount.*|  =.*percent.*)\n`)
	shared := func(text string) string {
		return strings.ReplaceAll(rating.ReplaceAllString(own.ReplaceAllString(text, ""), "b_eff_io ="), "\n\n\n",
			"\n\n")
	}
	release21(t, func(t *testing.T, _, text string) {
		r := read(t, text)
		got := written(t, r)
		require.Equal(t, shared(text), shared(got))
		require.Contains(t, got, "\n-N  4 T=10, MT=1024 MBytes, -rewrite\n")
		require.Regexp(t, `MBytes on 4 processes; options: -i (list|io\.info)`, r.Warnings[0].Text)
	})
}

// sameTable compares what a .sum file holds.
func sameTable(t testing.TB, want, got *beffio.Result) {
	t.Helper()
	require.Equal(t, want.Partitions, got.Partitions)
	require.Equal(t, want.Patterns, got.Patterns)
	require.Equal(t, want.Samples, got.Samples)
	require.Equal(t, want.Files, got.Files)
	require.Equal(t, want.Derived, got.Derived)
	require.Equal(t, want.Criteria, got.Criteria)
	require.Equal(t, want.Host, got.Host)
	require.Equal(t, want.Started, got.Started)
}

// What Sum wrote is read as what was measured, to three decimals.
func TestReadOwn(t *testing.T) {
	for name, r := range fixture.IOResults() {
		t.Run(name, func(t *testing.T) {
			text := written(t, r)
			got := read(t, text)
			require.InDelta(t, r.Derived.Release21, got.Derived.Release21, 1000)
			require.InDelta(t, r.Derived.Paper, got.Derived.Paper, 1000)
			for i, p := range r.Derived.Partitions {
				require.InDelta(t, p.Release21, got.Derived.Partitions[i].Release21, 1000)
			}
			for _, s := range r.Samples {
				if p := r.Pattern(s.Pattern); p.Units > 0 {
					require.InDelta(t, r.Bandwidth(s.Partition, s.Access, s.Pattern),
						got.Bandwidth(s.Partition, s.Access, s.Pattern), 500.001)
				}
			}
			require.Equal(t, r.Complete, got.Complete)
			require.Equal(t, r.Quick, got.Quick)
			require.Equal(t, r.NoShared, got.NoShared)
			require.Equal(t, r.NoUnique, got.NoUnique)
			require.Equal(t, r.Keep, got.Keep)
			require.Equal(t, r.RewriteAll, got.RewriteAll)
			require.Equal(t, r.Host.Name, got.Host.Name)
			require.True(t, r.Started.Equal(got.Started))
			require.Equal(t, r.Engine.Engine == "local", got.Engine.Engine == "local")
			require.Equal(t, name == "whole" || name == "sure" || name == "old", got.Valid)
			sameTable(t, got, read(t, written(t, got)))
		})
	}
}

func TestReadForeign(t *testing.T) {
	for name, text := range map[string]string{"": fixture.Foreign(t),
		"CRLF": strings.ReplaceAll(fixture.Foreign(t), "\n", "\r\n")} {
		t.Run(name, func(t *testing.T) {
			r := read(t, text)
			require.True(t, r.Complete)
			require.False(t, r.Valid)
			require.Len(t, r.Patterns, 36+5)
			require.Equal(t, beffio.Pattern{Number: 43, Disk: 32, Memory: 32}, *r.Pattern(43))
			require.Equal(t, 1.5e6, r.Bandwidth(0, beffio.Write, 43))
			require.Zero(t, r.Bandwidth(0, beffio.Write, 45))
			errors := int64(0)
			for _, s := range r.Samples {
				errors += s.Errors
			}
			require.EqualValues(t, 14, errors)
			out := written(t, r)
			require.Contains(t, out, "   2 PEs 1       32 write      1.500    0.000 -999.999        -    4.000\n   "+
				"2 PEs 2     1024 write ")
			require.Contains(t, out, "with 7 ERRORS --!--!--!--\n")
			require.Contains(t, out, "with 14 ERRORS --!--!--!--, NOT VALID (see above)\n")
			sameTable(t, r, read(t, out))
		})
	}
}

// Errors in what the table lacks are not forgotten.
func TestReadHiddenErrors(t *testing.T) {
	text := strings.ReplaceAll(written(t, fixture.IOResults()["old"]),
		"criterion 3: error count (0) == 0 -- reached", "criterion 3: error count (2) == 0 -- NOT reached")
	r := read(t, strings.ReplaceAll(text, "\nVALID for", "\nNOT VALID for"))
	require.False(t, r.Valid)
	require.Contains(t, written(t, r), "criterion 3: error count (2) == 0 -- NOT reached")
	sameTable(t, r, read(t, written(t, r)))
}

// What a run that was killed left is read as far as it goes.
func TestReadHalf(t *testing.T) {
	text := fixture.Foreign(t)
	const last = `"Maximum over all number of PEs"; the line b_eff_io at the end`
	for end, missing := range map[string]string{
		"   4 PEs      total-write": "total-write on 4 processes; total-rewrite on 4 processes; total-read on 4 " +
			"processes; b_eff_io of these measurements on 4 processes; " + last,
		"bw_pat2=":     "b_eff_io of these measurements on 4 processes; " + last,
		"Maximum over": last,
		" b_eff_io = ": "the line b_eff_io at the end",
		"Summary of file I/O bandwidth accumulated on   4": "the summary of 4 processes; " + last,
	} {
		r := read(t, text[:strings.LastIndex(text, end)])
		require.False(t, r.Complete || r.Valid, end)
		require.Equal(t, "truncated", r.Warnings[1].Code)
		require.Equal(t, "the file ends too early: missing are "+missing, r.Warnings[1].Text)
	}
}

// Without a line there is a gap, and the result is not complete.
func TestReadGaps(t *testing.T) {
	good := written(t, fixture.IOResults()["old"])
	require.Len(t, read(t, good).Warnings, 1)
	const rows = "figures of the table are missing that other rows have: "
	for name, c := range map[string]struct{ line, with, code, text string }{
		"row": {`   4 PEs 1     1024 read .*\n`, "", "rows", rows + "read of 1024 bytes on 4 processes, " +
			"type 0, 1, 2, 3, 4"},
		"first rows": {`   2 PEs 1     1024 write .*\n`, "", "rows", rows + "write of 1024 bytes on 2 processes, " +
			"type 0, 1, 2, 3, 4"},
		"cell": {`(   4 PEs 3    32768 rewrite .*) \S+\n`, "$1 -\n", "rows",
			rows + "rewrite of 32768 bytes on 4 processes, type 4"},
		"pattern 2": {`(bw_pat2= .* rewrite, ) *\S+( MB/s read\n(?:.*\n)*Summary)`, "$1 -$2", "rows",
			rows + "pattern 2 of read on 2 processes"},
		"no pattern 2": {`  bw_pat2= .*\n((?:.*\n)*Summary)`, "$1", "rows", rows + "pattern 2 on 2 processes"},
		"rating": {`b_eff_io of these measurements = .* on 2 .*\n`, "", "truncated",
			"the file has a gap: missing are b_eff_io of these measurements on 2 processes"},
		"heading": {`Maximum over .*\n`, "", "truncated",
			`the file has a gap: missing are "Maximum over all number of PEs"`},
	} {
		t.Run(name, func(t *testing.T) {
			text := regexp.MustCompile(c.line).ReplaceAllString(good, c.with)
			require.NotEqual(t, good, text)
			r := read(t, text)
			require.False(t, r.Complete || r.Valid)
			require.Len(t, r.Warnings, 2)
			require.Equal(t, c.code, r.Warnings[1].Code)
			require.Equal(t, c.text, r.Warnings[1].Text)
			sameTable(t, r, read(t, written(t, r)))
		})
	}
}

// A run without a rating claims none, and is read as incomplete.
func TestNotComputed(t *testing.T) {
	text := written(t, fixture.IOResults()["stopped"])
	require.Contains(t, text, "\n b_eff_io not computed: the measurement was ended too early: it needs write, "+
		"rewrite and read of all pattern types on one partition\n")
	require.Contains(t, text, "\nb_eff_io of these measurements not computed: it needs write, rewrite and read of "+
		"all pattern types\n")
	require.NotRegexp(t, `b_eff_io .*=`, text)
	r := read(t, text)
	require.False(t, r.Complete)
	require.Len(t, r.Warnings, 1)
	require.Contains(t, written(t, r), "\n b_eff_io not computed: it needs")
}

// All lines have the same memory of a process.
func TestMemory(t *testing.T) {
	m := fixture.IOCluster()
	m.Config.Memory = 256<<20 - 1
	text := written(t, m.Result())
	require.Contains(t, text, "MEMORY_PER_PROCESSOR =  255 MBytes")
	require.Equal(t, strings.Count(text, "MByte/PE"), strings.Count(text, "255 MByte/PE"))
}

func TestReadRefuses(t *testing.T) {
	good := fixture.Foreign(t)
	for name, c := range map[string]struct{ old, new, want string }{
		"empty":           {good, "", "the file is empty"},
		"another file":    {"b_eff_io.c, Revision 2.1", "b_eff.c, Revision 3.3", "line 1: this is no .sum file"},
		"another release": {"Revision 2.1", "Revision 2.0", "line 1: this is no .sum file"},
		"no summary":      {good[100:], "", "without a summary"},
		"no memory": {"MEMORY_PER_PROCESSOR =  256", "MEMORY_PER_PROCESSOR =    0",
			"before the lines MEMORY_PER_PROCESSOR"},
		"other memory": {"with  256 MByte/PE", "with  257 MByte/PE",
			"257 MByte/PE, but MEMORY_PER_PROCESSOR is 256"},
		"no time":         {"T=3600", "T=0", "before the lines"},
		"other time":      {"scheduled time=30.0 min", "scheduled time=31.0 min", "T of line 6 gives 30.0"},
		"options":         {"T=3600,", "T=long,", `line 6: "-N  2,4 T=long`},
		"partition":       {"-N  2,4", "-N  2,3", "a summary of 4 processes, but line 6 has no such partition"},
		"partition twice": {"-N  2,4", "-N  2,4,4", "there twice"},
		"memory in total": {"memory (32768", "memory (32767", "but line 6 has MT=32768"},
		"percent":         {" 40.5 percent", " 40.6 percent", "40.6 percent of 32768 MBytes"},
		"date": {"Nov 21 08:30:00", "Nov 31 08:30:00",
			`line 14: date "Sat Nov 31 08:30:00 2026": want "Tue Nov 23 18:30:30 2004"`},
		"figure":      {"69.385   55.612", "69.385   55,612", "is not as release 2.1 writes it"},
		"few figures": {"   55.612   56.484", "   55.612", "is not as release 2.1 writes it"},
		"negative":    {"   69.385", "  -69.385", "-69.385 MB/s"},
		"row twice":   {"PEs 2     1032 write", "PEs 2     1024 write", "again"},
		"total twice": {"total-rewrite", "total-write  ", "again"},
		"wrong total": {"total-write    194.053", "total-write   -999.999", "no bandwidth of a pattern type"},
		"total": {"total-write    194.053", "total-write    194.063",
			"weighted average of write on 2 processes is 288.942 MB/s: the row total-write gives 288.945"},
		"mean": {"288.942 MB/s on 2", "288.944 MB/s on 2",
			"weighted average of write on 2 processes is 288.944"},
		"rating": {"measurements =  479.503", "measurements =  479.508",
			"b_eff_io of 2 processes is 479.508 MB/s: the rows total-… give 479.503"},
		"maximum": {" b_eff_io =  959.006", " b_eff_io =  959.007", "their summary gives another one"},
		"other maximum": {" b_eff_io =  959.006 MB/s on 4", " b_eff_io =  479.503 MB/s on 2",
			"not the maximum: a summary above has 959.006"},
		"maximum's place": {"959.006 MB/s on 4 processes with 256 MByte/PE, s",
			"959.006 MB/s on 3 processes with 256 MByte/PE, s", "of which there is no summary"},
		"not rewritten": {", -rewrite", "", "type 1 is rewritten, but line 6 doesn't have -rewrite"},
		"chunk":         {"=    2.000 MBytes", "=    4.000 MBytes", "line 4: maximum chunk size of 4.000 MBytes"},
		"valid":         {"\nNOT VALID for", "\nVALID for", "said to be VALID on 2 processes, against the criteria"},
		"not long":      {">= 30 min -- reached", ">= 30 min -- NOT reached", ""},
		"shared": {"pattern type 1 -- reached", "pattern type 1 -- NOT reached",
			"criterion 2 is said to be NOT reached"},
		"errors": {"count (7)", "count (2)",
			"3 patterns on 2 processes have errors, but the criterion counts 2"},
		"no count":       {"count (7)", "count (many)", "is no count of errors"},
		"unknown reason": {"\nMaximum over", "  besides: the moon\nMaximum over", `unknown reason "the moon"`},
		"rows before all": {"MEMORY_PER", "   2 PEs 1     1024 write     59.088    0.011   38.085    4.149    " +
			"3.860\nMEMORY_PER", "line 3: outside of a partition's summary"},
		"rows of another": {"   2 PEs 2     1032 write", "   4 PEs 2     1032 write",
			"4 processes in the summary of 2"},
		"empty chunk": {"  2 PEs 1       32 write", "  2 PEs 1        0 write", "chunks of 0 bytes"},
		"rows behind": {"Maximum over all", "Maximum over all\n   4 PEs      total-read     59.088    0.011   " +
			"38.085    4.149    3.860\n", "outside of a partition's summary"},
		"not computed": {"b_eff_io of these measurements =  479.503",
			"b_eff_io of these measurements not computed:",
			"2 processes is said to be not computed: the rows total-… give 479.503"},
		"no maximum": {" b_eff_io =  959.006", " b_eff_io not computed: ",
			"said to be not computed, but a summary above has 959.006"},
		"maximum again": {"\n b_eff_io =  959", "\n b_eff_io not computed: \n b_eff_io =  959", "again"},
		"maximum, again": {"n001 5.14.0 #1 SMP x86_64\n", "n001 5.14.0 #1 SMP x86_64\n b_eff_io not computed: \n",
			"again"},
		"rating again": {"b_eff_io of these", "b_eff_io of these measurements not computed: \nb_eff_io of these",
			"again"},
		"partitions twice": {"on   4 processes", "on   2 processes", "again"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, good, c.old)
			text := strings.Replace(good, c.old, c.new, 1)
			if name == "no summary" {
				text = good[:100]
			}
			r, err := sum21.Read(strings.NewReader(text), "a.sum")
			if c.want == "" { // exactly 30 minutes: as the file says
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "a.sum") // who calls knows the file
			require.NotContains(t, err.Error(), "line 0")
			require.Nil(t, r)
		})
	}
}

// Three decimals are not more than they are: the printed figures of small bandwidths may be off by what was cut off.
func TestReadRounding(t *testing.T) {
	m := fixture.IOCluster()
	for _, slow := range []float64{1, 300, 1e4, 2e5} {
		m.Change = func(s *beffio.Sample) { s.Seconds *= slow }
		r := m.Result()
		read(t, written(t, r))
	}
}

// Whatever is in a file, there is an error, or a result that all documents can be made of, the same table among them.
func FuzzRead(f *testing.F) {
	for _, r := range fixture.IOResults() {
		f.Add(written(f, r))
	}
	good := fixture.Foreign(f)
	f.Add(good)
	f.Add(strings.ReplaceAll(good, "MBytes", "MBytes "))
	f.Add(strings.Replace(good, "2097152", "999999999999", -1))
	f.Add(strings.Replace(good, "Maximum chunk size", "", 1))
	f.Fuzz(func(t *testing.T, text string) {
		r, err := sum21.Read(strings.NewReader(text), "a.sum")
		if err != nil {
			require.Nil(t, r)
			return
		}
		sameTable(t, r, read(t, written(t, r)))
		var b bytes.Buffer
		require.NoError(t, ofbeffio.Form.Write(&b, r))
		again := new(beffio.Result)
		require.NoError(t, json.Unmarshal(b.Bytes(), again))
		require.NoError(t, again.Check())
		require.Equal(t, r.Derived, beffio.Derive(again))
	})
}
