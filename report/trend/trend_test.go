package trend

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/words"
)

// nightly returns results of a system on n days, whose ratings are the level of the day with a noise of 1 %.
func nightly(n int, level func(i int) float64) []Point {
	random := rand.New(rand.NewPCG(5, uint64(n)))
	var list []Point
	for i := range n {
		x := level(i) * (1 + 0.01*random.NormFloat64())
		p := Point{Entry: ranking.Entry{Class: rating.Class{Benchmark: "b_eff", Rules: "2001"}, Processes: 4,
			Figures: rating.Values{"b_eff": {Value: x, Within: rating.Around(x, 0.02, rating.ByRepetitions)},
				"latency_rings": {Value: 1e3 / x}},
			Date: time.Date(2026, 1, 1+i, 3, 0, 0, 0, time.UTC), File: fmt.Sprint("r", i),
			Library: "Open MPI 4.1.4", LibraryName: "Open MPI",
			Measurement: idOf(i)},
			Facts: []document.Fact{{Name: "library", Value: "Open MPI 4.1.4"}, {Name: "kernel", Value: "5.14"}},
			Known: true}
		p.System.Name = "Hawk"
		list = append(list, p)
	}
	return list
}

// idOf returns the identity of the i-th result's measurement.
func idOf(i int) rating.Measurement { return rating.Measurement{Started: int64(i + 1)} }

// falls returns a level that falls by 11.8 % on a day.
func falls(at int) func(int) float64 {
	return func(i int) float64 {
		if i < at {
			return 5e9
		}
		return 5e9 * (1 - 0.118)
	}
}

// A step is found on its day, with its size and what else changed then.
func TestStep(t *testing.T) {
	points := nightly(30, falls(17))
	for i := range points[17:] {
		points[17+i].Facts = []document.Fact{{Name: "library", Value: "Open MPI 4.1.6"},
			{Name: "kernel", Value: "5.14"}, {Name: "UCX_TLS", Value: "tcp"}}
	}
	list, alone := Of(points, nil)
	require.Zero(t, alone)
	require.Len(t, list, 1)
	s := list[0]
	require.Len(t, s.Steps, 1)
	step := s.Steps[0]
	require.Equal(t, 17, step.At)
	require.InDelta(t, 1-0.118, step.Ratio, 0.01)
	require.True(t, step.Low < 1-0.118 && 1-0.118 < step.High && step.High-step.Low < 0.03)
	require.Equal(t, []string{"library Open MPI 4.1.4 → 4.1.6", "UCX_TLS (none) → tcp"}, step.Changed)
	require.Regexp(t, `^−1[12]\.\d ± 0\.\d %$`, step.Percent())
	require.True(t, s.Worse(step.Change))
	notices, _, err := (&Gate{Baseline: Baseline{Date: points[3].Date}}).Judge(list, points)
	require.NoError(t, err)
	d := Document(list, 0, notices)
	require.NoError(t, d.Validate())
	require.Contains(t, d.Notices[0].Text, "Hawk, 4 processes: b_eff is below the baseline: −1")
	var text bytes.Buffer
	require.NoError(t, document.PlainText(&text, d))
	require.Contains(t, text.String(), "2026-01-18 | Hawk")
	require.NotEmpty(t, Table(list).Rows)
	// in the latency the same step goes up, which is for the worse
	list, _ = Of(points, []string{"latency_rings"})
	require.Equal(t, 17, list[0].Steps[0].At)
	require.Greater(t, list[0].Steps[0].Ratio, 1.0)
	require.True(t, list[0].Worse(list[0].Steps[0].Change))
	fall, ok, err := list[0].Against(Baseline{Date: points[9].Date})
	require.True(t, ok && err == nil && fall.Down && fall.Limit > 1 && fall.Ratio > fall.Limit)
}

