package compare

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
)

// times returns a line of a time and perhaps a bandwidth.
func times(bytes int64, seconds, bandwidth float64) Line {
	l := Line{At: At{Bytes: bytes}, Sampled: Sampled{Value: seconds},
		Values: []Value{{rating.Figure{Key: "time", Less: true}, seconds}}}
	if bandwidth > 0 {
		l.Values = append(l.Values, Value{rating.Figure{Key: "bandwidth"}, bandwidth})
	}
	return l
}

// Classes of lengths end at 1 kB and 64 kB; a mean is that of the ratios in it, of bandwidths or of times the other way
// round. Rows of 0 bytes count in none.
func TestClasses(t *testing.T) {
	first := Table{Name: "x", Lines: []Line{times(0, 9, 0), times(1, 2, 0), times(1<<10, 8, 0), times(1<<10+1, 1, 10),
		times(64<<10, 1, 10), times(64<<10+1, 5, 10)}}
	second := Table{Name: "x", Lines: []Line{times(0, 1, 0), times(1, 1, 0), times(1<<10, 1, 0), times(1<<10+1, 4, 30),
		times(64<<10, 4, 270), times(64<<10+1, 1, 0)}}
	g := Match([]Table{first}, []Table{second}, nil).Groups[0]
	for class, want := range map[string]float64{"short": 4, "middle": 9, "long": 5} {
		for _, c := range classes {
			if c.name == class {
				require.InEpsilon(t, want, g.Mean(c.above, c.top).Ratio(), 1e-12, class)
			}
		}
	}
	require.Len(t, classes, 3)
	require.False(t, g.Mean(1, 2).Measured())
}

// Tables are paired with the nearest ones, each with one, and what is left over is named.
func TestMatch(t *testing.T) {
	table := func(name string, lines ...Line) Table { return Table{Name: name, Lines: lines} }
	first := []Table{table("p", times(1, 1, 0), times(2, 1, 0)), table("q", times(1, 1, 0)), table("r")}
	second := []Table{table("s", times(1, 2, 0), times(4, 2, 0)), table("t", times(1, 4, 0)),
		table("u", times(1, 1, 0))}
	near := [][][]int{{{0, 9}, {1, 0}, nil}, {nil, {1, 1}, nil}, {nil, nil, nil}}
	p := Match(first, second, func(i, j int) []int { return near[i][j] })
	require.Len(t, p.Groups, 2)
	require.Equal(t, [][2]int{{0, 0}, {1, 1}}, [][2]int{p.Groups[0].Of, p.Groups[1].Of})
	require.Equal(t, []string{"p, 2 bytes", "r"}, p.OnlyFirst)
	require.Equal(t, []string{"s, 4 bytes", "u"}, p.OnlySecond)
	require.InEpsilon(t, 0.25, p.Groups[1].Rows[0].Ratio(), 1e-12)
	require.InEpsilon(t, 1/2.828427, p.Main.Ratio(), 1e-6, "the mean of 1/2 and 1/4")
	require.False(t, Match(first, nil, nil).Main.Measured())
}

// Of passes a line is the mean, if all have it.
func TestJoined(t *testing.T) {
	list := []Table{{Name: "x", Lines: []Line{times(1, 1, 8), times(2, 1, 0)}},
		{Name: "x", Lines: []Line{times(1, 4, 2)}}}
	joined := Joined(append(list, Table{Name: "y"}))
	require.Len(t, joined, 2)
	require.Equal(t, "y", joined[1].Name)
	require.Len(t, joined[0].Lines, 1)
	l := joined[0].Lines[0]
	require.InDeltaSlice(t, []float64{2, 2, 4}, []float64{l.Value, l.Values[0].Value, l.Values[1].Value}, 1e-12)
	require.Equal(t, []int{1, 2, 2}, []int{l.Degrees, l.Runs, len(l.Each)})
	require.EqualValues(t, 1, list[0].Lines[0].Values[0].Value, "the table is as it was")
}
