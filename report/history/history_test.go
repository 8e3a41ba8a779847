package history

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/ranking"
)

// nightly returns results of a system on n days, whose ratings are the level of the day with a noise of 1 %.
func nightly(n int, level func(i int) float64) []Point {
	random := rand.New(rand.NewPCG(5, uint64(n)))
	var list []Point
	for i := range n {
		x := level(i) * (1 + 0.01*random.NormFloat64())
		p := Point{Entry: ranking.Entry{Class: ranking.Class{Benchmark: "b_eff", Rules: "2001"}, Processes: 4,
			Rating:  x,
			Latency: 1e3 / x, Date: time.Date(2026, 1, 1+i, 3, 0, 0, 0, time.UTC), File: fmt.Sprint("r", i),
			Within: rating.Around(x, 0.02, rating.ByBlocks), Library: "Open MPI 4.1.4"},
			Facts: []document.Fact{{Name: "library", Value: "Open MPI 4.1.4"}, {Name: "kernel", Value: "5.14"}},
			Known: true}
		p.System.Name = "Hawk"
		list = append(list, p)
	}
	return list
}

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
	d := Document(list, 0, &Baseline{Date: points[3].Date})
	require.NoError(t, d.Validate())
	require.Contains(t, d.Notices[0].Text, "Hawk, 4 processes: b_eff is below the baseline: −1")
	var text bytes.Buffer
	require.NoError(t, document.PlainText(&text, d))
	require.Contains(t, text.String(), "2026-01-18 | Hawk")
	require.NotEmpty(t, Table(list).Rows)
	// of the latency the same step is one up, which is for the worse
	list, _ = Of(points, []string{"latency"})
	require.Equal(t, 17, list[0].Steps[0].At)
	require.Greater(t, list[0].Steps[0].Ratio, 1.0)
	require.True(t, list[0].Worse(list[0].Steps[0].Change))
	require.True(t, list[0].Down(list[0].Steps[0].Change))
}

// Where results don't say what they depend on, nothing is named that only one side knows.
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

// Below a baseline is what is surely below, of a date as of a file; with few results by their own intervals.
func TestBaseline(t *testing.T) {
	one := func(points []Point) *Series {
		list, _ := Of(points, nil)
		require.Len(t, list, 1)
		return list[0]
	}
	step := one(nightly(30, falls(20)))
	steady := one(nightly(30, func(int) float64 { return 5e9 }))
	first := step.Points[0].Date
	for _, x := range []struct {
		s    *Series
		base Baseline
		ok   bool
		down bool
	}{
		{step, Baseline{Date: first}, true, true}, {step, Baseline{Date: first.AddDate(0, 0, 25)}, true, false},
		{step, Baseline{Date: first.AddDate(0, 0, -1)}, false, false}, {step, Baseline{File: "r3"}, true, true},
		{step, Baseline{File: "r25"}, true, false}, {step, Baseline{File: "r29"}, false, false},
		{step, Baseline{File: "other"}, false, false}, {steady, Baseline{Date: first}, true, false},
		{steady, Baseline{File: "r3"}, true, false},
		{one(nightly(2, falls(1))), Baseline{File: "r0"}, true, true},
		{one(nightly(2, func(int) float64 { return 1e9 })), Baseline{File: "r0"}, true, false},
	} {
		c, ok := x.s.Against(x.base)
		require.Equal(t, x.ok, ok, "%+v", x.base)
		require.Equal(t, x.down, ok && x.s.Down(c), "%+v %+v", x.base, c)
	}
	names, of := Below([]*Series{step, steady}, Baseline{Date: first})
	require.Len(t, names, 1)
	require.Equal(t, 2, of)
}

// Classes and sizes are apart, results without another one are counted, and valid ones come before the others.
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

// Of series of pure noise at most one in a hundred has a step: of 300 more than 9 in one of 1000 tests.
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
		{"5.14", "6.1", "5.14 → 6.1"}} {
		require.Equal(t, x[2], arrow(x[0], x[1]))
	}
}
