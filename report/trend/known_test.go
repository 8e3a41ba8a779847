package trend

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/ranking"
)

// exact returns a result for each value. halves are the logarithmic half widths of their intervals, used in turn.
// Without halves the values have no intervals.
func exact(values []float64, halves ...float64) []Point {
	points := nightly(len(values), func(int) float64 { return 1 })
	for i, x := range values {
		v := rating.Value{Value: x}
		if len(halves) > 0 {
			v.Within = rating.Around(x, halves[i%len(halves)], rating.ByRepetitions)
		}
		points[i].Figures = rating.Values{"b_eff": v}
	}
	return points
}

// series returns the only series of results.
func series(t *testing.T, points []Point) *Series {
	list, _ := Of(points, nil)
	require.Len(t, list, 1)
	return list[0]
}

// columns returns the heads of a table's columns, with * after the heads of numbers.
func columns(table *document.Table) (list []string) {
	for _, c := range table.Columns {
		name := strings.TrimSpace(c.Name + " " + c.Unit)
		if c.Numbers {
			name += "*"
		}
		list = append(list, name)
	}
	return list
}

// texts returns the cells of a row.
func texts(row []document.Cell) (list []string) {
	for _, c := range row {
		list = append(list, c.Text)
	}
	return list
}

// The limit of one or two results follows from their intervals. The limit of three or more follows from how much they
// differ, by Student's t for one more result.
func TestLimit(t *testing.T) {
	s := series(t, exact([]float64{1e9, 1.1e9, 9e8, 8e8}, 0.03, 0.05, 0.03, 0.04))
	const ninetyNine, of2 = 2.326348, 6.964557 // quantiles of the normal distribution and of t with 2 degrees
	own := func(halves ...float64) (sum float64) {
		for _, h := range halves {
			sum = math.Hypot(sum, h/1.959964)
		}
		return sum
	}
	between := 0.0
	mean := math.Log(1e9*1.1e9*9e8) / 3
	for _, x := range []float64{1e9, 1.1e9, 9e8} {
		between += math.Pow(math.Log(x)-mean, 2) / 2
	}
	for result, limit := range map[int]float64{0: -ninetyNine * own(0.03, 0.04),
		1: -ninetyNine * math.Hypot(own(0.04), math.Log(1.1)/2), 2: -of2 * math.Sqrt(between*(1+1./3))} {
		f, ok, err := s.Against(Baseline{Result: idOf(result)})
		require.True(t, ok)
		if result < 2 {
			require.NoError(t, err)
		}
		require.InEpsilon(t, math.Exp(limit), f.Limit, 1e-5, "%d", result)
	}
}

// A step is found in the middle of ten results, as the notes promise, but not of nine. A single result that differs is
// never a step.
func TestFewestForStep(t *testing.T) {
	for n, steps := range map[int]int{9: 0, 10: 1} {
		points := nightly(n, falls(n/2))
		require.Len(t, series(t, points).Steps, steps, "%d results", n)
	}
	require.Empty(t, series(t, nightly(400, falls(399))).Steps)
}

