package rating

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

type figures struct {
	Rate  float64   `json:"rate,omitempty"`
	Parts []part    `json:"parts"`
	List  []float64 `json:"list"`
}

type part struct {
	Name  string  `json:"name"`
	Bytes int64   `json:"bytes"`
	Rate  float64 `json:"rate"`
}

func TestFollows(t *testing.T) {
	made := func() figures {
		return figures{Rate: 100, Parts: []part{{"a", 1, 2}, {"b", 3, 4}}, List: []float64{5, 0}}
	}
	for name, c := range map[string]struct {
		change func(*figures)
		want   string // part of the error, or empty
	}{
		"same":            {func(*figures) {}, ""},
		"last digits":     {func(f *figures) { f.Rate *= 1 + 0.9e-9 }, ""},
		"more digits":     {func(f *figures) { f.Rate *= 1 + 1.1e-9 }, "derived.rate is 100.0000001"},
		"missing":         {func(f *figures) { f.Rate = 0 }, "derived.rate is 0, the samples give 100"},
		"missing in list": {func(f *figures) { f.List[0] = 0 }, "derived.list[0] is 0, the samples give 5"},
		"more in list":    {func(f *figures) { f.List[1] = 1e-300 }, "derived.list[1] is 1e-300, the samples give 0"},
		"shorter":         {func(f *figures) { f.List = f.List[:1] }, "derived.list has 1 figures, the samples give 2"},
		"empty":           {func(f *figures) { f.Parts = []part{} }, "derived.parts has 0 figures, the samples give 2"},
		"text": {func(f *figures) { f.Parts[0].Name = "b" },
			"derived.parts[0].name is b, the samples give a"},
		"whole number": {func(f *figures) { f.Parts[1].Bytes++ }, "derived.parts[1].bytes is 4, the samples give 3"},
		"not a number": {func(f *figures) { f.Rate = math.NaN() }, "derived.rate is NaN"},
		"negative":     {func(f *figures) { f.Rate = -100 }, "derived.rate is -100"},
	} {
		t.Run(name, func(t *testing.T) {
			have := made()
			c.change(&have)
			err := Follows("derived", have, made())
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.want)
		})
	}
}

// A figure that is 0 or missing is found.
func TestFollowsAll(t *testing.T) {
	type rated struct {
		figures
		Interval *Interval `json:"interval,omitempty"`
	}
	made := func() rated { return rated{figures{Rate: 100, List: []float64{5, 0}}, &Interval{Low: 90, High: 110}} }
	require.NoError(t, Follows("d", made(), made()))
	for want, change := range map[string]func(*rated){
		"d.interval is missing":                       func(r *rated) { r.Interval = nil },
		"d.interval.low is 0, the samples give 90":    func(r *rated) { r.Interval.Low = 0 },
		"rate is 0, the samples give 100":             func(r *rated) { r.Rate = 0 },
		"list has 0 figures, the samples give 2":      func(r *rated) { r.List = nil },
		"d.interval.method is runs, the samples give": func(r *rated) { r.Interval.Method = ByRuns },
	} {
		have := made()
		change(&have)
		require.ErrorContains(t, Follows("d", have, made()), want)
	}
	have, none := made(), made()
	none.Interval = nil
	require.ErrorContains(t, Follows("d", have, none), "d.interval is there, the samples give none")
	require.NoError(t, Follows("d", none, none))
}

func TestIsTime(t *testing.T) {
	for _, x := range []float64{0, 1e-300, 1, math.MaxFloat64} {
		require.True(t, IsTime(x), "%v", x)
	}
	for _, x := range []float64{-1e-300, math.Inf(1), math.Inf(-1), math.NaN()} {
		require.False(t, IsTime(x), "%v", x)
	}
}

func TestPicoseconds(t *testing.T) {
	require.Equal(t, 1.234567890123, Picoseconds(1.2345678901234))
	require.Equal(t, 1e-12, Picoseconds(0.9e-12))
	require.Equal(t, 4e-13, Picoseconds(4e-13), "it would become 0")
	require.Zero(t, Picoseconds(0))
}

func TestAmounts(t *testing.T) {
	for bytes, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1024: "1 KiB", 1<<20 - 1: "1024 KiB",
		3 << 30: "3 GiB", 1 << 62: "4096 PiB"} {
		require.Equal(t, want, Bytes(bytes))
	}
	require.Equal(t, "1.5 MiB", Mebibytes(3<<19))
	require.Equal(t, "2048 GiB", Gibibytes(2<<40))
}

// Numbers for readers have no exponent, and times have a suitable unit.
func TestDigits(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 2480: "2480", 2483.7: "2480", 0.000123456: "0.000123",
		12052: "12100", -1.5: "-1.5", math.Inf(1): "not known", math.NaN(): "not known"} {
		require.Equal(t, want, Rounded(x, 3))
	}
	for x, want := range map[float64]string{2.48: "2.48 s", 0.9996: "1 s", 2500: "2500 s", 1e-9: "1 ns", 0: "0 ns",
		4.2e-5: "42 µs", 0.0123: "12.3 ms"} {
		require.Equal(t, want, Time(x))
	}
	require.Equal(t, "12050 MiB", Mebibytes(12052<<20))
}
