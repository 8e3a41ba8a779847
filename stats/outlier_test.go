package stats

import (
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Round trips between six hosts. One link was held to 40 Mbit/s: in each pass its pair took 9 times as long as any
// other pair in any pass. The other pairs differ by a factor of 25.
func TestSlowPair(t *testing.T) {
	text, err := os.ReadFile("testdata/slow-pair.csv")
	require.NoError(t, err)
	lines, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	require.NoError(t, err)
	var edges []Edge
	for u := range 6 {
		for v := u + 1; v < 6; v++ {
			edges = append(edges, Edge{U: u, V: v})
		}
	}
	for _, line := range lines[1:] {
		_, number, _ := strings.Cut(line[2], " ")
		i, err := strconv.Atoi(number)
		require.NoError(t, err)
		seconds, err := strconv.ParseFloat(line[3], 64)
		require.NoError(t, err)
		if line[0] == "1048576" {
			edges[i].Values = append(edges[i].Values, math.Log(seconds))
		}
	}
	o := Rule{Level: 0.01, MinExcess: 0.05}.Pairs(6, edges)
	require.Empty(t, o.From)
	require.Len(t, o.Edges, 1)
	require.Equal(t, [2]int{1, 4}, [2]int{edges[o.Edges[0].Index].U, edges[o.Edges[0].Index].V})
	require.Less(t, math.Exp(o.EdgeLimit), 60.0, "its own time is over 100 times as long as its ends explain")
}

// Chance names hardly any pair, however wide the tail is. The Cauchy distribution has no standard deviation at all.
func TestByFarByChance(t *testing.T) {
	random, found := rand.New(rand.NewPCG(1, 2)), 0
	const tables = 1000
	for range tables {
		var edges []Edge
		for u := range 6 {
			for v := u + 1; v < 6; v++ {
				e := Edge{U: u, V: v}
				for range 3 {
					e.Values = append(e.Values, math.Tan(math.Pi*(random.Float64()-0.5)))
				}
				edges = append(edges, e)
			}
		}
		o := Rule{Level: 0.01, MinExcess: 0.05}.Pairs(6, edges)
		if len(o.Edges)+len(o.From) > 0 {
			found++
		}
	}
	require.LessOrEqual(t, found, tables/100)
}
