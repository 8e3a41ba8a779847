package accept

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// eight is a sheet with a requirement for each verdict.
const eight = `title = "Eight"
version = "1"
spread = "3 %"
[[requirement]]
id = "met"
figure = "osu.allreduce.t_avg"
bytes = 8
processes = 4
threshold = "max 10 us"
[[requirement]]
id = "missed"
figure = "osu.bibw.bandwidth"
bytes = "1 MiB"
threshold = "min 10 GB/s"
[[requirement]]
id = "undecided"
figure = "osu.latency.t_avg"
threshold = "max 10 us"
[[requirement]]
id = "unknown"
figure = "osu.latency.t_avg"
spread = "unknown"
threshold = "max 10 us"
[[requirement]]
id = "absent"
figure = "ior.write.bandwidth"
threshold = "min 1 GB/s"
[[requirement]]
id = "refused"
figure = "b_eff"
threshold = "min 1 GB/s"
[[requirement]]
id = "reported"
figure = "osu.latency.t_avg"
[[requirement]]
id = "within"
figure = "osu.latency.t_avg"
threshold = "between 8 us 12 us"
`

// evidence returns the evidence for a sheet: a run on each day for each value of a requirement, by the requirement's
// name.
func evidence(t *testing.T, text string, values map[string][]float64) *Evidence {
	s, err := Parse("sheet.toml", []byte(text), nil)
	require.NoError(t, err)
	e := s.Evidence(time.Now())
	for _, r := range s.Requirements {
		for i, x := range values[r.ID] {
			e.runs[r] = append(e.runs[r], Run{File: fmt.Sprintf("%s-%d.json", r.ID, i), Digest: "0123456789abcdef",
				System: "S", Library: "MPI 1", Date: time.Date(2026, 11, 1+i, 0, 0, 0, 0, time.UTC), Value: x,
				Processes:   4,
				measurement: rating.Measurement{Started: int64(i)}})
		}
	}
	e.read = []Read{{File: "met-0.json", Status: "noisy"}, {File: "x.json", Skipped: Deselected}, {File: "y.json"}}
	return e
}

// judged returns the verdicts of the sheet of eight.
func judged(t *testing.T) *Acceptance {
	e := evidence(t, eight, map[string][]float64{"met": {5e-6, 5e-6}, "missed": {5e9}, "undecided": {9.5e-6, 9.6e-6},
		"unknown": {5e-6, 5e-6, 5.1e-6}, "refused": {2e9}, "reported": {1e-6}, "within": {10e-6, 10e-6, 10e-6}})
	for _, r := range e.Requirements {
		if r.ID == "refused" {
			e.runs[r][0].Refused = "another class: simulated, want mpi"
		}
	}
	a := e.Judge()
	return a
}

func TestVerdicts(t *testing.T) {
	a := judged(t)
	want := map[string]Verdict{"met": Met, "missed": Missed, "undecided": Undecided, "unknown": Undecided,
		"absent": NotMeasured, "refused": ConditionFailed, "reported": Reported, "within": Met}
	for _, j := range a.Judged {
		require.Equal(t, want[j.ID], j.Verdict, "%s: %s", j.ID, j.Reason)
		switch j.Verdict {
		case Met, Missed:
			require.LessOrEqual(t, j.PValue, 0.05, j.ID)
			require.Less(t, j.Low, j.Value)
			require.Greater(t, j.High, j.Value)
		case Undecided:
			require.Positive(t, j.MoreUnits, j.ID)
		}
	}
	require.Equal(t, Missed, a.Verdict)
	require.Equal(t, "its spread isn't known: run it on 2 more days", a.Judged[3].Reason)
	require.Equal(t, "1 run, and none counts: another class: simulated, want mpi", a.Judged[5].Reason)
	require.InDelta(t, 0.5, a.Judged[0].Margin, 1e-9)
	require.Equal(t, "no result has it: run IOR, then beff import on its output", a.Judged[4].Reason)
	require.NoError(t, Document([]*Acceptance{a}).Validate())
	require.Equal(t, "Eight, version 1: missed", Document([]*Acceptance{a}).Screen[0].Value)
}