// Tables have each fact of a result in its column.
func TestTables(t *testing.T) {
	points := exact([]float64{5e9, 5.1e9, 5e9, 5.1e9, 5e9, 2.5e9, 2.4e9, 2.5e9, 2.4e9, 2.5e9}, 0.03)
	points[5].Figures["b_eff"] = rating.Value{Value: 2.5e9, Within: &rating.Interval{Low: 2e9, High: 2.6e9}}
	points[6].Figures["b_eff"] = rating.Value{Value: 2.5e9}
	points[5].Facts = []document.Fact{{Name: "library", Value: "Open MPI 4.1.6"}, {Name: "kernel", Value: "5.14"}}
	s := series(t, points)
	require.Len(t, s.Steps, 1)
	change := s.Steps[0].Percent()
	const library = "library Open MPI 4.1.4 → 4.1.6"

	all := s.table(7)
	require.True(t, all.Sortable)
	require.Equal(t, "results-7", all.ID)
	require.Equal(t, []string{"date", "b_eff MB/s*", "± %*", "step*", "library", "status", "file"}, columns(all))
	require.Equal(t, []string{"2026-01-05 03:00", "5000", "3", "", "Open MPI 4.1.4", "valid", "r4"}, texts(all.Rows[4]))
	require.Equal(t, []string{"2026-01-06 03:00", "2500", "20", change, "Open MPI 4.1.4", "valid", "r5"},
		texts(all.Rows[5]), "the larger side of the interval")
	require.Equal(t, "-", all.Rows[6][2].Text)
	require.True(t, all.Rows[5][3].Strong, "for the worse")

	steps := stepSection([]*Series{s}).Blocks[0].(*document.Table)
	require.True(t, steps.Sortable)
	require.Equal(t, []string{"date", "system", "processes*", "figure", "change*", "chance*", "what else changed"},
		columns(steps))
	require.InDelta(t, 2./252, s.Steps[0].Probability, 2e-4, "2 of the 252 orders of five and five differ as much")
	require.Equal(t, []string{"2026-01-06", "Hawk", "4", "b_eff", change, fmt.Sprintf("%.2g", s.Steps[0].Probability),
		library}, texts(steps.Rows[0]))

	rows := Table([]*Series{s})
	require.Equal(t, []string{"system", "class", "processes*", "figure", "unit", "date", "value*", "low*", "high*",
		"level*", "step*", "changed", "library", "status", "file"}, columns(rows))
	require.Len(t, rows.Rows, 10)
	require.Equal(t, []string{"Hawk", points[5].Class.String(), "4", "b_eff", "MB/s", "2026-01-06T03:00:00Z", "2500",
		"2000", "2600", fmt.Sprint(s.Levels[1].Value), fmt.Sprint(s.Steps[0].Ratio), library, "Open MPI 4.1.4", "valid",
		"r5"}, texts(rows.Rows[5]))
	require.Equal(t, []string{"", "", "", ""}, []string{rows.Rows[6][7].Text, rows.Rows[6][8].Text,
		rows.Rows[6][10].Text, rows.Rows[6][11].Text})
}

// The remark on a series counts the results that it leaves out. Its picture is labelled if no result is valid, or if a
// model computed them.
func TestRemarks(t *testing.T) {
	const left, one, none = " Left out: 1 result not valid for comparison.", " Only one is valid for comparison.",
		" None is valid for comparison."
	for valid, want := range map[int]string{5: "", 4: left, 1: one, 0: none} {
		points := nightly(5, func(int) float64 { return 1e9 })
		for i := range points[valid:] {
			points[valid+i].Status = ranking.NotValid
		}
		s := series(t, points)
		require.Equal(t, want, s.remark(), "%d valid", valid)
		require.Len(t, s.Points, map[int]int{5: 5, 4: 4, 1: 5, 0: 5}[valid])
		require.Equal(t, map[bool]string{true: parts.NotValid}[valid < 2], figure(1, []*Series{s}).Label)
	}
	points := nightly(5, func(int) float64 { return 1e9 })
	for i := range points {
		points[i].Engine = rating.Simulated
	}
	require.Equal(t, parts.OfModel, figure(1, []*Series{series(t, points)}).Label)
	for alone, want := range map[int]bool{0: false, 1: true} {
		d := Document([]*Series{series(t, points)}, alone, nil)
		notes := d.Sections[len(d.Sections)-1].Blocks[0].(document.List)
		require.Equal(t, want, strings.Contains(notes[len(notes)-1], "left out (1 result)"))
	}
}

// A step's label in a picture has 60 letters at most.
func TestLabel(t *testing.T) {
	x := Step{Change: Change{Ratio: 0.9}}
	require.Equal(t, "−10.0 %", x.label())
	for _, n := range []int{51, 52} { // after "−10.0 %, "
		x.Changed = []string{"library " + strings.Repeat("é", n)}
		label := []rune(x.label())
		require.Len(t, label, 60)
		require.Equal(t, n > 51, label[59] == '…')
	}
}

// The title names up to four systems, and the subtitle has the first day and the last one.
func TestNames(t *testing.T) {
	var list []*Series
	for i, want := range []string{"A", "A and B", "A, B and C", "A, B, C and D", "5 systems"} {
		points := nightly(3+i, func(int) float64 { return 1e9 })
		for k := range points {
			points[k].System.Name = string(rune('A' + i))
		}
		list = append(list, series(t, points), series(t, points))
		d := Document(list, 0, nil)
		require.Equal(t, "Trend of "+want, d.Title)
		require.Regexp(t, fmt.Sprintf("^2026-01-01 to 2026-01-0%d, ", 3+i), d.Subtitle)
	}
}

// A ratio of 1 is never a change for the worse, even for figures that are better when smaller.
func TestWorse(t *testing.T) {
	for _, less := range []bool{false, true} {
		s := &Series{Of: rating.Figure{Less: less}}
		require.Equal(t, []bool{!less, false, less}, []bool{s.Worse(Change{Ratio: 0.9}), s.Worse(Change{Ratio: 1}),
			s.Worse(Change{Ratio: 1.1})})
	}
}