// A step lists a changed condition that is a known cause of low figures, if the results record it.
func TestStepByCause(t *testing.T) {
	for want, change := range map[string]func(*rating.Environment){
		"/dev/shm 1 GiB → 64 MiB":           func(e *rating.Environment) { e.Nodes[0].Shm = 64 << 20 },
		"CPU quota (none) → 1.2 processors": func(e *rating.Environment) { e.Nodes[0].Quota = 1.2 },
		"OMPI_MCA_btl (none) → tcp,self": func(e *rating.Environment) {
			e.Variables = []rating.Variable{{Name: "OMPI_MCA_btl", Value: "tcp,self"}}
		},
		"no copies between processes (none) → ranks 0-3: not permitted": func(e *rating.Environment) {
			e.Conditions.NoCopy = &rating.SomeRanks{Count: 4, Ranks: "0-3", Why: "not permitted"}
		},
	} {
		points := nightly(30, falls(17))
		for i := range points {
			e := &rating.Environment{Conditions: &rating.Conditions{}, Nodes: []rating.NodeKind{{Ranks: "0-3",
				NodeFacts: rating.NodeFacts{Kernel: "5.14", Shm: 1 << 30}}}}
			if i >= 17 {
				change(e)
			}
			points[i].Facts = parts.Dependencies(&rating.Software{}, e)
		}
		list, _ := Of(points, nil)
		require.Equal(t, []string{want}, list[0].Steps[0].Changed)
		require.Equal(t, want, list[0].Steps[0].cause())
	}
}

// If results on one side of a step don't record their facts, the step doesn't list facts of the other side.
func TestNotRecorded(t *testing.T) {
	points := nightly(20, falls(10))
	for i := range points[:10] {
		points[i].Facts, points[i].Known = points[i].Facts[:1], false
	}
	list, _ := Of(points, nil)
	require.Len(t, list[0].Steps, 1)
	require.Empty(t, list[0].Steps[0].Changed)
	require.Contains(t, list[0].Steps[0].cause(), "not recorded")
}

// The newest result is judged by the results of one level, up to a date or a result. If these are few, their own
// intervals give the limit. After a fall, a result that is as good again as the baseline is not below it.
func TestBaseline(t *testing.T) {
	one := func(points []Point) *Series {
		list, _ := Of(points, nil)
		require.Len(t, list, 1)
		return list[0]
	}
	step := one(nightly(30, falls(20)))
	steady := one(nightly(30, func(int) float64 { return 5e9 }))
	again := one(nightly(30, func(i int) float64 { return 5e9 * (1 - 0.118*float64((i/10)%2)) }))
	first := step.Points[0].Date
	const undecided = "no result is newer than the baseline: more results are needed"
	for _, x := range []struct {
		s     *Series
		base  Baseline
		count int // of its results; 0: it has none
		down  bool
		err   string
	}{
		{step, Baseline{Date: first}, 1, true, ""}, {step, Baseline{Date: first.AddDate(0, 0, 25)}, 6, false, ""},
		{step, Baseline{Date: first.AddDate(0, 0, -1)}, 0, false, ""}, {step, Baseline{Result: idOf(3)}, 4, true, ""},
		{step, Baseline{Result: idOf(25)}, 6, false, ""}, {step, Baseline{Result: idOf(29)}, 0, false, undecided},
		{step, Baseline{Result: idOf(99)}, 0, false, ""}, {steady, Baseline{Date: first}, 1, false, ""},
		{steady, Baseline{Date: first.AddDate(0, 0, 28)}, 29, false, ""},
		{steady, Baseline{Date: first.AddDate(0, 0, 29)}, 0, false, undecided},
		{steady, Baseline{Result: idOf(3)}, 4, false, ""},
		{again, Baseline{Date: first.AddDate(0, 0, 9)}, 10, false, ""},
		{one(nightly(2, falls(1))), Baseline{Result: idOf(0)}, 1, true, ""},
		{one(nightly(2, func(int) float64 { return 1e9 })), Baseline{Result: idOf(0)}, 1, false, ""},
	} {
		f, ok, err := x.s.Against(x.base)
		if x.err != "" {
			require.EqualError(t, err, x.err)
			require.ErrorIs(t, err, ErrUndecided)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, x.count > 0, ok, "%+v", x.base)
		require.Equal(t, x.count, f.Count, "%+v", x.base)
		require.Equal(t, x.down, f.Down, "%+v %+v", x.base, f)
	}
	_, names, err := (&Gate{Baseline: Baseline{Date: first}}).Judge([]*Series{step, steady}, nil)
	require.NoError(t, err)
	require.Len(t, names, 1)
	notices, _, err := (&Gate{Baseline: Baseline{Date: first.AddDate(0, 0, -1)}}).Judge([]*Series{step, steady}, nil)
	require.EqualError(t, err, "no series has results of the baseline: more results are needed")
	require.Len(t, notices, 1)
	require.Equal(t, err.Error(), notices[0].Text)
}

