package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
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

// result is a result of a benchmark that exists in tests alone.
type result struct {
	rating.Identity
	rating.Machine
	rating.Software
	rating.Period
	rating.Circumstances
	value    float64
	imported string
	verdict  *rating.Verdict
}

// of returns a result of a value.
func of(value float64, started time.Time) *result {
	r := &result{value: value, verdict: &rating.Verdict{Valid: true}}
	r.Started = started
	r.System = &rating.System{Name: "here"}
	return r
}

// kind compares such results by their value.
func kind(sides ...*result) Kind[result] {
	return Kind[result]{Title: "b", Each: "area", Shown: "Values", Nothing: "none",
		Figures: rating.Figures[result]{{
			Figure: rating.Figure{Key: "b", Name: "b", Unit: rating.Bandwidth, Rated: true},
			Of:     func(r *result) rating.Value { return rating.Value{Value: r.value} }}},
		Header: func(r *result) parts.Header {
			return parts.Header{Identity: &r.Identity, Machine: &r.Machine, Software: &r.Software, Period: &r.Period,
				Circumstances: &r.Circumstances, Imported: r.imported, Verdict: r.verdict}
		},
		Fact: func(*result) string { return "" },
		Against: func(i int) Pair {
			return Pair{Main: Difference{Name: "b", First: Sampled{Value: sides[0].value},
				Second: Sampled{Value: sides[i].value}}}
		},
		Pictures: func([]Pair) []*document.Figure { return nil }}
}

func compared(t *testing.T, k func(...*result) Kind[result], list ...*result) *document.Document {
	t.Helper()
	var sides [][]*result
	for _, r := range list {
		sides = append(sides, []*result{r})
	}
	c, err := k(list...).Compare([]string{"a", "b", "c"}[:len(list)], sides)
	require.NoError(t, err)
	require.NoError(t, c.Document.Validate())
	return c.Document
}

// Sides say their dates. The comparison itself has one where that is the day of all.
func TestOpening(t *testing.T) {
	old, middle := time.Date(2001, 4, 1, 0, 0, 0, 0, time.UTC), time.Date(2020, 4, 1, 0, 0, 0, 0, time.UTC)
	latest := time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)
	last := of(3e9, old)
	last.imported, last.verdict = "x.txt", nil
	d := compared(t, kind, of(1e9, middle), of(2e9, latest), last)
	require.Equal(t, []any{"b of a, b, c", "b and c compared with a", time.Time{}}, []any{d.Title, d.Subtitle, d.Date})
	later := latest.Add(3 * time.Hour)
	require.Equal(t, later, compared(t, kind, of(1e9, latest), of(2e9, later)).Date)
	require.Equal(t, []document.Fact{{Name: "a", Value: "1.00 GB/s (± not known); valid; here, 2020-04-01"},
		{Name: "b", Value: "2.00 GB/s (± not known); valid; here, 2026-04-01"},
		{Name: "c", Value: "here, 2001-04-01, imported from x.txt"}}, d.Facts)
	_, err := kind().Compare([]string{"a"}, [][]*result{{last}})
	require.Error(t, err)
}

// The first table says who is compared: what a run found wins over what is stated, and a difference between them is
// said.
func TestSystems(t *testing.T) {
	a, b := of(1e9, time.Time{}), of(2e9, time.Time{})
	a.System = &rating.System{Name: "A", Vendor: "M", Processor: "CPU X", Memory: 64, Interconnect: "Net", Rmax: 2.5}
	b.System = &rating.System{Name: "B", Vendor: "M", Processor: "CPU Z", Memory: 64, Nodes: 8}
	a.Host.CPU, b.Host.CPU = "Maker CPU X 64-Core", "Maker CPU Y"
	a.Host.Memory, b.Host.Memory = 62<<30, 30<<30
	d := compared(t, kind, a, b)
	require.Equal(t, "who", d.Sections[0].ID)
	have := map[string][]string{}
	for _, row := range d.Sections[0].Blocks[0].(*document.Table).Rows {
		have[row[0].Text] = texts(row[1:])
	}
	require.Equal(t, map[string][]string{"system": {"A", "B", "different"}, "vendor": {"M", "M", "equal"},
		"processor":        {"Maker CPU X 64-Core", "Maker CPU Y (stated: CPU Z)", "different"},
		"nodes":            {"", "8 (stated)", "not known of all"},
		"memory of a node": {"62 GiB", "30 GiB (stated: 64 GiB)", "different"},
		"network":          {"Net (stated)", "", "not known of all"},
		"Rmax":             {"2.5 TFlop/s", "", "not known of all"}}, have)
}

