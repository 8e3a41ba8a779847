package tools

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/foreign"
)

// samples returns the files that real runs of the programs printed.
func samples(t testing.TB) (files []string) {
	t.Helper()
	all, err := filepath.Glob("testdata/*/*")
	require.NoError(t, err)
	for _, file := range all {
		if !strings.Contains(filepath.ToSlash(file), "/fuzz/") && !strings.Contains(filepath.ToSlash(file), "/logs/") {
			files = append(files, file)
		}
	}
	require.NotEmpty(t, files)
	return files
}

// recognised returns the programs whose runs are in a text, one for each run.
func recognised(text string) (list []string) {
	Log(strings.NewReader(text), "x", func(f Found) error { list = append(list, f.Program); return nil })
	return list
}

// readAs reads a text with one run. A warning counts as an error.
func readAs(t testing.TB, text string) (*foreign.Result, error) {
	t.Helper()
	r, err := Read(strings.NewReader(text), "x")
	if err == nil && len(r.Warnings) > 0 {
		return r, errors.New(r.Warnings[0].Text)
	}
	return r, err
}

// sample returns the text of a file in testdata.
func sample(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", filepath.FromSlash(name)))
	require.NoError(t, err)
	return string(text)
}

// readSample reads the run of a sample, without warnings.
func readSample(t testing.TB, name string) *foreign.Result {
	t.Helper()
	r, err := readAs(t, sample(t, name))
	require.NoError(t, err)
	return r
}

// One reader recognises each file that a real run printed, and reads all of it.
func TestSamples(t *testing.T) {
	for _, file := range samples(t) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Len(t, recognised(string(text)), 1, file)
		r, err := readAs(t, string(text))
		require.NoError(t, err, file)
		require.NotEmpty(t, r.Tables, file)
	}
}

// Each row of Readers has a row in docs/others.md, and a fuzz test.
func TestReaders(t *testing.T) {
	const page, fuzzed = "../../../docs/others.md", "fuzz_test.go"
	docs, err := os.ReadFile(page)
	require.NoError(t, err)
	fuzzes, err := os.ReadFile(fuzzed)
	require.NoError(t, err)
	for _, r := range Readers {
		require.True(t, strings.Contains(string(docs), "\n| "+r.Program),
			"%s has no row in docs/others.md, in the table of programs", r.Program)
		require.True(t, strings.Contains(string(fuzzes), `fuzz(f, "`+r.Program+`")`), "%s has no fuzz test in %s",
			r.Program, fuzzed)
	}
}

// A file is read by the reader that recognises it.
func TestRead(t *testing.T) {
	_, err := Read(strings.NewReader("any text\n"), "x")
	require.ErrorIs(t, err, ErrUnknown)
	require.ErrorContains(t, err, "OSU")
	_, err = Read(strings.NewReader(""), "x")
	require.EqualError(t, err, "it is empty")
	_, err = Read(iotest.ErrReader(errors.New("broken")), "x")
	require.EqualError(t, err, "broken")
	r, err := Read(strings.NewReader("mpirun says\n# OSU MPI Latency Test v7.4\n# Size Latency (us)\n1 2.5\n"), "x")
	require.NoError(t, err)
	require.Equal(t, "x", r.Imported)
	_, err = Read(strings.NewReader("b_eff_io.c, Revision 1.0\n"), "x")
	require.ErrorContains(t, err, "line 1: ")
}

// Text that no known program prints isn't recognised.
func TestUnknown(t *testing.T) {
	for _, text := range []string{"", "\n", "any text\n", "{}", `{"benchmark": "b_eff"}`, "# OSU\n1 2\n", "<html>"} {
		require.Empty(t, recognised(text), text)
	}
}

// row returns the row with a length in a table of a result.
func row(t testing.TB, r *foreign.Result, table int, bytes int64) foreign.Row {
	t.Helper()
	require.Less(t, table, len(r.Tables))
	for _, row := range r.Tables[table].Rows {
		if row.Bytes == bytes {
			return row
		}
	}
	require.Fail(t, "no such row")
	return foreign.Row{}
}

// heads returns the names of a table's columns.
func heads(t *foreign.Table) (list []string) {
	for _, c := range t.Columns {
		list = append(list, c.Name)
	}
	return list
}

