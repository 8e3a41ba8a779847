package accept

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/offoreign"
	"github.com/effective-bandwidth/beff/report/ofprobe"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/tidy"
)

// fileOf returns the file of a probe.
func fileOf(t *testing.T, r *probe.Result) *report.File {
	r.Settings.Rows.Lengths = slices.Clone(fixture.ProbeLengths)
	r.Settings.Rows.Lengths[1] = 4 // an int
	for _, b := range r.Blocks {
		for i := range b.Rows {
			b.Rows[i].Bytes = max(b.Rows[i].Bytes, int64(min(i, 1)*4))
		}
	}
	probe.Rederive(r)
	r.Conclude(nil)
	return sealed(t, func(w io.Writer) error { return ofprobe.Form.Seal(w, r) })
}

// sealed returns the file of a result that seal writes.
func sealed(t *testing.T, seal func(io.Writer) error) *report.File {
	var b bytes.Buffer
	require.NoError(t, seal(&b))
	path := filepath.Join(t.TempDir(), "a.json")
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
	f := report.Read(path)
	require.NoError(t, f.Problem)
	return f
}

// A sheet judges the files of several systems. One of three lengths may miss, and texts of other programs count only
// for the buffers and processes that they contain.
func TestJudge(t *testing.T) {
	s, err := Parse("x.toml", []byte(`title = "Two"
spread = "3 %"
[[requirement]]
id = "sum"
valid = false
figure = "imb.Allreduce.t_avg"
bytes = [4, 64, 4096]
threshold = "max 1.2 us"
may_miss = 1
[[requirement]]
id = "text"
valid = false
figure = "osu.bw.bandwidth"
engine = "imported"
processes = 2
threshold = "min 1 GB/s"
`), nil)
	require.NoError(t, err)
	probed := func(system string, latency float64) *report.File {
		p := fixture.ProbeCluster()
		p.Latency, p.Result.System = latency, &rating.System{Name: system}
		p.Add(kernel.MPI1, "Allreduce", settings.Plain, 4, 1)
		return fileOf(t, &p.Result)
	}
	text := func(system, buffers string, processes int) *report.File {
		id := rating.Identity{Benchmark: foreign.Benchmark, SchemaVersion: foreign.SchemaVersion,
			System: &rating.System{Name: system}}
		r := &foreign.Result{Identity: id, Program: "OSU", Imported: "x", Processes: processes, Complete: true,
			Machine: rating.Machine{Placement: []job.Placement{}}, Warnings: []rating.Warning{},
			Tables: []foreign.Table{{Test: "osu_bw", Processes: processes,
				Columns:  []foreign.Column{{Name: "bandwidth", Quantity: foreign.BytesPerSecond, Main: true}},
				Rows:     []foreign.Row{{Values: []float64{2e9}}},
				Settings: []foreign.Setting{{Name: foreign.Buffers, Value: buffers}}}}}
		return sealed(t, func(w io.Writer) error { return offoreign.Form.Seal(w, r) })
	}
	list := s.Judge([]*report.File{probed("slow", 2e-6), probed("fast", 1e-6), text("fast", "H H", 2),
		text("fast", "H H", 0), text("slow", "D D", 2)}, time.Now())
	require.Equal(t, []string{"fast", "slow"}, []string{list[0].System, list[1].System})
	require.Equal(t, []Verdict{Met, Missed}, []Verdict{list[0].Verdict, list[1].Verdict})
	verdicts := func(a *Acceptance) (of []Verdict) {
		for _, j := range a.Judged {
			of = append(of, j.Verdict)
		}
		return of
	}
	require.Equal(t, []Verdict{Met, Met, MayMiss, Met}, verdicts(list[0]))
	require.Equal(t, []Verdict{Missed, Missed, Missed, ConditionFailed}, verdicts(list[1]))
	require.Equal(t, 1, list[0].Judged[3].Used)
	for _, run := range list[0].Judged[3].Runs {
		if run.Processes == 0 {
			require.Contains(t, run.Refused, "it doesn't record the number of processes")
		}
	}
	require.Contains(t, list[1].Judged[3].Reason, "its buffers are D D, want H H")
	page := Page(list)
	require.Equal(t, "Verdict: Two", page.Title)
	require.Contains(t, string(page.Blocks[0].(document.Paragraph)), "fast: met; slow: missed")
}

// sheetWith returns a sheet of one requirement, without a limit.
func sheetWith(t *testing.T, lines ...string) *Sheet {
	s, err := Parse("x.toml", sheetOf(append(lines, `valid = false`)...), nil)
	require.NoError(t, err)
	return s
}