// A notice names every result's value of an aspect, where they are not all the same.
func TestDiffering(t *testing.T) {
	a, b, c := of(1, time.Time{}), of(1, time.Time{}), of(2, time.Time{})
	with := func(list ...*result) Kind[result] {
		k := kind(list...)
		k.Aspects = []Aspect[result]{
			{document.Bad, "same", func(*result) string { return "1" }, "none"},
			{document.Warning, "letters", func(r *result) string { return fmt.Sprint(r.value) }, "take one"},
		}
		return k
	}
	require.Equal(t, []document.Notice{{Level: document.Warning, Text: "the letters differ: a 1, b 1, c 2",
		Remedy: "take one"}}, compared(t, with, a, b, c).Notices)
	require.Empty(t, compared(t, with, a, b).Notices)
	b.imported, b.Engine.Engine = "x", "local"
	list := compared(t, with, a, b).Notices
	require.Len(t, list, 2)
	require.Equal(t, document.Bad, list[0].Level)
	require.Equal(t, "the origins differ: a measured, b imported", list[1].Text)
}

// The headline of three names the highest and the lowest: of ratings the number, of speeds how many times the lowest.
func TestHeadlineOfMany(t *testing.T) {
	at := func(name string, x, y float64) Pair {
		return Pair{Main: Difference{Name: name, First: Sampled{Value: x}, Second: Sampled{Value: y}}}
	}
	of := func(pairs ...Pair) document.Headline {
		p := page{sides: []Side{{Name: "a"}, {Name: "b"}, {Name: "c"}}, pairs: pairs}
		return p.headline()
	}
	require.Equal(t, document.Headline{Name: "The highest b_eff of 3: b", Value: "4.00", Unit: "GB/s",
		Note: "c has the lowest, 0.250 times the highest"}, of(at("b_eff", 2e9, 4e9), at("b_eff", 2e9, 1e9)))
	require.Empty(t, of(at("b_eff", 2e9, 4e9), at("b_eff", 2e9, 0)))
	// Speeds of two sides are of the rows that both have, so that the first one's may differ.
	require.Equal(t, document.Headline{Name: "The highest speed of 3: b", Value: "4.000", Unit: "times as fast as c",
		Note: "a is 2.000 times as fast as c"}, of(at(Speed, 2e9, 4e9), at(Speed, 8e9, 4e9)))
	require.Empty(t, of(at(Speed, 2e9, 4e9), at("b_eff", 2e9, 1e9)))
	without := page{sides: []Side{{Name: "a"}, {Name: "b"}, {Name: "c"}},
		pairs: []Pair{at("b_eff", 2e9, 4e9), at("b_eff", 2e9, 0)}}
	require.Equal(t, "Not all sides have a b_eff", without.verdict(&document.Document{}))
	require.Empty(t, parts.Sentence(""))
}

// Behind each figure but the first stands its ratio to the first. Figures of which less is better have a table of their
// own, those that no result has none.
func TestSideBySide(t *testing.T) {
	rated := rating.Figure{Name: "b_eff", Unit: rating.Bandwidth, Rated: true}
	section := sideBySide([]string{"a", "b", "c"}, []figureLine{
		{rating.Figure{Name: "ping-pong", Unit: rating.Bandwidth}, []Sampled{{Value: 2e6}, {Value: 5e9}, {}}},
		{rating.Figure{Name: "latency", Unit: rating.Latency, Less: true}, []Sampled{{Value: 2e-6}, {Value: 3e-6}, {}}},
		{rated, []Sampled{{Value: 2345.6e6, Deviation: 0.06, Degrees: rating.Normal}, {Value: 4691.2e6}, {}}},
		{rated, []Sampled{{}, {}, {}}}})
	require.Len(t, section.Blocks, 2)
	table, less := section.Blocks[0].(*document.Table), section.Blocks[1].(*document.Table)
	require.Equal(t, "Ratios are relative to a, before rounding. Larger is better.", table.Caption)
	require.Equal(t, []document.Column{{Name: "figure"}, {Name: "a", Numbers: true}, {Name: "b", Numbers: true},
		{Name: "ratio", Numbers: true}, {Name: "c", Numbers: true}, {Name: "ratio", Numbers: true}}, table.Columns)
	require.Len(t, table.Rows, 2)
	require.Equal(t, []string{"ping-pong, MB/s", "2.000", "5000", "2500", "-", "-"}, texts(table.Rows[0]))
	requireValues(t, []float64{none, 2, 5000, 2500, none, none}, table.Rows[0])
	require.Equal(t, []string{"b_eff, MB/s", "2300", "4690", "2.000", "-", "-"}, texts(table.Rows[1]))
	require.Equal(t, 2, table.Rows[1][1].Digits) // as they bear in another unit
	require.Equal(t, "Ratios are relative to a, before rounding. Smaller is better.", less.Caption)
	require.Equal(t, [][]string{{"latency, µs", "2.000", "3.000", "1.500", "-", "-"}}, [][]string{texts(less.Rows[0])})

	// Where an interval is known it stands behind the ratio, which is in bold unless it may be 1.
	spread := func(value, deviation float64) Sampled {
		return Sampled{Value: value, Deviation: deviation, Degrees: rating.Normal}
	}
	lines := []figureLine{{rated, []Sampled{spread(1e9, 0.03), spread(2e9, 0.04), spread(1.05e9, 0.04)}},
		{rated, []Sampled{{Value: 1e9}, {}, {}}}}
	table = sideBySide([]string{"a", "b", "c"}, lines).Blocks[0].(*document.Table)
	require.Equal(t, "Ratios are relative to a, before rounding, each with its 95 % interval. Larger is better.",
		table.Caption)
	require.Equal(t, []string{"b_eff, GB/s", "1.00", "2.00", "2.000", "1.813 to 2.206", "1.05", "1.050",
		"0.952 to 1.158"},
		texts(table.Rows[0]))
	require.Equal(t, []bool{true, false}, []bool{table.Rows[0][3].Strong, table.Rows[0][6].Strong})
	require.Equal(t, []string{"-", "-"}, texts(table.Rows[1][3:5]))

	// With more sides the table has fewer columns, so that it fits on a page.
	for n, want := range map[int][]string{6: {"b_eff, GB/s", "1.00", "2.00", "2.000", "1.05", "1.050", "3.00", "3.000",
		"3.00", "3.000", "3.00", "3.000"}, 7: {"b_eff, GB/s", "1.00", "2.000", "1.050", "3.000", "3.000", "3.000",
		"3.000"}} {
		line := figureLine{rated, slices.Concat(lines[0].sides, slices.Repeat([]Sampled{{Value: 3e9}}, n-3))}
		table = sideBySide(strings.Split("abcdefg"[:n], ""), []figureLine{line}).Blocks[0].(*document.Table)
		require.Equal(t, want, texts(table.Rows[0]))
		require.Contains(t, table.Caption, ", in bold if its 95 % interval excludes 1. Larger is better.")
	}
}