// Malformed text is refused. Errors about a line have its number.
func TestRefused(t *testing.T) {
	const (
		title = "# OSU MPI Latency Test v7.4\n"
		osu   = title + "# Size          Latency (us)\n"
	)
	for text, want := range map[string]string{
		osu + "1 0.2 3\n": "line 3: 3 figures", osu + "1 x\n": `line 3: "x" is not a number`,
		osu + "1 -2\n": `line 3: "-2" is not a number`, osu + "1.5 2\n": `line 3: "1.5" is not a whole number`,
		osu + "1 NaN\n": `line 3: "NaN" is not a number`, osu + "1 1e300\n": `line 3: "1e300" is not a number`,
		osu:                                   "has no figures",
		osu + "1 1\n" + osu + "1 1\n":         "it has 2 runs, of which one begins at line 4",
		title + "# Size Validation\n1 Pass\n": "line 2: osu_latency: no column has a known time, bandwidth or rate",
		title + "# Size Latency (us) Validation\n1 2 Maybe\n": `line 3: "Maybe" is neither`,
	} {
		_, err := readAs(t, text)
		require.ErrorContains(t, err, want, text)
	}
}

// The figures that were read from IOR's text and JSON are those in the files.
func TestIOR(t *testing.T) {
	r := readSample(t, "ior/posix.txt")
	require.Equal(t, []any{"4.1.0+dev", "vm", 2, true}, []any{r.ProgramVersion, r.Host.Name, r.Processes, r.Complete})
	require.Equal(t, time.Date(2026, 11, 22, 12, 0, 48, 0, time.UTC), r.Started)
	require.Contains(t, r.Command, "-a POSIX -b 4m -t 1m -s 2 -i 3")
	require.Len(t, r.Tables, 2)
	x := r.Tables[0]
	require.Equal(t, []any{"write", foreign.Write, foreign.WholePhase, 2},
		[]any{x.Test, x.Operation, x.Way, x.Processes})
	require.Equal(t, []string{"bw(MiB/s)", "IOPS", "Latency(s)", "open(s)", "wr/rd(s)", "close(s)", "total(s)"},
		heads(&x))
	require.Equal(t, []float64{4355 * mebi, 311.6 * mebi, 3557.13 * mebi}, x.Rows[0].Each)
	require.InEpsilon(t, (4355+311.6+3557.13)/3*mebi, x.Rows[0].Values[0], 1e-12)
	require.Contains(t, x.Settings, foreign.Setting{Name: "xfersize", Value: "1 MiB"})
	require.Equal(t, []float64{443.67 * mebi, 27258 * mebi, 34789 * mebi}, r.Tables[1].Rows[0].Each)

	r = readSample(t, "ior/mpiio.json")
	require.Equal(t, []any{"4.1.0+dev", "vm", 2, true}, []any{r.ProgramVersion, r.Host.Name, r.Processes, r.Complete})
	require.Equal(t, []float64{2278.5843 * mebi, 65.6196 * mebi}, r.Tables[0].Rows[0].Each)
	require.Contains(t, r.Tables[0].Settings, foreign.Setting{Name: "api", Value: "MPIIO"})

	r = readSample(t, "ior/stonewall.txt")
	require.Equal(t, foreign.Stonewalled, r.Tables[0].Way)
	require.Nil(t, r.Tables[0].Rows[0].Each, "the figure of a single repetition needs no list")
	require.Equal(t, 4494.0*mebi, r.Tables[0].Rows[0].Values[0])
}

// IOR's text may end early, and the repetitions in its JSON may be in nested lists. Errors have the line or the test.
func TestIORVariants(t *testing.T) {
	text := sample(t, "ior/posix.txt")
	r, err := readAs(t, text[:strings.Index(text, "\nSummary of all")])
	require.NoError(t, err)
	require.False(t, r.Complete)
	require.Len(t, r.Tables, 2)

	json := sample(t, "ior/mpiio.json")
	nested := strings.Replace(strings.Replace(json, `"Results": [`, `"Results": [[`, 1), "]\n\n  }", "]]\n\n  }", 1)
	r, err = readAs(t, nested)
	require.NoError(t, err)
	require.Len(t, r.Tables[0].Rows[0].Each, 2)

	for _, c := range []struct{ old, made, want string }{
		{`"bwMiB": 65.6196`, `"bwMiB": 65.6196,,`, "line 107: invalid character"},
		{`"bwMiB": 65.6196`, `"bw": 65.6196`, "test 0: no bwMiB in Results[2]"},
		{`"access": "read"`, `"access": "erase"`, `test 0: in Results[1]: access "erase"`},
		{`"tasks": 2`, `"tasks": "many"`, `test 0: tasks: "many" is not a number of processes`},
		{`"Finished"`, `}{"Finished"`, "line 193: invalid character"},
	} {
		require.Contains(t, json, c.old)
		_, err = readAs(t, strings.Replace(json, c.old, c.made, 1))
		require.ErrorContains(t, err, c.want)
	}
	_, err = readAs(t, json[:len(json)-2])
	require.ErrorContains(t, err, "the JSON ends early")
	_, err = readAs(t, strings.Replace(text, "write     311.60 ", "write     311.60 7 ", 1))
	require.ErrorContains(t, err, "line 36: 12 figures in 11 columns")
}