// takenOf returns the run that a result gives for a sheet of one requirement.
func takenOf(t *testing.T, r *probe.Result, lines ...string) (Run, bool) {
	s := sheetWith(t, lines...)
	run, has := s.Evidence(time.Now()).Take(fileOf(t, r)).runs[s.Requirements[0]]
	return run, has
}

// Tests with one name in several parts of IMB are distinguished by their spelling or by the part.
func TestPartsOfIMB(t *testing.T) {
	for name, want := range map[string]kernel.Component{"imb.Unidir_put": kernel.RMA, "imb.Unidir_Put": kernel.EXT,
		"imb-rma.unidir_put": kernel.RMA, "imb-ext.unidir_put": kernel.EXT, "imb-p2p.PingPong": kernel.P2P,
		"imb.Allreduce": kernel.MPI1, "imb.PingPong": kernel.MPI1} {
		f, err := NewFigure(name + ".t_avg")
		require.NoError(t, err, name)
		require.Equal(t, want, f.kernel.Component, name)
	}
	for name, want := range map[string]string{
		"imb.unidir_put": "want imb-ext.Unidir_Put.t_avg or imb-rma.Unidir_put.t_avg",
		"imb.Accumulate": "want imb-ext.Accumulate.t_avg or imb-rma.Accumulate.t_avg"} {
		_, err := NewFigure(name + ".t_avg")
		require.ErrorContains(t, err, want)
	}
	f, err := NewFigure("imb.Unidir_put.t_avg")
	require.NoError(t, err)
	require.Equal(t, []string{"probe", "rma:Unidir_put", "--msgsize", "8"}, f.Command(8))
	p := fixture.ProbeCluster()
	p.Add(kernel.RMA, "Accumulate", settings.NonAggregate, 2, 1)
	p.Latency = 1e-3
	p.Add(kernel.EXT, "Accumulate", settings.NonAggregate, 2, 1)
	run, has := takenOf(t, &p.Result, `figure = "imb-rma.Accumulate.t_avg"`, `bytes = 4`)
	require.True(t, has)
	require.Empty(t, run.Refused)
	require.Less(t, run.Value, 1e-4)
}

// Rows of different measurements aren't averaged. The reason names the column by which to choose.
func TestMixedRows(t *testing.T) {
	p := fixture.ProbeCluster()
	p.Add(kernel.EXT, "Unidir_Put", settings.Aggregate, 2, 1)
	p.Add(kernel.EXT, "Unidir_Put", settings.NonAggregate, 2, 1)
	const figure = `figure = "imb.Unidir_Put.t_avg"`
	for _, x := range []struct {
		want  string
		lines []string
	}{
		{"rows of mode aggregate and non-aggregate: choose by where", []string{`bytes = 4`}},
		{"", []string{`bytes = 4`, `where = "mode=aggregate"`}},
		{"rows of bytes 0 and 4: choose by bytes", []string{`where = "mode=aggregate"`}},
		{"", []string{`where = "mode=aggregate and bytes=4"`}},
	} {
		run, has := takenOf(t, &p.Result, append([]string{figure}, x.lines...)...)
		require.True(t, has)
		require.Equal(t, x.want, run.Refused)
	}
}

// A probe counts only for sheets that ask for the memory of its messages, and not at all if its messages were staged.
// An imported text that names no buffers used the host's memory.
func TestMemoryOfMessages(t *testing.T) {
	const figure, device = `figure = "imb.PingPong.t_avg"`, `memory = "device"`
	for _, x := range []struct {
		memory mpi.MessageMemory
		sheet  string
		want   string
	}{
		{mpi.MessageMemory{}, "", ""},
		{mpi.MessageMemory{}, device,
			"its data are in the memory of processors, not of accelerators: measure with --buffers"},
		{mpi.MessageMemory{Buffers: "cuda:device"}, device, ""},
		{mpi.MessageMemory{Buffers: "cuda:device"}, "",
			`its data are in memory of cuda:device, which the sheet takes only with memory = "device"`},
		{mpi.MessageMemory{Buffers: "rocm:managed"}, device,
			"its data are in memory of rocm:managed, which no sheet takes"},
		{mpi.MessageMemory{Buffers: "cuda:host"}, "", "its data are in memory of cuda:host, which no sheet takes"},
		{mpi.MessageMemory{Buffers: "host", Other: "cuda:device"}, device,
			"its data are in memory of host to cuda:device, which no sheet takes"},
		{mpi.MessageMemory{Buffers: "rocm:device", Staged: true}, device,
			"its data are staged through the memory of processors: measure without --staged"},
	} {
		p := fixture.ProbeCluster()
		p.Add(kernel.MPI1, "PingPong", settings.Plain, 2, 1)
		p.Result.Settings.Memory.MessageMemory = x.memory
		run, has := takenOf(t, &p.Result, figure, `bytes = 4`, x.sheet)
		require.True(t, has)
		require.Equal(t, x.want, run.Refused)
	}
	require.Equal(t, "its buffers are H H, want D D", (&Requirement{Memory: deviceMemory,
		rows: &tidy.Condition{}}).wrongSettings(&foreign.Table{}))
}

