package versus

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/document"
)

// texts returns the texts of cells.
func texts(cells []document.Cell) (list []string) {
	for _, c := range cells {
		list = append(list, c.Text)
	}
	return list
}

// values returns the numbers of cells; NaN for those without one.
func values(cells []document.Cell) (list []float64) {
	for _, c := range cells {
		x := math.NaN()
		if c.Value != nil {
			x = *c.Value
		}
		list = append(list, x)
	}
	return list
}

func requireValues(t *testing.T, want []float64, cells []document.Cell) {
	t.Helper()
	have := values(cells)
	require.Len(t, have, len(want))
	for i, x := range want {
		if math.IsNaN(x) {
			require.True(t, math.IsNaN(have[i]), "cell %d", i)
		} else {
			require.InEpsilon(t, x, have[i], 1e-12, "cell %d", i)
		}
	}
}

var none = math.NaN()

// A comparison is as new as the newest of its results.
func TestOpening(t *testing.T) {
	old, middle := time.Date(2001, 4, 1, 0, 0, 0, 0, time.UTC), time.Date(2020, 4, 1, 0, 0, 0, 0, time.UTC)
	latest := time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)
	notices := []document.Notice{{Text: "any"}}
	d := Opening("b_eff", []Side{{"a", "here", middle}, {"b", "there", latest}, {"c", "nowhere", old}}, notices)
	require.Equal(t, &document.Document{Title: "b_eff of a, b, c", Subtitle: "compared with a", Date: latest,
		Notices: notices, Facts: []document.Fact{{Name: "a", Value: "here"}, {Name: "b", Value: "there"},
			{Name: "c", Value: "nowhere"}}}, d)
}

// A notice names every result's value of an aspect, where they are not all the same.
func TestDiffering(t *testing.T) {
	values := []string{"x", "x", "y"}
	aspects := []Aspect{
		{document.Bad, "same", func(int) string { return "1" }, "none"},
		{document.Warning, "letters", func(i int) string { return values[i] }, "take one"},
	}
	require.Equal(t, []document.Notice{{Level: document.Warning, Text: "the letters differ: a x, b x, c y",
		Remedy: "take one"}}, Differing([]string{"a", "b", "c"}, aspects))
	require.Empty(t, Differing([]string{"a", "b"}, aspects))
}

func TestNotValid(t *testing.T) {
	list := NotValid([]string{"a", "b", "c"}, func(i int) bool { return i == 1 })
	require.Len(t, list, 2)
	require.Equal(t, "a is NOT VALID for comparison", list[0].Text)
	require.Equal(t, "c is NOT VALID for comparison", list[1].Text)
	require.Equal(t, document.Bad, list[1].Level)
}

// Behind each figure but the first stands its ratio to the first.
func TestSideBySide(t *testing.T) {
	table := NewSideBySide("More.", []string{"a", "b", "c"})
	require.Equal(t, "Ratios are to a. More.", table.Caption)
	require.Equal(t, []document.Column{{Name: "figure"}, {Name: "a", Numbers: true}, {Name: "b", Numbers: true},
		{Name: "ratio", Numbers: true}, {Name: "c", Numbers: true}, {Name: "ratio", Numbers: true}}, table.Columns)
	table.Add("b_eff", 1e6, []float64{2e6, 5e9, 0})
	require.Equal(t, [][]string{{"b_eff", "2.000", "5000", "2500.000", "-", "-"}}, [][]string{texts(table.Rows[0])})
	requireValues(t, []float64{none, 2, 5000, 2500, none, none}, table.Rows[0])
	section := table.Section()
	require.Equal(t, []document.Block{table.Table}, section.Blocks)
}

func TestClosing(t *testing.T) {
	figures := []*document.Figure{{ID: "one"}, {ID: "two"}}
	list := Closing(figures, []string{"so"})
	require.Len(t, list, 2)
	require.Equal(t, []document.Block{figures[0], figures[1]}, list[0].Blocks)
	require.Equal(t, []document.Block{document.List{"so"}}, list[1].Blocks)
	require.Equal(t, list[1:], Closing(nil, []string{"so"}))
}

