package trend

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"

	"github.com/effective-bandwidth/beff/report/document"
)

// The newest level has the interval between its results, also of ratings that have none of their own.
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