// ofIOR returns the run that a file of IOR gives for a requirement.
func ofIOR(t *testing.T, tables []foreign.Table, lines ...string) Run {
	run, has := programRuns(t, tables, lines...)
	require.True(t, has)
	return run
}

// programRuns returns the run that a file of IOR gives for a requirement, if it gives one.
func programRuns(t *testing.T, tables []foreign.Table, lines ...string) (Run, bool) {
	s, err := Parse("x.toml", sheetOf(append(lines, `valid = false`)...), []Set{{"system.memory", "768 GiB"}})
	require.NoError(t, err)
	e, taken := s.Evidence(time.Now()), Taken{runs: map[*Requirement]Run{}}
	e.takePrograms(&taken, &foreign.Result{Program: "IOR", Processes: 2, Tables: tables}, &ranking.Entry{})
	run, has := taken.runs[s.Requirements[0]]
	return run, has
}

// iorTable returns a test of IOR.
func iorTable(bandwidth float64, size string) foreign.Table {
	return foreign.Table{Test: "write", Columns: []foreign.Column{{Name: "bw", Quantity: foreign.BytesPerSecond,
		Main: true}}, Rows: []foreign.Row{{Values: []float64{bandwidth}, Each: []float64{bandwidth, bandwidth}}},
		Settings: []foreign.Setting{{Name: "aggregate filesize", Value: size}, {Name: "nodes", Value: "1"}}}
}

// A file with several tests isn't judged by the first one.
func TestSeveralTests(t *testing.T) {
	const figure = `figure = "ior.write.bandwidth"`
	require.Empty(t, ofIOR(t, []foreign.Table{iorTable(2e9, "16 MiB")}, figure).Refused)
	require.Equal(t, "2 tests in its file have it: choose by where = 'settings~\"…\"', from write; write",
		ofIOR(t, []foreign.Table{iorTable(2e9, "16 MiB"), iorTable(1e6, "16 MiB")}, figure).Refused)

	// A condition on settings chooses one of them, as the reason says. The largest number of processes counts, as
	// for rows of beff's own.
	two := []foreign.Table{iorTable(2e9, "1.5 TiB"), iorTable(1e9, "16 MiB")}
	require.Contains(t, ofIOR(t, two, figure).Refused, "from write, aggregate filesize 1.5 TiB; write, ag")
	run := ofIOR(t, two, figure, `where = 'settings~"aggregate filesize 1.5 TiB"'`)
	require.Equal(t, []any{"", 2.}, []any{run.Refused, math.Round(run.Value / 1e9)})
	run = ofIOR(t, two, figure, `where = "settings~16 and program=IOR"`)
	require.Equal(t, []any{"", 1.}, []any{run.Refused, math.Round(run.Value / 1e9)})
	two[1].Processes = 1
	require.Equal(t, 2, ofIOR(t, two, figure).Processes)
	run = ofIOR(t, two, figure, `processes = 1`)
	require.Equal(t, []any{"", 1., 1}, []any{run.Refused, math.Round(run.Value / 1e9), run.Processes})
	_, has := programRuns(t, two, figure, `where = "settings~POSIX"`)
	require.False(t, has)
	lengths := iorTable(1e9, "16 MiB")
	lengths.Lengths = true
	lengths.Rows = []foreign.Row{{Bytes: 1, Values: []float64{1e6}}, {Bytes: 8, Values: []float64{2e6}}}
	require.Equal(t, "2 rows have it: choose by bytes", ofIOR(t, []foreign.Table{lengths}, figure,
		`statistic = "mean"`).Refused)
}