// The original b_eff's summary is read whole, and two of them are two runs.
func TestBEff(t *testing.T) {
	r := readSample(t, "beff/short.sum")
	require.Equal(t, []any{"b_eff", "3.6.0.1", 2, "vm", 34.0, true},
		[]any{r.Program, r.ProgramVersion, r.Processes, r.Host.Name, r.WallSeconds, r.Complete})
	require.Equal(t, time.Date(2026, 11, 22, 12, 25, 28, 0, time.UTC), r.Started)
	require.Equal(t, &foreign.Rating{Name: "b_effSHORT", Quantity: foreign.BytesPerSecond, Value: 4356.641e6,
		NotValid: true}, r.Rating)
	require.Len(t, r.Tables, 2)
	require.Equal(t, []foreign.Row{{Label: foreign.BEff, Values: []float64{4356.641e6}},
		{Label: foreign.AtLmax, Values: []float64{19396e6}},
		{Label: foreign.PingPongAtLmax, Values: []float64{11969e6}},
		{Label: foreign.RingsAtLmax, Values: []float64{18655e6}}}, r.Tables[0].Rows)
	require.Equal(t, []foreign.Row{{Label: foreign.LatencyOfBoth, Values: []float64{0.469e-6}},
		{Label: foreign.LatencyOfRings, Values: []float64{0.458e-6}},
		{Label: foreign.LatencyOfPingPong, Values: []float64{0.461e-6}}}, r.Tables[1].Rows)
	require.Contains(t, r.Tables[0].Settings, foreign.Setting{Name: "Lmax", Value: "131072 bytes"})

	for old, made := range map[string]string{"msglng= 1 2": "msglng= 1 3", "b_effSHORT =   4356.641": "b_eff = 1.0"} {
		text := sample(t, "beff/short.sum")
		_, err := readAs(t, text+strings.Replace(text, old, made, 1))
		require.ErrorContains(t, err, "it has 2 runs")
	}
	_, err := readAs(t, "b_eff.c, Revision 3.6.0.1 from Feb 02, 2016\n")
	require.ErrorContains(t, err, "its header is cut off")
}

// The tables of MPIBlib's programs collective and p2p are read.
func TestMPIBlib(t *testing.T) {
	r := readSample(t, "mpiblib/bcast.txt")
	x := r.Tables[0]
	require.Equal(t, []any{"MPIB_Bcast_binomial", foreign.Operation("bcast"), foreign.BySeries, 2},
		[]any{x.Test, x.Operation, x.Way, x.Processes})
	require.Equal(t, foreign.Row{Bytes: 1, Repetitions: 100, Values: []float64{4.879906e-03}, HalfWidth: 3.753544e-03,
		Confidence: 0.95}, x.Rows[0])
	require.Contains(t, x.Settings, foreign.Setting{Name: "timing", Value: "max"})
	require.Equal(t, foreign.Operation("reduce"), readSample(t, "mpiblib/reduce.txt").Tables[0].Operation)

	r = readSample(t, "mpiblib/p2p.txt")
	require.Equal(t, []any{foreign.Message, foreign.RoundTrip}, []any{r.Tables[0].Operation, r.Tables[0].Way})
	require.Len(t, r.Tables[0].Rows, 4)

	// Several pairs (mpib_output.c): a row for each pair, or their columns side by side.
	r, err := readAs(t, "#msg\t\t1024\n#sequential\n#\n#p2p\t\ttime\t\twtick\treps\tci\n"+
		"0-1\t1.5e-06\t1\t5\t1e-07\n0-2\t2.5e-06\t1\t5\tnan\n")
	require.NoError(t, err)
	require.Equal(t, []foreign.Row{{Label: "0-1", Repetitions: 5, Values: []float64{1.5e-6}, HalfWidth: 1e-7},
		{Label: "0-2", Repetitions: 5, Values: []float64{2.5e-6}}}, r.Tables[0].Rows)
	r, err = readAs(t, "#parallel\n#\t0-1\t\t0-2\t\t\n#msg\ttime\t\twtick\treps\tci\t\ttime\t\twtick\treps\tci\t\t\n"+
		"8\t1e-06\t1\t5\t1e-07\t2e-06\t1\t5\t1e-07\t\n")
	require.NoError(t, err)
	require.Equal(t, "0-2, 8 bytes", r.Tables[0].Rows[1].Label)
	_, err = readAs(t, sample(t, "mpiblib/p2p.txt")+"4097\t1e-06\t1\t5\n")
	require.ErrorContains(t, err, "line 14: 4 figures in 5 columns")
}

