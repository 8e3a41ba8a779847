package measured

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// In the figures of a repetition, times are divided by the repetitions, and by two if half a repetition is reported. A
// bandwidth is the number of bytes moved, for all partners if one process has several, divided by the longest time.
func TestFiguresOfRow(t *testing.T) {
	x := Sample{Min: 8, Max: 16, Mean: 12}
	row := &Row{Bytes: 1000, Repetitions: 4, Samples: []Sample{x}}
	for _, c := range []struct {
		kernel                      kernel.Kernel
		min, max, mean, bytes, rate float64
	}{
		{kernel.Kernel{Class: kernel.Single, Moved: 1, Divisor: 2}, 1, 2, 1.5, 500, 0.5},
		{kernel.Kernel{Class: kernel.Single, Moved: 1, Divisor: 1}, 2, 4, 3, 250, 0.25},
		{kernel.Kernel{Class: kernel.Parallel, Moved: 4, Divisor: 1}, 2, 4, 3, 1000, 1},
		{kernel.Kernel{Class: kernel.Multiple, Moved: 1, Divisor: 1}, 2, 4, 3, 1000, 1}, // 4 partners
		{kernel.Kernel{Class: kernel.Collective, Divisor: 1}, 2, 4, 3, 0, 0},
	} {
		require.Equal(t, []kernel.Times{{Min: c.min, Max: c.max, Mean: c.mean, Bandwidth: c.bytes, Rate: c.rate}},
			Derive(&c.kernel, &Block{Processes: 5}, row), "%+v", c)
	}
	single := &kernel.Kernel{Class: kernel.Single, Moved: 1, Divisor: 2}
	require.Zero(t, Derive(single, &Block{Processes: 2}, &Row{Bytes: 1, Samples: []Sample{{}}})[0])
}

// The shortest length above 0 is found in any order of the rows, as --msgsize 4096,8 gives them.
func TestShortest(t *testing.T) {
	row := func(bytes int64, seconds float64) Row {
		return Row{Bytes: bytes, Derived: []kernel.Times{{Max: seconds}}}
	}
	slowest := kernel.Time{Of: func(x *kernel.Times) float64 { return x.Max }}
	b := &Block{Rows: []Row{row(4096, 5), row(0, 1), row(8, 2), row(4, 0), row(1024, 3)}}
	time, bytes := b.Shortest(slowest)
	require.Equal(t, 2.0, time)
	require.EqualValues(t, 8, bytes)
	_, bytes = (&Block{Rows: []Row{row(0, 1)}}).Shortest(slowest)
	require.Zero(t, bytes)
}

// With two processes of two threads each, the bandwidth of windows follows from the slowest thread's time, and the rate
// from the mean, as in IMB-MT. The fairness is the smallest of the two processes'.
func TestFiguresOfThreads(t *testing.T) {
	k := &kernel.Kernel{Class: kernel.Band, Moved: 1, Divisor: 1,
		Builder: &kernel.Builder{Threads: kernel.Threads{Of: func(settings.Threading, int) int { return 2 }}}}
	b := &Block{Processes: 2, Threads: 2, WindowSize: 64}
	x := Sample{Min: 64, Max: 256, Mean: 144, Each: []float64{64, 128, 128, 256}}
	row := &Row{Bytes: 4, Repetitions: 1, Samples: []Sample{x}}
	require.Equal(t, []kernel.Times{{Min: 1, Max: 4, Mean: 2.25, Bandwidth: 4. * 2 / 4, Rate: 2 / 2.25, Fairness: 0.5}},
		Derive(k, b, row))
	require.NoError(t, x.checkEach(k, b, 2))
	require.ErrorContains(t, x.checkEach(k, b, 1), "4 times of threads, but 1 processes with 2 threads each")
	x.Each = x.Each[:3]
	require.ErrorContains(t, x.checkEach(k, b, 2), "3 times of threads")
	x.Each = []float64{64, 100}
	require.ErrorContains(t, x.checkEach(k, b, 2), "extremes 64 and 256")
}
