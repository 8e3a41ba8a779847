package ofbeffio

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// Each access method of each partition has a figure, if it was measured.
func TestBEffIO(t *testing.T) {
	list := fixture.IOResults()
	one := fixture.IOCluster()
	one.Config.Partitions = []int{4}
	list["one"] = one.Result()
	both := []string{"beffio-partitions", "beffio-write", "beffio-rewrite", "beffio-read", "beffio-write-2",
		"beffio-rewrite-2", "beffio-read-2"}
	quick := []string{"beffio-partitions", "beffio-write", "beffio-rewrite", "beffio-read", "beffio-write-1",
		"beffio-rewrite-1", "beffio-read-1"}
	for name, want := range map[string][]string{
		"whole": both, "old": both, "wrong": both, "quick": quick,
		"one":     {"beffio-write", "beffio-rewrite", "beffio-read"},
		"stopped": {"beffio-write-4", "beffio-rewrite-4", "beffio-write-2", "beffio-rewrite-2"},
	} {
		t.Run(name, func(t *testing.T) {
			figures := Figures(list[name])
			if name == "stopped" {
				require.Subset(t, want, fixture.FigureIDs(figures))
			} else {
				require.Equal(t, want, fixture.FigureIDs(figures))
			}
			d := Document(list[name], figures)
			require.NoError(t, d.Validate())
			for _, f := range figures {
				require.NotEmpty(t, fixture.Svg(t, f, chart.PageWidth))
				require.NotEmpty(t, f.Alt)
			}
		})
	}
}

func TestBEffIOOverlay(t *testing.T) {
	list := fixture.IOResults()
	none := view{Result: list["stopped"], n: -1}
	figures := Overlay([]string{"a", "b", "stopped", "c"}, []side{{newView(list["whole"])}, {newView(list["old"])},
		{none}, {newView(list["quick"])}})
	require.Equal(t, []string{"compare-processes", "compare-chunks-write", "compare-types-write",
		"compare-chunks-rewrite", "compare-chunks-read", "compare-types-read"},
		fixture.FigureIDs(figures))
	require.Contains(t, figures[1].Caption, "the mean over 5 pattern types")
	require.Contains(t, figures[3].Caption, "pattern type scatter.")
	require.Empty(t, Overlay([]string{"a"}, []side{{none}}))
	require.Empty(t, Overlay(nil, nil))
	var many []side
	var names []string
	for range 14 {
		many, names = append(many, side{newView(list["whole"])}), append(names, "x")
	}
	require.Contains(t, Overlay(names, many)[0].Caption, "Only the first 12 of 14 systems are drawn.")
}

// If a side has several runs, the pictures show the geometric means of their figures.
func TestBEffIOOverlayOfRuns(t *testing.T) {
	result := func(times float64) *beffio.Result {
		r := *fixture.IOResults()["whole"]
		r.Samples = slices.Clone(r.Samples)
		for i := range r.Samples {
			r.Samples[i].Seconds *= times
		}
		r.Derived = beffio.Derive(&r)
		return &r
	}
	once, four := newView(result(1)), newView(result(4))
	drawn := func(runs ...view) (list []float64) {
		of := []overlaid{{"a", runs[0], runs}}
		series := overlayProcesses(of).Series
		for _, a := range beffio.Accesses() {
			series = append(series, overlayChunks(of, a).Series...)
			for _, p := range eachType(of, a).Plots {
				series = append(series, p.Series...)
			}
		}
		for _, s := range series {
			for _, pt := range s.Points {
				list = append(list, pt.Y)
			}
		}
		return list
	}
	a, b, both := drawn(once), drawn(four), drawn(once, four)
	require.NotEqual(t, a, b)
	for i := range a {
		require.InDelta(t, math.Sqrt(a[i]*b[i]), both[i], 1e-9*a[i])
	}
}