// The part of HPCC's summary that comes from b_eff is read.
func TestHPCC(t *testing.T) {
	r := readSample(t, "hpcc/summary.txt")
	require.Equal(t, []any{"1.5.0", 2, "vm", true}, []any{r.ProgramVersion, r.Processes, r.Host.Name, r.Complete})
	require.Equal(t, time.Date(2026, 11, 22, 12, 34, 37, 0, time.UTC), r.Started)
	require.Len(t, r.Tables, 6)
	require.Equal(t, []float64{0.391417e-6, 0.385847e-6, 0.380278e-6}, row(t, r, 0, 8).Values)
	require.Equal(t, []float64{11.1273e9}, row(t, r, 3, 2_000_000).Values)
	require.Equal(t, []any{foreign.RandomRing, foreign.RingExchange}, []any{r.Tables[5].Operation, r.Tables[5].Way})

	text := sample(t, "hpcc/summary.txt")
	r, err := readAs(t, text[:strings.Index(text, "NaturallyOrderedRingBandwidth")])
	require.NoError(t, err)
	require.False(t, r.Complete)
	require.Len(t, r.Tables, 3)
	_, err = readAs(t, strings.Replace(text, "Latency_usec=0.391417", "Latency_usec=fast", 1))
	require.ErrorContains(t, err, `MaxPingPongLatency_usec: "fast" is not a number`)
	require.ErrorContains(t, err, "line 1")
	_, err = readAs(t, "HPC Challenge Benchmark\nnothing else\n")
	require.ErrorContains(t, err, "has no figures")
}

// The summaries of mdtest are read, with rates or times, over all ranks or per rank.
func TestMDTest(t *testing.T) {
	r := readSample(t, "mdtest/plain.txt")
	require.Equal(t, []any{"4.1.0+dev", 2, true, 10}, []any{r.ProgramVersion, r.Processes, r.Complete, len(r.Tables)})
	require.Equal(t, time.Date(2026, 11, 22, 12, 0, 51, 0, time.UTC), r.Started)
	x := r.Tables[4]
	require.Equal(t, []any{"File creation", foreign.CreateFiles, foreign.Timed}, []any{x.Test, x.Operation, x.Way})
	require.Equal(t, []string{"Mean", "Max", "Min", "Std Dev"}, heads(&x))
	require.Equal(t, []foreign.Row{{Repetitions: 3, Values: []float64{803.917, 1682.382, 357.642, 760.806}}}, x.Rows)
	require.Equal(t, []foreign.Setting{{Name: "items", Value: "40 files/directories"}}, x.Settings)
	require.Empty(t, r.Tables[8].Operation, "no other program measures Tree creation")
	require.Len(t, readSample(t, "mdtest/files.txt").Tables, 6)

	// Headings per rank and per iteration, with times instead of rates (mdtest.c, summarize_results_rank0).
	text := sample(t, "mdtest/plain.txt")
	r, err := readAs(t, strings.NewReplacer("SUMMARY rate (in ops/sec)", "SUMMARY time (in ms/op)",
		"Operation        ", "Operation  per Rank: Max Min Mean per Iteration: ", "creation  ", "creation 3 1 2 ",
		"stat  ", "stat 3 1 2 ", "rename  ", "rename 3 1 2 ", "removal  ", "removal 3 1 2 ", "read  ", "read 3 1 2 ").
		Replace(text))
	require.NoError(t, err)
	require.Equal(t, foreign.Seconds, r.Tables[4].Columns[0].Quantity)
	require.Equal(t, 803.917, r.Tables[4].Rows[0].Values[0])
	_, err = readAs(t, strings.Replace(text, "357.642", "", 1))
	require.ErrorContains(t, err, "line 18: 3 figures after File creation, below 4 headings")
}

