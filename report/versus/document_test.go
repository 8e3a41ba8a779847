package versus

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
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

// A comparison is as new as the newest of its results. Its first line names the aspects of the class that differ.
func TestOpening(t *testing.T) {
	old, middle := time.Date(2001, 4, 1, 0, 0, 0, 0, time.UTC), time.Date(2020, 4, 1, 0, 0, 0, 0, time.UTC)
	latest := time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)
	sides := []Side{{Name: "a", Fact: "here", Date: middle}, {Name: "b", Fact: "there", Date: latest},
		{Name: "c", Fact: "nowhere", Date: old}}
	d := opening("b_eff", sides)
	require.Equal(t, &document.Document{Title: "b_eff of a, b, c", Subtitle: "compared with a", Date: latest,
		Facts: []document.Fact{{Name: "a", Value: "here"}, {Name: "b", Value: "there"},
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

// The headline of three names the highest and the lowest.
func TestHeadlineOfMany(t *testing.T) {
	at := func(x, y float64) Difference {
		return Difference{Name: "b_eff", First: Sampled{Value: x},
			Second: Sampled{Value: y}}
	}
	h := headlineOfMany([]string{"a", "b", "c"}, []Difference{at(2e9, 4e9), at(2e9, 1e9)})
	require.Equal(t, document.Headline{Name: "The highest b_eff of 3: b", Value: "4.00", Unit: "GB/s",
		Note: "c has the lowest, 0.250 times that"}, h)
	require.Empty(t, headlineOfMany([]string{"a", "b", "c"}, []Difference{at(2e9, 4e9), at(2e9, 0)}))
}

// Behind each figure but the first stands its ratio to the first. Figures of which less is better have a table of their
// own, those that no result has none.
func TestSideBySide(t *testing.T) {
	rated := rating.Figure{Name: "b_eff", Unit: rating.Bandwidth, Rated: true}
	section := SideBySide([]string{"a", "b", "c"}, " More.", []Line{
		{rating.Figure{Name: "ping-pong", Unit: rating.Bandwidth}, []Sampled{{Value: 2e6}, {Value: 5e9}, {}}},
		{rating.Figure{Name: "latency", Unit: rating.Latency, Less: true}, []Sampled{{Value: 2e-6}, {Value: 3e-6}, {}}},
		{rated, []Sampled{{Value: 2345.6e6, Deviation: 0.06, Degrees: normal}, {Value: 4691.2e6}, {}}},
		{rated, []Sampled{{}, {}, {}}}})
	require.Len(t, section.Blocks, 2)
	table, less := section.Blocks[0].(*document.Table), section.Blocks[1].(*document.Table)
	require.Equal(t, "Ratios are to a. Larger is better. More.", table.Caption)
	require.Equal(t, []document.Column{{Name: "figure"}, {Name: "a", Numbers: true}, {Name: "b", Numbers: true},
		{Name: "ratio", Numbers: true}, {Name: "c", Numbers: true}, {Name: "ratio", Numbers: true}}, table.Columns)
	require.Len(t, table.Rows, 2)
	require.Equal(t, []string{"ping-pong, MB/s", "2.000", "5000", "2500", "-", "-"}, texts(table.Rows[0]))
	requireValues(t, []float64{none, 2, 5000, 2500, none, none}, table.Rows[0])
	require.Equal(t, []string{"b_eff, MB/s", "2350", "4690", "2.000", "-", "-"}, texts(table.Rows[1]))
	require.Equal(t, 3, table.Rows[1][1].Digits) // as they bear in another unit
	require.Equal(t, "Ratios are to a. Smaller is better.", less.Caption)
	require.Equal(t, [][]string{{"latency, µs", "2.000", "3.000", "1.500", "-", "-"}}, [][]string{texts(less.Rows[0])})
}

func TestClosing(t *testing.T) {
	figures := []*document.Figure{{ID: "one"}, {ID: "two"}}
	list := closing(figures, []string{"so"})
	require.Len(t, list, 2)
	require.Equal(t, []document.Block{figures[0], figures[1]}, list[0].Blocks)
	require.Equal(t, []document.Block{document.List{"so"}}, list[1].Blocks)
	require.Equal(t, list[1:], closing(nil, []string{"so"}))
}

// The row of an area has bandwidths in MB/s, their ratio, and the interval where it is known.
func TestDifferences(t *testing.T) {
	behind := document.Paragraph("behind")
	spread := func(value, deviation float64) Sampled { return Sampled{Value: value, Deviation: deviation, Degrees: 2} }
	list := []Difference{
		{"all", spread(100e6, 0), spread(150e6, 0.01), true},
		{"rings", spread(100e6, 0), spread(150e6, 0.1), false},
		{"randoms", spread(3e6, 0), Sampled{Value: 2e6}, false},
	}
	section := Differences(2, "a", "b", "Bandwidths", list, "nothing", behind)
	require.Equal(t, "b against a", section.Title)
	require.Equal(t, "differences-2", section.ID)
	table := section.Blocks[0].(*document.Table)
	require.Equal(t, "areas-2", table.ID)
	require.Equal(t, []document.Column{{Name: "area"}, {Name: "a", Unit: "MB/s", Numbers: true},
		{Name: "b", Unit: "MB/s", Numbers: true}, {Name: "ratio", Numbers: true},
		{Name: "95 % from", Numbers: true}, {Name: "95 % to", Numbers: true},
		{Name: "significant"}}, table.Columns)
	// Figures have the digits that their own intervals bear: ± 0, 4 and 54 %, not known.
	require.Equal(t, []string{"all", "100.0", "150.0", "1.500", "1.437", "1.566", "yes"}, texts(table.Rows[0]))
	require.Equal(t, []string{"rings", "100.0", "150", "1.500", "0.976", "2.306", "no"}, texts(table.Rows[1]))
	require.Equal(t, []string{"randoms", "3.000", "2.00", "0.667", "-", "-", "not known"}, texts(table.Rows[2]))
	require.True(t, table.Rows[0][6].Strong)
	require.False(t, table.Rows[1][6].Strong)
	require.Equal(t, []document.Block{table, document.Paragraph(list[0].Detectable()), behind}, section.Blocks)
	require.Contains(t, list[0].Detectable(), "Differences of all below 5.5 %")

	unknown := Differences(1, "a", "b", "Bandwidths", list[2:], "nothing").Blocks
	require.Len(t, unknown, 1)
	require.Len(t, unknown[0].(*document.Table).Columns, 4)
	require.Equal(t, "Bandwidths and their ratio. The spread isn't known.", unknown[0].(*document.Table).Caption)

	section = Differences(1, "a", "b", "Bandwidths", nil, "nothing", behind)
	require.Equal(t, []document.Block{document.Paragraph("nothing")}, section.Blocks)
}

// Parts are explained if the difference isn't noise.
func TestGap(t *testing.T) {
	explained := document.Paragraph("so")
	section := Gap(3, "a", "b", between(1.1, 1.01), explained)
	require.Equal(t, "gap-3", section.ID)
	require.Equal(t, "What drives the gap of b to a", section.Title)
	require.Equal(t, []document.Block{explained}, section.Blocks)
	plain := func(ratio float64) Difference {
		return Difference{Name: "b_eff", First: Sampled{Value: 1}, Second: Sampled{Value: ratio}}
	}
	for text, d := range map[string]Difference{
		"No gap to explain: both are the same.": plain(1),
		"No gap to explain: the ratio of speed, 1.010, can't be told from 1 (95 % interval 0.990 to 1.030).": between(
			1.01,
			1.02),
		"No gap to explain: the ratio of b_eff, 0.997, is within 2 % of 1, and its spread isn't known.": plain(0.997),
	} {
		require.Equal(t, []document.Block{document.Paragraph(text)}, Gap(3, "a", "b", d, explained).Blocks)
	}
}

// The parts that have no row of their own are summed up in one, and all in the footer.
func TestPartsTable(t *testing.T) {
	list := []Part{{"x", 1, 75}, {"y", 1, 50.123}, {"z", 1, -50}, {"u", 1, 24.9}}
	table := PartsTable("parts", "All parts.", list, 2)
	require.Equal(t, []document.Column{{Name: "part"},
		{Name: "contribution", Unit: "percentage points", Numbers: true}}, table.Columns)
	require.Len(t, table.Rows, 3)
	require.Equal(t, []string{"x", "+75.00"}, texts(table.Rows[0]))
	require.Equal(t, []string{"y", "+50.12"}, texts(table.Rows[1]))
	require.Equal(t, []string{"all 2 others", "-25.10"}, texts(table.Rows[2]))
	require.Equal(t, []string{"all", "+100.02"}, texts(table.Footer))
	requireValues(t, []float64{none, 100.023}, table.Footer)
	for _, most := range []int{4, 5} {
		table = PartsTable("parts", "All parts.", list, most)
		require.Len(t, table.Rows, 4, "nothing is left over")
		require.Equal(t, []string{"all", "+100.02"}, texts(table.Footer))
	}
	require.Equal(t, "0.00", PartsTable("parts", "", []Part{{"x", 0, -1e-9}}, 1).Rows[0][1].Text)
}