// A fall of 60 % is found on its first night, even after a drift and noise of some percent. A baseline whose noise may
// halve a result judges nothing.
func TestFirstNight(t *testing.T) {
	for noise, want := range map[float64]bool{0.01: true, 0.1: true, 0.5: false} {
		random := rand.New(rand.NewPCG(9, 9))
		level := func(i int) float64 {
			x := 5e9 * (1 - 0.001*float64(i)) * math.Exp(noise*random.NormFloat64())
			if i == 10 {
				x *= 0.4
			}
			return x
		}
		points := nightly(11, level)
		list, _ := Of(points, nil)
		f, ok, err := list[0].Against(Baseline{Date: points[9].Date})
		require.True(t, ok)
		require.Equal(t, want, err == nil && f.Down, "%v: %+v %v", noise, f, err)
		if !want {
			require.ErrorIs(t, err, ErrUndecided)
			require.ErrorContains(t, err, "differ so much that")
		}
	}
}

// Results that aren't valid, or have other lengths, are neither judged nor used as a baseline.
func TestNotJudged(t *testing.T) {
	for want, change := range map[string]func(*Point){
		"r0 and r3 are not in one class: Lmax 1 MiB and 512 KiB": func(p *Point) { p.Longest = 512 << 10 },
		"r0 is NOT VALID": nil,
		"it is −50.0 %, and how much results differ isn't known: more results are needed": func(p *Point) {
			p.Figures = rating.Values{"b_eff": {Value: 5e8}}
		},
	} {
		points := nightly(4, func(int) float64 { return 1e9 })
		for i := range points {
			points[i].Figures["b_eff"] = rating.Value{Value: 1e9, Within: points[i].Within()}
			if points[i].Longest = 1 << 20; change == nil {
				points[i].Status = ranking.NotValid
			}
		}
		if change != nil {
			change(&points[3])
		}
		list, _ := Of(points, nil)
		require.Len(t, list, 1)
		notices, names, err := (&Gate{Baseline: Baseline{Result: idOf(0)}}).Judge(list, points)
		require.Empty(t, names)
		require.EqualError(t, err, "Hawk, 4 processes: b_eff: "+want)
		require.Contains(t, Document(list, 0, notices).Notices[0].Text, "can't be judged: "+want)
	}
}

// A gate judges the newest result, or reports that it can't. It doesn't judge an older result, or a result of another
// class, in its place.
func TestNewestIsJudged(t *testing.T) {
	ended := func(p []Point) { p[9].Status, p[9].Figures = ranking.Unverified, nil }
	for _, x := range []struct {
		change           func([]Point)
		ofResult, ofDate string
	}{
		{func(p []Point) { p[9].Status = ranking.NotValid }, "r9 is NOT VALID", "r9 is NOT VALID"},
		{ended, "r9 is UNVERIFIED", "r9 is UNVERIFIED"},
		{func(p []Point) { p[9].Longest = 16 << 20 }, "r0 and r9 are not in one class: Lmax 1 MiB and 16 MiB",
			"r0 and r9 are not in one class: Lmax 1 MiB and 16 MiB"},
	} {
		points := nightly(10, func(int) float64 { return 1e9 })
		for i := range points {
			points[i].Longest = 1 << 20
		}
		x.change(points)
		list, _ := Of(points, nil)
		for want, base := range map[string]Baseline{x.ofResult: {Result: idOf(2)}, x.ofDate: {Date: points[2].Date}} {
			_, names, err := (&Gate{Baseline: base}).Judge(list, points)
			require.Empty(t, names)
			require.EqualError(t, err, "Hawk, 4 processes: b_eff: "+want)
		}
	}
}