// Data that decide a single requirement may not decide it among many, because Holm's rule applies to the whole sheet.
func TestHolmOverSheet(t *testing.T) {
	var many strings.Builder
	many.WriteString("title = \"x\"\nspread = \"3 %\"\n")
	for i := range 20 {
		fmt.Fprintf(&many, "[[requirement]]\nid = \"r%d\"\nfigure = \"osu.allreduce.t_avg\"\n"+
			"threshold = \"max 10 us\"\n", i)
	}
	one := evidence(t, fmt.Sprintf(strings.ReplaceAll(oneLimit, "1 ms", "10 us"), "3 %"),
		map[string][]float64{"a": {9.5e-6, 9.5e-6}})
	a := one.Judge()
	require.Equal(t, Met, a.Verdict)
	a = evidence(t, many.String(), map[string][]float64{"r3": {9.5e-6, 9.5e-6}}).Judge()
	require.Equal(t, Undecided, a.Judged[3].Verdict)
}

// The runs of a day count as one value, or each run does if the sheet says so. All runs count, even later ones.
func TestUnits(t *testing.T) {
	text := fmt.Sprintf(oneLimit, "3 %")
	e := evidence(t, text, map[string][]float64{"a": {0.9e-3, 0.9e-3, 0.9e-3}})
	r := e.Requirements[0]
	for i := range e.runs[r] {
		e.runs[r][i].Date = e.runs[r][0].Date
	}
	a := e.Judge()
	require.Equal(t, []int{1, 3}, []int{a.Judged[0].Units, a.Judged[0].Used})
	require.Equal(t, Undecided, a.Verdict)
	e.Unit = EachRun
	a = e.Judge()
	require.Equal(t, 3, a.Judged[0].Units)
	require.Equal(t, Met, a.Verdict)
	e.runs[r] = append(e.runs[r], Run{File: "b", System: "S", Date: time.Now(), Value: 1.3e-3, Processes: 4})
	a = e.Judge()
	require.Equal(t, Undecided, a.Verdict)
	require.Equal(t, 4, a.Judged[0].Used)
}

// A model has no noise, so a single value decides, unless the sheet requires more runs.
func TestModelsAndLeast(t *testing.T) {
	e := evidence(t, fmt.Sprintf(oneLimit, "3 %")+"runs = 2\n", map[string][]float64{"a": {0.999e-3}})
	e.runs[e.Requirements[0]][0].model = true
	a := e.Judge()
	require.Equal(t, Undecided, a.Verdict)
	require.Equal(t, "2 runs are required: run it 1 more time", a.Judged[0].Reason)
	e.Requirements[0].MinRuns = 1
	a = e.Judge()
	require.Equal(t, Met, a.Verdict)
	require.Zero(t, a.Judged[0].PValue)
}

// Runs of another class than most are listed and don't count, but don't prevent a verdict.
func TestUnlike(t *testing.T) {
	e := evidence(t, fmt.Sprintf(oneLimit, "3 %"), map[string][]float64{"a": {0.9e-3, 0.9e-3, 0.9e-3}})
	run := &e.runs[e.Requirements[0]][1]
	for i := range e.runs[e.Requirements[0]] {
		e.runs[e.Requirements[0]][i].measurement.Started = int64(i + 1)
	}
	other := func() string {
		a := e.Judge()
		require.Equal(t, 2, a.Judged[0].Used)
		return a.Judged[0].Runs[1].Refused
	}
	run.basis.Library = "MPI 2"
	require.Equal(t, "not in the class of most results: libraries  and MPI 2", other())
	run.basis.Library, run.basis.Rules = "", "adaptive"
	require.Equal(t, "not in the class of most results: rules  and adaptive", other())

	// If two groups are equally large, the group with the newest run counts, and a notice says so.
	runs := e.runs[e.Requirements[0]]
	e.runs[e.Requirements[0]] = runs[1:]
	a := e.Judge()
	require.Equal(t, 1, a.Judged[0].Used)
	require.Equal(t, "not in the class of the newest result, which has as many results: rules  and adaptive",
		a.Judged[0].Runs[0].Refused)
	require.Equal(t, []string{"two classes have equally many results, so only the class of the newest result " +
		"counts (rules  and adaptive): choose by where in the sheet"}, a.Notes)
	require.Contains(t, Document([]*Acceptance{a}).Notices[1].Text, a.Notes[0])
}