// page2 returns a page of the pair of two sides.
func page2(pair Pair) *page {
	pair.Name = "b"
	return &page{each: "area", shown: "Bandwidths", nothing: "nothing", sides: []Side{{Name: "a"}, {Name: "b"}},
		pairs: []Pair{pair}}
}

// The row of an area has bandwidths in MB/s, their ratio, and the interval where it is known.
func TestDifferences(t *testing.T) {
	behind := document.Paragraph("behind")
	spread := func(value, deviation float64) Sampled { return Sampled{Value: value, Deviation: deviation, Degrees: 2} }
	rows := []Row{
		OfBandwidth("all", spread(100e6, 0), spread(150e6, 0.01)),
		OfBandwidth("rings", spread(100e6, 0), spread(150e6, 0.1)),
		OfBandwidth("randoms", spread(3e6, 0), Sampled{Value: 2e6}),
	}
	rows[0].Significant = true
	p := page2(Pair{Groups: Ungrouped(append(rows, OfBandwidth("none", Sampled{}, Sampled{Value: 1}))),
		Remarks: []document.Block{behind}})
	section := p.differences(0)
	require.Equal(t, "b against a", section.Title)
	require.Equal(t, "differences-1", section.ID)
	require.Empty(t, p.lengths(0).Blocks)
	table := section.Blocks[0].(*document.Table)
	require.Equal(t, "areas-1", table.ID)
	require.Equal(t, []document.Column{{Name: "area"}, {Name: "a", Unit: "MB/s", Numbers: true},
		{Name: "b", Unit: "MB/s", Numbers: true}, {Name: "ratio", Numbers: true},
		{Name: "95 % from", Numbers: true}, {Name: "95 % to", Numbers: true},
		{Name: "significant"}}, table.Columns)
	// Figures have the digits that their own intervals bear: ± 0, 4 and 54 %, not known.
	require.Len(t, table.Rows, 3)
	require.Equal(t, []string{"all", "100.0", "150", "1.500", "1.437", "1.566", "yes"}, texts(table.Rows[0]))
	require.Equal(t, []string{"rings", "100.0", "150", "1.500", "0.976", "2.306", "no"}, texts(table.Rows[1]))
	require.Equal(t, []string{"randoms", "3.000", "2.00", "0.667", "-", "-", "not known"}, texts(table.Rows[2]))
	require.True(t, table.Rows[0][6].Strong)
	require.False(t, table.Rows[1][6].Strong)
	detectable := rows[0].Detectable()
	require.Equal(t, []document.Block{table, document.Paragraph(detectable), behind}, section.Blocks)
	require.Contains(t, detectable, "difference in all that such runs would find in 80 of 100 comparisons is 5.5 %")

	unknown := page2(Pair{Groups: Ungrouped(rows[2:])}).differences(0).Blocks
	require.Len(t, unknown, 1)
	require.Len(t, unknown[0].(*document.Table).Columns, 4)
	require.Equal(t, "Bandwidths and their ratio. The spread isn't known.", unknown[0].(*document.Table).Caption)

	section = page2(Pair{Remarks: []document.Block{behind}}).differences(0)
	require.Equal(t, []document.Block{document.Paragraph("Nothing to compare: nothing.")}, section.Blocks)
}