// IO500's result_summary.txt and result.txt are read. The texts follow its public source (main.c of sc23), not a run.
func TestIO500(t *testing.T) {
	const summary = "IO500 version io500-sc23_v1 (standard)\n" +
		"[RESULT]       ior-easy-write        1.500000 GiB/s : time 300.123 seconds\n" +
		"[RESULT]    mdtest-easy-write        2.250000 kIOPS : time 310.500 seconds [INVALID]\n" +
		"[      ]            timestamp        0.000000 kIOPS : time 0.000 seconds\n" +
		"[RESULT]                 find      100.000000 kIOPS : time 1.000 seconds\n" +
		"[RESULT]       ior-hard-read         0.250000 GiB/s : time 30.000 seconds\n" +
		"[SCORE ] Bandwidth 0.612372 GiB/s : IOPS 15.000000 kiops : TOTAL 3.030773 [INVALID]\n"
	r, err := readAs(t, summary)
	require.NoError(t, err)
	require.Equal(t, "io500-sc23_v1", r.ProgramVersion)
	require.Equal(t, &foreign.Rating{Name: "IO500 score", Quantity: foreign.Score, Value: 3.030773, NotValid: true},
		r.Rating)
	require.Len(t, r.Tables, 4)
	require.Equal(t, []float64{1.5 * gibi, 300.123}, r.Tables[0].Rows[0].Values)
	require.Equal(t, []any{foreign.Write, foreign.Stonewalled}, []any{r.Tables[0].Operation, r.Tables[0].Way})
	require.Equal(t, []float64{2250, 310.5}, r.Tables[1].Rows[0].Values)
	require.Equal(t, []foreign.Operation{foreign.CreateFiles, foreign.FindFiles, foreign.Read},
		[]foreign.Operation{r.Tables[1].Operation, r.Tables[2].Operation, r.Tables[3].Operation})

	r, err = readAs(t, "[run]\nprocs           = 48\nversion         = io500-sc23_v1\nmode            = standard\n"+
		"; START 2023-11-01 12:00:05\n\n[ior-easy-write]\nt_start         = 2023-11-01 12:00:06\n"+
		"exe             = ./ior -C\nscore           = 1.500000\nt_delta         = 300.1230\n\n"+
		"[mdtest-hard-stat]\nscore           = 20.000000\n\n"+
		"[SCORE]\nMD              = 20.000000\nBW              = 1.500000\nSCORE           = 5.477226\nhash = AB\n"+
		"; END 2023-11-01 13:00:05\n")
	require.NoError(t, err)
	require.Equal(t, []any{48, time.Date(2023, 11, 1, 12, 0, 5, 0, time.UTC), 5.477226, false},
		[]any{r.Processes, r.Started, r.Rating.Value, r.Rating.NotValid})
	require.Equal(t, []float64{1.5 * gibi}, r.Tables[0].Rows[0].Values)
	require.Equal(t, []float64{20000}, r.Tables[1].Rows[0].Values)
	require.Equal(t, 48, r.Tables[1].Processes)

	// The shell version, before 2020.
	r, err = readAs(t, "[RESULT] BW   phase 1            ior_easy_write                2.000 GB/s : time 317.79 "+
		"seconds\n"+
		"[SCORE] Bandwidth 2.0 GB/s : IOPS 8.0 kiops : TOTAL 4.0\n")
	require.NoError(t, err)
	require.Equal(t, []float64{2 * gibi, 317.79}, r.Tables[0].Rows[0].Values)
	require.Equal(t, foreign.Write, r.Tables[0].Operation)
	_, err = readAs(t, strings.Replace(summary, "1.500000", "fast", 1))
	require.ErrorContains(t, err, `line 2: ior-easy-write: score: "fast" is not a number`)
	_, err = readAs(t, summary+summary)
	require.ErrorContains(t, err, "it has 2 runs, of which one begins at line 8")
}