// Output of other programs counts only for the buffers and threads that it prints.
func TestBuffersAndThreads(t *testing.T) {
	const host, device, threads = "buffers H H", "buffers D D", "Number of Receiver threads 2"
	for _, x := range []struct {
		setting, lines, want string
	}{
		{host, "", ""},
		{host, `memory = "host"`, ""},
		{host, `memory = "device"`, "its buffers are H H, want D D"},
		{device, `memory = "device"`, ""},
		{"buffers D H", `memory = "device"`, "its buffers are D H, want D D"},
		{device, "", "its buffers are D D, want H H, unless the sheet has memory = \"device\" or where = " +
			"'settings~\"D D\"'"},
		{device, `memory = "host"`, "its buffers are D D, want H H"},
		{device, `where = 'settings~"D D"'`, ""},
		{threads, "", `it has Number of Receiver threads 2, which the sheet doesn't ask for`},
		{threads, `where = 'settings~"threads 2"'`, ""},
		{"Number of Sender threads 1", "", ""},
	} {
		name, value := x.setting[:strings.LastIndex(x.setting, " ")], x.setting[strings.LastIndex(x.setting, " ")+1:]
		if strings.HasPrefix(name, "buffers") {
			name, value = "buffers", strings.TrimPrefix(x.setting, "buffers ")
		}
		s := sheetWith(t, `figure = "osu.latency_mt.t_avg"`, `engine = "imported"`, x.lines)
		e, taken := s.Evidence(time.Now()), Taken{runs: map[*Requirement]Run{}}
		e.takePrograms(&taken, &foreign.Result{Program: "OSU", Processes: 2, Tables: []foreign.Table{{
			Test:     "osu_latency_mt",
			Columns:  []foreign.Column{{Name: "latency", Quantity: foreign.Seconds, Main: true}},
			Rows:     []foreign.Row{{Values: []float64{1e-6}}},
			Settings: []foreign.Setting{{Name: name, Value: value}}}}}, &ranking.Entry{})
		run, has := taken.runs[s.Requirements[0]]
		require.True(t, has)
		if x.want == "" {
			require.Empty(t, run.Refused, x)
		} else {
			require.Contains(t, run.Refused, x.want)
		}
	}
}

// A doubtful result doesn't count, even if the sheet doesn't demand valid ones.
func TestDoubtful(t *testing.T) {
	s := sheetWith(t, `figure = "ior.write.bandwidth"`)
	e, taken := s.Evidence(time.Now()), Taken{runs: map[*Requirement]Run{}}
	e.takePrograms(&taken, &foreign.Result{Program: "IOR", Processes: 2,
		Tables: []foreign.Table{iorTable(2e9, "16 MiB")}}, &ranking.Entry{Status: ranking.Doubtful})
	run := taken.runs[s.Requirements[0]]
	require.Equal(t, "it is doubtful: figures of its file contradict each other", run.Refused)
	require.Equal(t, "DOUBTFUL", run.Status)
}

// IOR prints sizes that are no whole number of their unit with two decimals: 1.125 TiB is 1.12 TiB.
func TestDataOfMemory(t *testing.T) {
	for size, want := range map[string]string{"1.12 TiB": "", "12.13 TiB": "", "1152 GiB": "", "2 PiB": "",
		"1.11 TiB": "not met: 1.5 times the memory was written", "much": "it doesn't record whether 1.5 times the " +
			"memory was written"} {
		run := ofIOR(t, []foreign.Table{iorTable(2e9, size)}, `figure = "ior.write.bandwidth"`, `data_of_memory = 1.5`)
		require.Equal(t, want, run.Refused, size)
	}
}

// A baseline's sheet can be read, and accepts the results from which it was made: results on several numbers of nodes,
// rows of two modes, and rows with a large spread.
func TestBaselineIsRead(t *testing.T) {
	p := fixture.ProbeCluster()
	p.Add(kernel.EXT, "Unidir_Put", settings.Aggregate, 2, 1)
	p.Add(kernel.EXT, "Unidir_Put", settings.NonAggregate, 2, 1)
	b := &Baseline{values: map[baselineKey]*baselineValues{}, System: "cluster", engine: OverMPI, results: 1}
	f := fileOf(t, &p.Result)
	for _, table := range f.Tables(0, nil) {
		for row := range table.Rows {
			if table.Name == rowsOfProbes && row[at(table)["bytes"]] == int64(4) {
				b.addRow(table, row, 1)
				b.addRow(table, row, 2)
			}
		}
	}
	require.Len(t, b.order, 4)
	b.values[b.order[0]].within = 0.08
	var text bytes.Buffer
	require.NoError(t, b.Write(&text))
	s, err := Parse("x.toml", text.Bytes(), nil)
	require.NoError(t, err)
	require.Len(t, s.Requirements, 4)
	require.Equal(t, 0.08, s.Requirements[0].Spread)
	require.Equal(t, "imb-ext-Unidir_Put-t_avg-4-p2-n1-aggregate", s.Requirements[0].ID)
	require.Contains(t, text.String(), "# Baseline of cluster from 1 result. Each limit is 8 standard deviations")
	b.values[b.order[0]].within = 0.09 // a limit for it would be worthless
	text.Reset()
	require.NoError(t, b.Write(&text))
	require.Contains(t, text.String(), "# Left out: imb-ext-Unidir_Put-t_avg-4-p2-n1-aggregate: 1 result with a")
	taken := s.Evidence(time.Now()).Take(f).runs
	require.NotEmpty(t, taken)
	for _, run := range taken {
		require.NotContains(t, run.Refused, "rows of")
	}
}

