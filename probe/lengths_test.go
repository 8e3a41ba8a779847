package probe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// On a network of 1 µs and 1 GB/s, with a jump of 5 µs above 4096 bytes, lengths near the jump are measured, and the
// jump is found, in loops and in series.
func TestAdaptiveLengths(t *testing.T) {
	cost := func(bytes int64) float64 {
		more := 0.0
		if bytes > 4096 {
			more = 5
		}
		return (1 + float64(bytes)/1000 + more) * micro
	}
	for _, precision := range []*settings.Precision{nil, &settings.Default.Precision} {
		s := &scripted.Engine{Processes: 2}
		s.Cost = func(x scripted.Step) float64 { return cost(x.Bytes) }
		s.Each = func(x scripted.Step, _ int64) []float64 { return append(laps(x, 0, cost(x.Bytes)), 0, 0) }
		adaptive := settings.Default.Adaptive
		r := onScript(t, s, probe.Config{Selections: named(t, "Sendrecv"), Settings: settings.Settings{
			Rows: settings.Rows{Adaptive: &adaptive}, Series: settings.Series{Precision: precision},
			Repetitions: settings.Repetitions{SampleTime: 10}}})
		var got []int64
		for _, row := range r.Blocks[0].Rows {
			got = append(got, row.Bytes)
		}
		require.Equal(t, []int64{0, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 204800,
			6144, 5120, 4608, 4352, 4224, 4160}, got)
		k, _, _ := suites.Find("", "Sendrecv")
		steps := measured.Steps(&r.Settings, k, &r.Blocks[0])
		require.Len(t, steps, 1)
		require.EqualValues(t, 4096, steps[0].Above)
		require.InDelta(t, 5*micro, steps[0].By, 1e-9)
		require.False(t, measured.Split(&r.Settings, k, 4096))
		require.True(t, measured.Split(&r.Settings, k, 4160))
	}
}

// Lengths of reductions are whole elements. Kernels without lengths have one row.
func TestAdaptiveElements(t *testing.T) {
	s := &scripted.Engine{Processes: 2, Cost: func(x scripted.Step) float64 { return micro }}
	r := onScript(t, s, probe.Config{Selections: named(t, "Allreduce", "Barrier"), Settings: settings.Settings{
		Rows: settings.Rows{
			Adaptive: &settings.Adaptive{Min: 1, Max: 99, Difference: 0.1, Stride: 10, MaxLengths: 9}}}})
	var got []int64
	for _, row := range r.Blocks[0].Rows {
		got = append(got, row.Bytes)
	}
	require.Equal(t, []int64{4, 16, 28, 52, 100}, got)
	require.Len(t, r.Blocks[1].Rows, 1)
	k, _, _ := suites.Find("", "Barrier")
	require.Empty(t, measured.Steps(&r.Settings, k, &r.Blocks[1]))
}

func TestRegularLengths(t *testing.T) {
	got, err := settings.RegularLengths(1024, 2049, 1024)
	require.NoError(t, err)
	require.Equal(t, []int64{1024, 2048}, got, "MPIBlib manual, 4.3")
	got, err = settings.RegularLengths(0, 8, 4)
	require.NoError(t, err)
	require.Equal(t, []int64{0, 4, 8}, got)
	for _, wrong := range [][3]int64{{0, 8, 0}, {8, 0, 1}, {-1, 8, 1}, {0, 1 << 41, 1 << 30}, {0, 1 << 30, 1}} {
		_, err = settings.RegularLengths(wrong[0], wrong[1], wrong[2])
		require.Error(t, err, "%v", wrong)
	}
}

func TestAdaptiveCheck(t *testing.T) {
	require.NoError(t, settings.Default.Adaptive.Check())
	for want, change := range map[string]func(*settings.Adaptive){
		"MIN < MAX":                    func(a *settings.Adaptive) { a.Max = 0 },
		"0 <= MIN":                     func(a *settings.Adaptive) { a.Min = -1 },
		"a difference between 0 and 1": func(a *settings.Adaptive) { a.Difference = 0 },
		"a least stride from 1 to":     func(a *settings.Adaptive) { a.Stride = 0 },
		"not 204801":                   func(a *settings.Adaptive) { a.Stride = 204801 },
		"want 2 to 65536 lengths":      func(a *settings.Adaptive) { a.MaxLengths = 1 },
	} {
		a := settings.Default.Adaptive
		change(&a)
		require.ErrorContains(t, a.Check(), want)
	}
}

// Passes go through the whole list, one after the other.
func TestPasses(t *testing.T) {
	s := &scripted.Engine{Processes: 2, Cost: func(x scripted.Step) float64 { return micro }}
	r := onScript(t, s, probe.Config{Selections: named(t, "Sendrecv", "Barrier"), Settings: settings.Settings{
		Rows: settings.Rows{Lengths: []int64{4}}, Passes: 3}})
	var got []string
	for i, b := range r.Blocks {
		got = append(got, b.Kernel)
		require.Equal(t, 1+i/2, b.Pass)
		require.Len(t, b.Rows, 1)
	}
	require.Equal(t, []string{"Sendrecv", "Barrier", "Sendrecv", "Barrier", "Sendrecv", "Barrier"}, got)
	r.Blocks[0].Pass = 4
	require.ErrorContains(t, r.Check(), "pass 4 of 3")
}