// elbencho's CSV is read. The text follows its public source (Statistics.cpp, ProgArgs.cpp of 3.0), not a run.
func TestElbencho(t *testing.T) {
	const head = "ISO date,label,path type,paths,hosts,threads,dirs,files,file size,block size,direct IO,random," +
		"random aligned,IO depth,shared paths,truncate,operation,time ms [first],time ms [last],entries/s [first]," +
		"entries/s [last],IOPS [first],IOPS [last],MiB/s [first],MiB/s [last],CPU% [first],CPU% [last]," +
		"IO lat us [min],IO lat us [avg],IO lat us [max],version,command\n"
	row := func(phase, more string) string {
		return "2026-11-22T12:00:01.123+0000,,dir,1,2,4,1,3,1048576,65536,1,0,,1,1,0," + phase + "," + more +
			",3.0-1,elbencho -w\n"
	}
	text := head + row("MKDIRS", "1,2,8000,4000,,,,,5,5,,,") +
		row("WRITE", "10,12,2000,1500,32000,24000,2000,1500,5,6,1,20,300") +
		row("WRITE", "10,12,2000,1500,32000,24000,2000,1700,5,6,1,20,300") + row("SYNC", "1,1,,,,,,,1,1,,,")
	r, err := readAs(t, text)
	require.NoError(t, err)
	require.Equal(t, []any{"3.0-1", 8, 2, true}, []any{r.ProgramVersion, r.Processes, len(r.Tables), r.Complete})
	require.Equal(t, 2026, r.Started.Year())
	x := r.Tables[0]
	require.Equal(t, []any{"MKDIRS", foreign.CreateDirectory, foreign.SlowestWorker},
		[]any{x.Test, x.Operation, x.Way})
	require.Equal(t, []string{"entries/s [last]", "entries/s [first]", "time ms [last]", "time ms [first]"}, heads(&x))
	require.Equal(t, []float64{4000, 8000, 0.002, 0.001}, x.Rows[0].Values)
	x = r.Tables[1]
	require.Equal(t, foreign.Write, x.Operation)
	require.Equal(t, []float64{1500 * mebi, 1700 * mebi}, x.Rows[0].Each)
	require.Equal(t, 1600.0*mebi, x.Rows[0].Values[0])
	require.Contains(t, x.Settings, foreign.Setting{Name: "block size", Value: "65536"})

	_, err = readAs(t, text+"2026-11-22T,2\n")
	require.ErrorContains(t, err, "line 6: 2 fields in 32 columns")
	_, err = readAs(t, strings.Replace(text, ",1700,", ",many,", 1))
	require.ErrorContains(t, err, `line 4: MiB/s [last]: "many" is not a number`)
	r, err = readAs(t, strings.TrimSuffix(text, "w\n"))
	require.NoError(t, err)
	require.False(t, r.Complete)
}

// IOR prints text between lines of its JSON, such as the numbers of a time limit. In logs, other lines surround the
// JSON.
func TestIORJSONInLogs(t *testing.T) {
	json := sample(t, "ior/mpiio.json")
	want := readSample(t, "ior/mpiio.json")
	noisy := strings.Replace(json, "    \"Results\": [\n", "    \"Results\": [\n"+
		"stonewalling pairs accessed min: 8 max: 8 -- min data: 0.0 GiB mean data: 0.0 GiB time: 0.0s\n", 1)
	noisy = strings.Replace(noisy, "\n]\n", "\n, {\n\"access\": \"remove\", \n\"totalTime\": 0.0001\n}\n]\n"+
		"Pairs deadlineForStonewallingaccessed: 8\n\n", 1)
	require.Equal(t, strings.Count(json, "\n")+7, strings.Count(noisy, "\n"))
	r, err := readAs(t, noisy)
	require.NoError(t, err)
	require.Equal(t, want, r)
	r, err = readAs(t, "+ srun ior -O summaryFormat=JSON\n"+json+"slurmstepd: done {\n")
	require.NoError(t, err)
	require.Equal(t, want.Tables, r.Tables)
	_, err = readAs(t, strings.Replace(noisy, `"xferKiB"`, `"xferKiB`, 1))
	require.ErrorContains(t, err, "line 8")
	whole := strings.NewReplacer("\n", " ").Replace(json)
	r, err = readAs(t, "{\n"+whole+"\n")
	require.NoError(t, err)
	require.Equal(t, want.Tables, r.Tables, "in one line")
	require.Equal(t, 2, r.Line)
}

