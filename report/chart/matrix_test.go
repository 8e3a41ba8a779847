package chart

import (
	"fmt"
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// square returns a matrix with a value for each row and column.
func square(n int, value func(i, j int) float64) Matrix {
	m := Matrix{Unit: "µs", RowLabel: "from rank", ColumnLabel: "to rank", FrameMeaning: "named"}
	for i := range n {
		m.Names = append(m.Names, fmt.Sprint(i))
		var row []float64
		for j := range n {
			row = append(row, value(i, j))
		}
		m.Values = append(m.Values, row)
	}
	return m
}

// Classes have round bounds, and hold all values.
func TestClasses(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   []float64
	}{
		{[]float64{1, 1.35}, []float64{1, 1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.35}},
		{[]float64{50, 109}, []float64{50, 60, 70, 80, 90, 100, 110}},
		{[]float64{1, 256}, []float64{1, 2, 4, 8, 16, 32, 64, 120, 260}},
		{[]float64{17, 17}, []float64{17, 17.05}},
		{nil, []float64{1, 1.005}},
	} {
		got := classBounds([][]float64{c.values})
		require.InDeltaSlice(t, c.want, got, 1e-9, "%v", c.values)
		for _, x := range c.values {
			class := classOf(got, x)
			require.True(t, class >= 0 && got[class] <= x && x <= got[class+1]*(1+1e-12), "%v in class %d of %v", x,
				class, got)
		}
	}
	require.Equal(t, -1, classOf([]float64{1, 2}, math.NaN()))
}

// A grey copy of the colours is darker from class to class.
func TestHeat(t *testing.T) {
	for n := 2; n <= maxClasses; n++ {
		last := uint8(255)
		for class := range n {
			grey := color.GrayModel.Convert(heatColour(class, n)).(color.Gray).Y
			require.Less(t, grey, last, "class %d of %d", class, n)
			last = grey
		}
	}
}

// A large matrix is drawn with cells that show the slowest of their values, and keep the marks.
func TestFolded(t *testing.T) {
	m := square(100, func(i, j int) float64 {
		if i == 99 && j == 50 {
			return 7
		}
		return 1
	})
	m.Values[3][3] = math.NaN()
	m.FramedCells = [][2]int{{99, 50}}
	f, by := m.folded()
	require.Equal(t, 2, by)
	require.Len(t, f.Values, 50)
	require.Equal(t, "98", f.Names[49])
	require.Equal(t, 7.0, f.Values[49][25])
	require.Equal(t, 1.0, f.Values[1][1])
	require.Equal(t, [][2]int{{49, 25}}, f.FramedCells)
	same, by := square(64, func(int, int) float64 { return 1 }).folded()
	require.Equal(t, 1, by)
	require.Len(t, same.Values, 64)
}

func TestLines(t *testing.T) {
	m := square(3, func(i, j int) float64 {
		if i == j {
			return math.NaN()
		}
		return float64(1 + i + 3*j)
	})
	m.Names[2] = "node12"
	require.Equal(t, []string{
		"0         + @",
		"1       .   @",
		"node12  - #",
		"",
		".  2 to 2.3 µs",
	}, m.Lines()[:5])
}