// A gate doesn't pass on an older night if tonight's result fell into another series: it names the file and what
// differs. A result that is older than the judged ones, or of another benchmark, doesn't matter.
func TestOutside(t *testing.T) {
	for _, x := range []struct {
		name   string
		change func(*Point)
		differ string // empty: the result doesn't matter
	}{
		{"processes", func(p *Point) { p.Processes = 8 }, "processes 4 → 8"},
		{"per node", func(p *Point) { p.PerNode = 2 }, "processes per node (none) → 2"},
		{"numbering", func(p *Point) { p.Numbering = "cyclic" }, "order of ranks (none) → cyclic"},
		{"library", func(p *Point) { p.LibraryName = "MPICH" }, "library Open MPI → MPICH"},
		{"class", func(p *Point) { p.Limited = 512 << 10 },
			"class b_eff, MPI, rules 2001, full Lmax → class Lmax = 512 KiB"},
		{"system", func(p *Point) { p.System.Name = "n7" }, "system Hawk → n7"},
		{"two", func(p *Point) { p.System.Name, p.Processes = "n7", 2 }, "system Hawk → n7, processes 4 → 2"},
		{"not valid", func(p *Point) { p.Processes, p.Status, p.Figures = 8, ranking.NotValid, nil },
			"processes 4 → 8"},
		{"not ended", func(p *Point) { p.Processes, p.UnderWay = 8, true }, "processes 4 → 8"},
		{"older", func(p *Point) { p.Processes, p.Date = 8, p.Date.AddDate(0, 0, -2) }, ""},
		{"benchmark", func(p *Point) { p.Benchmark, p.Figures = "b_eff_io", nil }, ""},
		{"no date", func(p *Point) { p.Processes, p.Date = 8, time.Time{} }, ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			points := nightly(11, func(int) float64 { return 5e9 })
			gate := Gate{Baseline: Baseline{Date: points[7].Date}}
			x.change(&points[10])
			list, alone := Of(points, nil)
			require.Equal(t, 1, alone)
			notices, names, err := gate.Judge(list, points)
			require.Empty(t, names)
			if x.differ == "" {
				require.NoError(t, err)
				require.Equal(t, document.Good, notices[0].Level)
				return
			}
			require.EqualError(t, err, "r10 is in no series of the baseline ("+x.differ+"): more results are needed")
			require.ErrorIs(t, err, ErrUndecided)
			require.Len(t, notices, 2)
			require.Equal(t, err.Error(), notices[0].Text, "it is on the first screen")
		})
	}
	// With two systems, a result is compared with the newest result of its own system's series.
	points := nightly(22, func(int) float64 { return 5e9 })
	for i := range points[11:] {
		points[11+i].System.Name, points[11+i].Date = "Dove", points[i].Date.Add(time.Hour)
	}
	gate := Gate{Baseline: Baseline{Date: points[18].Date}}
	list, _ := Of(points, nil)
	_, _, err := gate.Judge(list, points)
	require.NoError(t, err)
	points[10].Processes = 8
	list, _ = Of(points, nil)
	_, _, err = gate.Judge(list, points)
	require.ErrorContains(t, err, "r10 is in no series of the baseline (processes 4 → 8)")
}

// A missing night is found by the age of the newest result, whatever its figures. A fall of another series counts more.
func TestMaxAge(t *testing.T) {
	points := nightly(11, func(int) float64 { return 5e9 })
	gate := Gate{Baseline: Baseline{Date: points[7].Date}, MaxAge: 26 * time.Hour}
	list, _ := Of(points, nil)
	const old = "Hawk, 4 processes: b_eff: the newest result, r10, is from 2026-01-11 03:00 UTC, and none from the " +
		"last 26 h: more results are needed"
	for hours, want := range map[int]string{0: "", 6: "", 26: "", 27: old, 1000: old, -27: old} {
		gate.Now = points[10].Date.Add(time.Duration(hours) * time.Hour)
		_, names, err := gate.Judge(list, points)
		require.Empty(t, names)
		if want == "" {
			require.NoError(t, err, "%d hours", hours)
			continue
		}
		require.EqualError(t, err, want, "%d hours", hours)
		require.ErrorIs(t, err, ErrUndecided)
	}
	for i := range points { // as the dates of most other programs
		points[i].Date = words.LocalTime(points[i].Date)
	}
	list, _ = Of(points, nil)
	gate.Now = points[10].Date.Add(1000 * time.Hour)
	_, _, err := gate.Judge(list, points)
	require.ErrorContains(t, err, "is from 2026-01-11 03:00 local time, and none")
	fallen := nightly(11, falls(10))
	for i := range fallen {
		fallen[i].System.Name, fallen[i].Date = "Dove", fallen[i].Date.Add(1000*time.Hour)
	}
	gate.Date, gate.Now = fallen[7].Date, fallen[10].Date
	list, _ = Of(append(points[:8], fallen...), nil)
	notices, names, err := gate.Judge(list, fallen)
	require.ErrorIs(t, err, ErrUndecided)
	require.Len(t, names, 1)
	require.Equal(t, []document.Level{document.Bad, document.Warning},
		[]document.Level{notices[0].Level, notices[1].Level})
}

// Results of another library form another series, results of a new version of a library don't.
func TestLibraries(t *testing.T) {
	points := nightly(6, func(int) float64 { return 1e9 })
	for i := range points {
		points[i].Library = "Open MPI 4.1." + fmt.Sprint(i)
		if i%2 == 1 {
			points[i].LibraryName, points[i].Library = "MPICH", "MPICH 4.0.2"
		}
	}
	list, _ := Of(points, nil)
	require.Len(t, list, 2)
	require.Len(t, list[0].Points, 3)
	require.Len(t, list[1].Points, 3)
}