// Each system has its own verdicts. The sheet's verdict is the worst of them.
func TestSystems(t *testing.T) {
	e := evidence(t, eight, map[string][]float64{"met": {5e-6, 5e-6, 5e-6, 20e-6, 20e-6, 5e-6},
		"missed": {5e9, 20e9, 20e9}})
	for r, runs := range e.runs {
		for i := range runs {
			if i >= len(runs)/2 {
				runs[i].System = "T"
			}
		}
		e.runs[r] = runs
	}
	met := e.runs[e.Requirements[0]]
	met[5] = Run{System: "U", Value: 1, Refused: "another class: simulated, want mpi", stray: true}
	systems := e.Systems()
	require.Len(t, systems, 2)
	list := []*Acceptance{systems[0].Judge(), systems[1].Judge()}
	require.Equal(t, []string{"S", "T"}, []string{list[0].System, list[1].System})
	require.Equal(t, []Verdict{Met, Missed}, []Verdict{list[0].Judged[0].Verdict, list[1].Judged[0].Verdict})
	require.Equal(t, []Verdict{Missed, Met}, []Verdict{list[0].Judged[1].Verdict, list[1].Judged[1].Verdict})
	require.Equal(t, Missed, Overall(list))
	for _, a := range list { // the model's run is listed with both
		require.Equal(t, "U", a.Judged[0].Runs[0].System)
	}
	d := Document(list)
	require.NoError(t, d.Validate())
	require.Equal(t, "S: missed; T: missed", d.Headline.Note)
	d.Sections = []document.Section{Page(list)}
	require.NoError(t, d.Validate())
	row := d.Sections[0].Blocks[1].(*document.Table).Rows[0]
	require.Equal(t, "missed: 20.000 µs, −100 %", row[3].Text)
	var b strings.Builder
	require.NoError(t, Worksheet(&b, list))
	require.Equal(t, 17, strings.Count(b.String(), "\n"))
	require.NoError(t, JUnit(&b, list))
	require.Contains(t, b.String(), `<testsuite name="Eight 1 T" tests="8" failures="1" errors="0"`)

	// A system that has only results of other sizes still gets a verdict.
	e.Add(Taken{System: "V", sized: true})
	require.Len(t, e.Systems(), 3)

	// A sheet for one system lists the runs of others.
	e.Sheet.System = "S"
	require.Len(t, e.Systems(), 1)
}

// In a list of lengths, as many may miss their limits as the sheet says.
func TestMayMiss(t *testing.T) {
	const sheet = `title = "x"
spread = "3 %"
[[requirement]]
id = "speed"
figure = "osu.bibw.bandwidth"
bytes = [8, "1 KiB", "1 MiB"]
threshold = ["min 1 GB/s", "min 1 GB/s", "min 2 GB/s"]
may_miss = 1
`
	const good, bad, near = 3e9, 0.5e9, 1.01e9
	for _, x := range []struct {
		values []float64 // one for each length; 0: not measured
		want   []Verdict
		sheet  Verdict
	}{
		{[]float64{good, good, good}, []Verdict{Met, Met, Met}, Met},
		{[]float64{bad, good, good}, []Verdict{MayMiss, Met, Met}, Met},
		{[]float64{near, good, good}, []Verdict{MayMiss, Met, Met}, Met},
		{[]float64{0, good, good}, []Verdict{MayMiss, Met, Met}, Met},
		{[]float64{bad, near, good}, []Verdict{MayMiss, Undecided, Met}, Undecided},
		{[]float64{bad, bad, good}, []Verdict{Missed, Missed, Met}, Missed},
		{[]float64{good, good, 1.5e9}, []Verdict{Met, Met, MayMiss}, Met},
	} {
		values := map[string][]float64{}
		for i, id := range []string{"speed-8", "speed-1024", "speed-1048576"} {
			if v := x.values[i]; v > 0 {
				values[id] = []float64{v, v, v}
			}
		}
		a := evidence(t, sheet, values).Judge()
		for i, j := range a.Judged {
			require.Equal(t, x.want[i], j.Verdict, "%v: %s", x.values, j.ID)
			if j.Verdict == MayMiss {
				require.Contains(t, j.Reason, ", but 1 of the 3 lengths of speed may miss")
			}
		}
		require.Equal(t, x.sheet, a.Verdict, x.values)
		require.Empty(t, len(a.Plan("mpirun", ""))-words.Either(x.sheet == Undecided, 1, 0), "%v", x.values)
	}
	s, err := Parse("x.toml", []byte(sheet), nil)
	require.NoError(t, err)
	require.Equal(t, "probe osu:bibw --msgsize 8,1024,1048576", strings.Join(s.Requirements[2].Measure, " "))
	require.Equal(t, "speed-8: mean of osu.bibw.bandwidth, 8 bytes, min 1 GB/s, mpi, 1 of the 3 lengths of speed may "+
		"miss", s.Requirements[0].Line())
}

