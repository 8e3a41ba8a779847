package trend

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"

	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// The newest level's interval is between its results, even if the ratings have no intervals of their own.
func TestNewest(t *testing.T) {
	about := func(points []Point) string {
		list, _ := Of(points, nil)
		return string(list[0].section(1).Blocks[0].(document.Paragraph))
	}
	require.Regexp(t, `Mean of the 13 results since the last step: 44\d\d MB/s ± 0\.\d+ % \(between them\)\.$`,
		about(nightly(30, falls(17))))
	points := nightly(3, falls(3))
	for i := range points {
		points[i].Benchmark = "b_eff_io"
		points[i].Figures = rating.Values{"b_eff_io": {Value: points[i].Figures["b_eff"].Value}}
	}
	require.Regexp(t, `Mean of all: [45]\d{3} MB/s ± \d`, about(points))
	require.NotContains(t, about(points[:2]), "Mean")
}

// No table or picture shows a date in UTC if its zone isn't known.
func TestLocalTime(t *testing.T) {
	drawn := func(points []Point) string {
		list, _ := Of(points, nil)
		var b bytes.Buffer
		require.NoError(t, document.SVG(&b, figure(1, list)))
		for _, table := range []*document.Table{Table(list), list[0].table(1)} {
			for _, cell := range table.Rows[0] {
				fmt.Fprintf(&b, "%s;", cell.Text)
			}
		}
		return b.String()
	}
	points := nightly(5, falls(5))
	for _, text := range []string{"(UTC)", "T03:00:00Z;", "03:00;"} {
		require.Contains(t, drawn(points), text)
	}
	for i := range points {
		points[i].Date = words.LocalTime(points[i].Date)
	}
	for _, text := range []string{"T03:00:00;", "03:00 local time;", "local time where"} {
		require.Contains(t, drawn(points), text)
	}
	require.NotContains(t, drawn(points), "(UTC)")
	require.NotContains(t, drawn(points), "00Z")
}