// The row of an area has bandwidths in MB/s, their ratio, and the interval where it is known.
func TestDifferences(t *testing.T) {
	behind := document.Paragraph("behind")
	section := Differences(2, "a", "b", "Bandwidths.", []Difference{
		{"all", 100e6, 150e6, Interval{1.25, 1.75, true}},
		{"rings", 100e6, 150e6, Interval{0.5, 1.75, true}},
		{"randoms", 3e6, 2e6, Interval{}},
	}, "nothing", behind)
	require.Equal(t, "b against a", section.Title)
	require.Equal(t, "differences-2", section.ID)
	table := section.Blocks[0].(*document.Table)
	require.Equal(t, "areas-2", table.ID)
	require.Equal(t, []document.Column{{Name: "area"}, {Name: "a", Unit: "MB/s", Numbers: true},
		{Name: "b", Unit: "MB/s", Numbers: true}, {Name: "ratio", Numbers: true},
		{Name: "interval low", Numbers: true}, {Name: "interval high", Numbers: true},
		{Name: "larger than spread"}}, table.Columns)
	require.Equal(t, []string{"all", "100.0", "150.0", "1.500", "1.250", "1.750", "yes"}, texts(table.Rows[0]))
	require.Equal(t, []string{"rings", "100.0", "150.0", "1.500", "0.500", "1.750", "no"}, texts(table.Rows[1]))
	require.Equal(t, []string{"randoms", "3.000", "2.000", "0.667", "-", "-", "not known"}, texts(table.Rows[2]))
	requireValues(t, []float64{none, 100, 150, 1.5, 1.25, 1.75, none}, table.Rows[0])
	require.True(t, table.Rows[0][6].Strong)
	require.False(t, table.Rows[1][6].Strong)
	require.Equal(t, []document.Block{table, behind}, section.Blocks)

	section = Differences(1, "a", "b", "Bandwidths.", nil, "nothing", behind)
	require.Equal(t, []document.Block{document.Paragraph("nothing")}, section.Blocks)
}

// Parts are explained if there is a difference.
func TestGap(t *testing.T) {
	explained := document.Paragraph("so")
	section := Gap(3, "a", "b", []Part{{"x", 1, 1}}, explained)
	require.Equal(t, "gap-3", section.ID)
	require.Equal(t, "What drives the gap of b to a", section.Title)
	require.Equal(t, []document.Block{explained}, section.Blocks)
	for _, nothing := range [][]Part{nil, {{"x", 0, math.NaN()}}} {
		require.Equal(t, []document.Block{document.Paragraph("There is no difference.")},
			Gap(3, "a", "b", nothing, explained).Blocks)
	}
}

// The parts that have no row of their own are summed up in one, and all in the footer. A factor is e to the part.
func TestPartsTable(t *testing.T) {
	list := []Part{{"x", math.Log(4), 0.75}, {"y", math.Log(2), 0.5}, {"z", -math.Log(8), -0.5},
		{"u", math.Log(3), 0.25}}
	table := PartsTable("parts", "All parts.", list, 2)
	require.Equal(t, []document.Column{{Name: "part"}, {Name: "factor", Numbers: true},
		{Name: "share", Unit: "%", Numbers: true}}, table.Columns)
	require.Len(t, table.Rows, 3)
	require.Equal(t, []string{"x", "4.0000", "75.0"}, texts(table.Rows[0]))
	require.Equal(t, []string{"y", "2.0000", "50.0"}, texts(table.Rows[1]))
	require.Equal(t, []string{"all 2 others", "0.3750", "-25.0"}, texts(table.Rows[2]))
	require.Equal(t, []string{"sum", "3.0000", "100.0"}, texts(table.Footer))
	requireValues(t, []float64{none, 3. / 8, -25}, table.Rows[2])
	requireValues(t, []float64{none, 3, 100}, table.Footer)
	for _, most := range []int{4, 5} {
		table = PartsTable("parts", "All parts.", list, most)
		require.Len(t, table.Rows, 4, "nothing is left over")
		require.Equal(t, []string{"sum", "3.0000", "100.0"}, texts(table.Footer))
	}
}

// A number has four digits, or all digits before its point.
func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{0.0126: "0.013", 1: "1.000", 9.9994: "9.999", 10: "10.00", 99.99: "99.99",
		100: "100.0", 999.9: "999.9", 1000: "1000", 9999: "9999", 10000: "10000", 123456: "123456", 0: "-"} {
		require.Equal(t, want, Number(x).Text)
	}
	for _, x := range []float64{0, math.NaN(), math.Inf(1), math.Inf(-1)} {
		require.Equal(t, document.Text("-"), Fixed(x, 3), "%v", x)
	}
	require.Equal(t, "-0.25", Fixed(-0.25, 2).Text)
}