// Figures that must come from one run count only if that run has all of them.
func TestSameRun(t *testing.T) {
	text := `title = "x"
spread = "3 %"
[[requirement]]
id = "write"
figure = "ior.write.bandwidth"
threshold = "min 1 GB/s"
same_run = ["read"]
[[requirement]]
id = "read"
figure = "ior.read.bandwidth"
threshold = "min 1 GB/s"
`
	e := evidence(t, text, map[string][]float64{"write": {2e9, 2e9, 2e9}, "read": {2e9, 2e9}})
	a := e.Judge()
	require.Equal(t, 2, a.Judged[0].Used)
	require.Equal(t, "this run has no value that counts for read", a.Judged[0].Runs[2].Refused)
	require.Equal(t, Met, a.Verdict)
}

// JUnit's XML is read as Jenkins and GitLab read it: cases below a suite, told apart by class and name, with the text
// of failures in body and attribute.
func TestJUnit(t *testing.T) {
	var b strings.Builder
	require.NoError(t, JUnit(&b, []*Acceptance{judged(t)}))
	var read struct {
		Suites []struct {
			Name  string `xml:"name,attr"`
			Cases []struct {
				Class   string `xml:"classname,attr"`
				Name    string `xml:"name,attr"`
				Failure *struct {
					Message string `xml:"message,attr"`
					Body    string `xml:",chardata"`
				} `xml:"failure"`
				Error   *struct{} `xml:"error"`
				Skipped *struct {
					Message string `xml:"message,attr"`
				} `xml:"skipped"`
				Out string `xml:"system-out"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	require.NoError(t, xml.Unmarshal([]byte(b.String()), &read))
	require.Len(t, read.Suites, 1)
	require.Equal(t, "Eight 1", read.Suites[0].Name)
	seen, failures, errors, skipped := map[string]bool{}, 0, 0, 0
	for _, c := range read.Suites[0].Cases {
		require.False(t, seen[c.Class+"\x00"+c.Name], c.Name)
		seen[c.Class+"\x00"+c.Name] = true
		require.Equal(t, 1, strings.Count(c.Class, "."), c.Class) // Jenkins: a package and a class
		require.NotEmpty(t, c.Out)
		switch {
		case c.Failure != nil:
			failures++
			require.Contains(t, c.Failure.Body, c.Failure.Message)
			require.Contains(t, c.Failure.Body, "missed-0.json")
		case c.Error != nil:
			errors++
		case c.Skipped != nil:
			skipped++
			require.NotEmpty(t, c.Skipped.Message)
		}
	}
	require.Equal(t, []int{8, 1, 1, 4}, []int{len(seen), failures, errors, skipped})
}

// Worksheets and JSON have a row for each requirement, in the units that they name.
func TestWorksheets(t *testing.T) {
	a := judged(t)
	var b strings.Builder
	require.NoError(t, Worksheet(&b, []*Acceptance{a}))
	rows, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 9)
	cell := func(row []string, name string) string {
		for i, head := range rows[0] {
			if head == name {
				return row[i]
			}
		}
		return "no " + name
	}
	require.Equal(t, []string{"met", "µs", "10", "5"}, []string{cell(rows[1], "requirement"), cell(rows[1], "unit"),
		cell(rows[1], "most"), cell(rows[1], "value")})
	require.Equal(t, "missed", cell(rows[2], "verdict"))
	require.Equal(t, "5000", cell(rows[2], "value"))
	require.Equal(t, "10000", cell(rows[2], "least"))

	b.Reset()
	require.NoError(t, JSON(&b, []*Acceptance{a}))
	var read struct {
		Verdict string
		Systems []struct {
			Requirements []struct {
				ID, Verdict string
				Value       float64
				Runs        []struct{ Counts bool }
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(b.String()), &read))
	require.Equal(t, "missed", read.Verdict)
	require.Len(t, read.Systems[0].Requirements, 8)
	require.InEpsilon(t, 5e9, read.Systems[0].Requirements[1].Value, 1e-12)
	require.False(t, read.Systems[0].Requirements[5].Runs[0].Counts)
	require.False(t, math.Signbit(read.Systems[0].Requirements[4].Value))
}

// The plan measures requirements that are neither met nor missed, with one command for all requirements that it
// measures. A requirement that beff doesn't measure becomes a comment.
func TestPlan(t *testing.T) {
	require.Equal(t, []string{
		"mpirun beff probe osu:latency -o results/undecided-3 # undecided, unknown",
		"# absent: no result has it: run IOR, then beff import on its output",
		"mpirun beff run -o results/refused-2 # refused",
	}, judged(t).Plan("mpirun", "results/"))
	s, err := Parse("x.toml", sheetOf(allreduce, `bytes = 8`, `nodes = "all"`, `per = "nic"`, `engine = "embedded"`,
		"[[requirement]]", `id = "b"`, allreduce, `nodes = 2`, `per = "core"`), nil)
	require.NoError(t, err)
	a := s.Evidence(time.Now()).Judge()
	require.Equal(t, []string{
		"beff probe osu:allreduce --msgsize 8 --engine local -n 8 -o 'a b/a-1' " +
			"# a (8 bytes, 8 processes, 4 nodes)",
		"# b: cores of [system] isn't known: give it with --set system.cores=N",
	}, a.Plan("srun", "a b/"))
}

// BenchmarkJudge judges a sheet of 40 requirements by 1,000 runs of each.
func BenchmarkJudge(b *testing.B) {
	var text strings.Builder
	text.WriteString("title = \"x\"\nspread = \"3 %\"\n")
	for i := range 40 {
		fmt.Fprintf(&text, "[[requirement]]\nid = \"r%d\"\nfigure = \"osu.allreduce.t_avg\"\n"+
			"threshold = \"max %d us\"\n", i, 10+i)
	}
	s, err := Parse("sheet.toml", []byte(text.String()), nil)
	require.NoError(b, err)
	e := s.Evidence(time.Now())
	r := rand.New(rand.NewPCG(1, 1))
	for _, q := range s.Requirements {
		for i := range 1000 {
			e.runs[q] = append(e.runs[q], Run{System: "S", Date: time.Unix(int64(i)*86400, 0), Processes: 4,
				Value: 20e-6 * math.Exp(0.03*r.NormFloat64())})
		}
	}
	for b.Loop() {
		e.Judge()
	}
}

// The document for signing lists every file that was read, with the reason if it doesn't count. A notice names the
// noisy runs that count.
func TestAllFiles(t *testing.T) {
	e := evidence(t, fmt.Sprintf(oneLimit, "3 %"), map[string][]float64{"a": {0.9e-3, 0.9e-3}})
	e.runs[e.Requirements[0]][0].Status = "very noisy"
	e.runs[e.Requirements[0]][1].Refused = "it isn't verified"
	e.read = []Read{{File: "a-0.json", Status: "very noisy"}, {File: "a-1.json", Status: "UNVERIFIED"},
		{File: "b.json", Status: "valid", Skipped: "a copy of another result"},
		{File: "c.json", Status: "valid"}}
	a := e.Judge()
	require.Equal(t, NotMeasured, evidence(t, eight, nil).Judge().Verdict)
	none := evidence(t, eight, nil)
	none.read = []Read{{File: "f.json", Skipped: NotVerified + "sample 3"}}
	require.Equal(t, "no file verifies: sample 3", none.Judge().Judged[0].Reason)
	require.Equal(t, ConditionFailed, none.Judge().Verdict)
	d := Document([]*Acceptance{a})
	require.Equal(t, "the only result that counts is noisy: a-0.json", d.Notices[1].Text)
	require.Equal(t, "1 of 4 files is left out: b.json (a copy of another result)", d.Notices[2].Text)
	var got []string
	for _, row := range a.fileTable("").Rows {
		got = append(got, row[0].Text+": "+row[2].Text)
	}
	require.Equal(t, []string{"a-0.json: for 1 of 1 requirement", "a-1.json: no: see the table of runs",
		"b.json: no: a copy of another result",
		"c.json: no: it has no figure of the sheet at the required size"}, got)
}
