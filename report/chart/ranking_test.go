package chart_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/drawn"
)

func bars(n int, ratio float64) []chart.Ranked {
	var list []chart.Ranked
	for i := range n {
		list = append(list, chart.Ranked{
			Name:  fmt.Sprintf("system number %d of some laboratory, %d processes", i+1, 1<<(i%20)),
			Value: 1e12 / math.Pow(ratio, float64(i)),
		})
	}
	return list
}

func TestRanking(t *testing.T) {
	drawn.RequireAllGood(t, "ranking", []*document.Figure{
		chart.Ranking("ranking", "Ranking.", bars(7, 1.4)), chart.Ranking("ranking-log", "Ranking.", bars(50, 1.4)),
		chart.Ranking("ranking-one", "Ranking.", bars(1, 1)),
	})
	require.Nil(t, chart.Ranking("a", "b", []chart.Ranked{{Name: "x"}, {Name: "y", Value: math.Inf(1)}}))
}

// TestHostileNames draws a figure of names and numbers as untrusted files may contain them.
func TestHostileNames(t *testing.T) {
	var bars []chart.Ranked
	for i, name := range drawn.HostileNames {
		bars = append(bars, chart.Ranked{Name: name, Value: drawn.HostileNumbers[i%len(drawn.HostileNumbers)]},
			chart.Ranked{Name: name, Value: float64(i) * 1e6})
	}
	f := chart.Ranking("ranking", "Ranking.", bars)
	drawn.Pictures(t, "hostile", []*document.Figure{f})
	drawn.RequireReadable(t, f, chart.PageWidth)
}

func TestBarCaps(t *testing.T) {
	f := chart.Ranking("ranking", "Ranking.", bars(50, 1.4))
	require.Equal(t, chart.MostRanked, drawn.Count[chart.Marks](f))
	require.Contains(t, f.Caption, "first 40 of 50 systems")
}