// JSON and commands of other programs don't end a run, however they begin, and no row after them is lost.
func TestOtherJSON(t *testing.T) {
	osu := sample(t, "osu/latency.txt")
	want, lines := readSample(t, "osu/latency.txt").Tables, strings.SplitAfter(osu, "\n")
	for _, other := range []string{
		"{\n  \"Version\": \"2\",\n  \"jobs\": [1, 2]\n}\n", "{\"Version\": 2, \"tests\": []}\n", "{\n\"Began\": 3,\n",
		"{\n  \"Version\": 1, \"Command line\": \"x\",\n",
		"{\n  \"Began\": {\"Command line\": 1},\n  \"tests\": 2\n}\n",
		"+ ./all_reduce_perf -b 8 -e 128M\n", "allocated 1024 bytes of GPU buffer at 0x7f\n",
		"func main() {\n\"tests\": \"Version\"\n",
	} {
		for _, at := range []int{len(lines) / 2, len(lines) - 2} {
			list := logged(t, strings.Join(lines[:at], "")+other+strings.Join(lines[at:], ""))
			require.Len(t, list, 1, other)
			require.NoError(t, list[0].Err)
			require.Equal(t, want, list[0].Result.Tables, other)
		}
	}
	cut := sample(t, "ior/mpiio.json")
	list := logged(t, cut[:len(cut)/2]+osu)
	require.Len(t, list, 2, "JSON that ends early ends with the next run")
	require.Equal(t, want, list[1].Result.Tables)
}

// Rows below headings that were refused don't become rows of another table.
func TestRefusedHeads(t *testing.T) {
	const heads = "       #bytes #repetitions      t[usec]   Mbytes/sec\n"
	for _, text := range []string{
		"# OSU MPI Latency Test v7.4\n# Size Latency (us)\n1 2\n# Size Validation\n8 9\n",
		"# Benchmarking PingPong\n# #processes = 2\n       #bytes #repetitions      [usec]\n 1 2\n" +
			"# Benchmarking PingPong\n# #processes = 2\n" + heads + " 1 2 1.00 1.00\n",
		strings.Replace(ncclText, "time   algbw   busbw  #wrong     time   algbw   busbw  #wrong", "#wrong", 1),
		perftestBW[:len(perftestBW)-len(perftestLine)] + " #bytes #iterations    BW average[x]\n 2 5 7\n",
	} {
		for _, f := range logged(t, text) {
			if f.Err == nil {
				require.NotEmpty(t, f.Result.Warnings, text)
				require.NoError(t, f.Result.Check())
				require.LessOrEqual(t, len(f.Result.Tables), 1)
				for _, x := range f.Result.Tables {
					require.NotEqual(t, int64(8), x.Rows[len(x.Rows)-1].Bytes)
				}
			}
		}
	}
}

// The number of nodes is read from programs that print it.
func TestNodes(t *testing.T) {
	for name, nodes := range map[string]int{"logs/quiet.txt": 40, "ior/posix.txt": 1, "mdtest/plain.txt": 1,
		"osu/latency.txt": 0, "imb/3.2.txt": 0} {
		require.Equal(t, nodes, readSample(t, name).Nodes, name)
	}
}

// A start is local time unless the file has seconds since 1970 or a time zone.
func TestLocalTimes(t *testing.T) {
	hpcc, err := readAs(t, sample(t, "logs/hpcc-epoch.txt"))
	require.NoError(t, err)
	require.Equal(t, time.Date(2017, 7, 14, 2, 40, 0, 0, time.UTC), hpcc.Started)
	require.False(t, hpcc.LocalTime)
	for _, name := range []string{"ior/posix.txt", "mdtest/plain.txt", "imb/3.2.txt", "beff/short.sum"} {
		r := readSample(t, name)
		require.False(t, r.Started.IsZero(), name)
		require.True(t, r.LocalTime, name)
	}
	r, err := readAs(t, strings.Replace(sample(t, "beff/short.sum"), "12:25:28 2026\n", "12:25:28 2026 +0900\n", 1))
	require.NoError(t, err)
	require.False(t, r.LocalTime)
	require.False(t, readSample(t, "osu/latency.txt").LocalTime)
}