// The environment is from the newest result that counts.
func TestFactsOfNewest(t *testing.T) {
	s := sheetWith(t, allreduce)
	e := s.Evidence(time.Now())
	taken := func(day int, refused, name string) Taken {
		return Taken{runs: map[*Requirement]Run{s.Requirements[0]: {Refused: refused}},
			date: time.Date(2026, 11, day, 0, 0, 0, 0, time.UTC), facts: []document.Fact{{Name: name}}}
	}
	e.Add(taken(1, "", "counts"))
	e.Add(taken(2, "from system T, want S", "other"))
	require.Equal(t, "counts", e.newest[""].facts[0].Name)
}

// The sentences about spreads are in order, so a verdict's page is the same each time.
func TestOrderOfRules(t *testing.T) {
	const more = "[[requirement]]\nid = \"r%d\"\nfigure = \"osu.latency.t_avg\"\nspread = \"%d %%\"\n" +
		"threshold = \"max 1 ms\"\n"
	text, values := "title = \"x\"\n", map[string][]float64{}
	for i := range 6 {
		text += fmt.Sprintf(more, i, i+1)
		values[fmt.Sprint("r", i)] = []float64{1e-4, 1e-4}
	}
	e := evidence(t, text, values)
	a := e.Judge()
	list := a.rule()
	for i := range 6 {
		require.Contains(t, list[len(list)-6+i], fmt.Sprintf("at most %d %%", i+1))
	}
}

// A run that is refused because it lacks another figure is also refused where a third requirement needs that run.
func TestSameRunsInTurn(t *testing.T) {
	text := "title = \"x\"\nspread = \"3 %\"\n"
	for _, x := range [][2]string{{"a", "b"}, {"b", "c"}, {"c", "c2"}, {"c2", "b"}} {
		text += fmt.Sprintf("[[requirement]]\nid = %q\nfigure = \"osu.latency.t_avg\"\nsame_run = [%q]\n", x[0], x[1])
	}
	e := evidence(t, text, map[string][]float64{"a": {1e-6, 1e-6}, "b": {1e-6, 1e-6}, "c": {1e-6}, "c2": {1e-6}})
	a := e.Judge()
	require.Equal(t, "this run has no value that counts for b", a.Judged[0].Runs[1].Refused)
	require.Empty(t, a.Judged[0].Runs[0].Refused)
}

// A result that is older than the sheet allows doesn't count.
func TestAge(t *testing.T) {
	p := fixture.ProbeCluster()
	p.Add(kernel.MPI1, "Allreduce", settings.Plain, 4, 1)
	s := sheetWith(t, `figure = "imb.Allreduce.t_avg"`, `bytes = 4`, `threshold = "max 1 s"`, `age = "3d"`)
	f := fileOf(t, &p.Result)
	for days, want := range map[int]string{2: "", 31: "older than 3 days"} {
		run := s.Evidence(p.Result.Started.AddDate(0, 0, days)).Take(f).runs[s.Requirements[0]]
		require.Equal(t, want, run.Refused)
	}
}

// A probe on another number of processes than the sheet wants gives no run, but its system gets a verdict without a
// result.
func TestOtherSizeOfRows(t *testing.T) {
	p := fixture.ProbeCluster()
	p.Add(kernel.MPI1, "Allreduce", settings.Plain, 4, 1)
	f, n := fileOf(t, &p.Result), p.Result.Blocks[0].Processes
	for processes, want := range map[int]bool{n: false, n + 1: true} {
		s := sheetWith(t, `figure = "imb.Allreduce.t_avg"`, `bytes = 4`, fmt.Sprint("processes = ", processes))
		taken := s.Evidence(p.Result.Started).Take(f)
		require.Equal(t, want, taken.sized)
		require.Len(t, taken.runs, map[bool]int{false: 1}[want])
	}
}

// A sheet may set the flags that determine what is measured, and how often.
func TestMeasuring(t *testing.T) {
	for _, text := range []string{"probe osu:mbw_mr --msgsize 8 --per nic", "io -T60",
		"probe rma:Unidir_put --msgsize=8,16 --off-cache=-1 --within 2%", "run --quick", "io -T 60"} {
		require.NoError(t, checkCommand(strings.Fields(text)), text)
	}
}