// Each class and size has its own series. Single results are counted, and results that aren't valid are left out unless
// fewer than two are valid.
func TestOf(t *testing.T) {
	points := nightly(6, func(int) float64 { return 1e9 })
	points[0].Processes, points[1].Rules = 8, "3.6"
	points[5].Status = ranking.NotValid
	list, alone := Of(points, nil)
	require.Equal(t, 2, alone)
	require.Len(t, list, 1)
	require.Len(t, list[0].Points, 3)
	require.Equal(t, 1, list[0].LeftOut)
	require.False(t, list[0].NotValid)
	for i := range points {
		points[i].Status = ranking.NotValid
	}
	list, _ = Of(points, nil)
	require.True(t, list[0].NotValid)
	require.Len(t, list[0].Points, 4)
	require.NoError(t, Document(list, 2, nil).Validate())
}

// At most one in a hundred series of pure noise has a step. More than 9 of 300 have one in one of 1,000 tests.
func TestNoise(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	wrong := 0
	for range 300 {
		points := nightly(20, func(int) float64 { return math.Exp(0.1 * random.ExpFloat64()) })
		if list, _ := Of(points, nil); len(list[0].Steps) > 0 {
			wrong++
		}
	}
	require.LessOrEqual(t, wrong, 9)
}

func TestArrow(t *testing.T) {
	for _, x := range [][3]string{{"Open MPI 4.1.4", "Open MPI 4.1.6", "Open MPI 4.1.4 → 4.1.6"},
		{"Open MPI 4", "MPICH 4", "Open MPI 4 → MPICH 4"}, {"", "tcp", "(none) → tcp"}, {"a b", "", "a b → (none)"},
		{"5.14", "6.1", "5.14 → 6.1"}, {"a b", "a b c", "a b → b c"}, {"a b c", "a b", "a b c → b"}} {
		require.Equal(t, x[2], arrow(x[0], x[1]))
	}
}

// The picture has a dot for each result, and a level that ends at a step. As plain text, both are aligned.
func TestPicture(t *testing.T) {
	list, _ := Of(nightly(40, falls(20)), nil)
	f := figure(1, list)
	fixture.RequireAllGood(t, "trend", []*document.Figure{f})
	require.Equal(t, []string{"level", "Open MPI"}, fixture.CurveNames(f))
	require.Equal(t, 40, fixture.CountLayers[chart.Whisker](f))
	require.Contains(t, f.Alt, " from 2026-01-01 to 2026-02-09. Lines: −11.8 ± 0.7 %.")
	lines := f.Drawing.(*chart.Chart).Lines()
	level, _, _ := strings.Cut(lines[0][len("Open MPI  "):], "  ")
	results, _, _ := strings.Cut(lines[1][len("Open MPI  "):], "  ")
	require.Equal(t, strings.Index(level, " "), strings.Index(results, " "))
	require.Len(t, []rune(level), 41)
	require.Len(t, []rune(results), 41)
}

// Results of several libraries are curves in one picture. Results of one day are drawn at their times, and a change of
// 1 % doesn't look like a jump.
func TestCurves(t *testing.T) {
	var points []Point
	for i, name := range []string{"Open MPI", "MPICH"} {
		for k := range 6 {
			p := nightly(6, func(k int) float64 { return (5 + float64(i)) * 1e9 * (1 + 0.002*float64(k%3)) })[k]
			p.LibraryName = name
			p.Date = time.Date(2026, 1, 1, 3, 15*i+75*k, 0, 0, time.UTC)
			points = append(points, p)
		}
	}
	list, _ := Of(points, nil)
	sections := Sections(list)
	require.Len(t, sections, 2)
	require.Len(t, sections[1].Blocks, 2, "its curve is in the picture of the other one")
	f := sections[0].Blocks[1].(*document.Figure)
	fixture.RequireAllGood(t, "curves", []*document.Figure{f})
	require.Equal(t, []string{"MPICH", "Open MPI"}, fixture.CurveNames(f))
	c := f.Drawing.(*chart.Chart)
	require.Equal(t, "b_eff in GB/s", c.Y.Label)
	require.Regexp(t, ` \d\d:\d\d$`, c.X.Ticks[0].Label)
	one, _ := Of(points[:6], nil)
	y := figure(1, one).Drawing.(*chart.Chart).Y
	require.GreaterOrEqual(t, y.Max-y.Min, 0.2*5e9)
}
