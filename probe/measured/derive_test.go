package measured

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
)

// The figures of a repetition: times are divided by the repetitions, and by two if half of one is reported. A bandwidth
// is the moved lengths, for each partner of one process with all others, divided by the longest time.
func TestFiguresOfRow(t *testing.T) {
	x := Sample{Min: 8, Max: 16, Mean: 12}
	row := &Row{Bytes: 1000, Repetitions: 4, Samples: []Sample{x}}
	for _, c := range []struct {
		kernel                      kernel.Kernel
		min, max, mean, bytes, rate float64
	}{
		{kernel.Kernel{Class: kernel.Single, Moved: 1, Halves: 2}, 1, 2, 1.5, 500, 0.5},
		{kernel.Kernel{Class: kernel.Single, Moved: 1, Halves: 1}, 2, 4, 3, 250, 0.25},
		{kernel.Kernel{Class: kernel.Parallel, Moved: 4, Halves: 1}, 2, 4, 3, 1000, 1},
		{kernel.Kernel{Class: kernel.Multiple, Moved: 1, Halves: 1}, 2, 4, 3, 1000, 1}, // 4 partners
		{kernel.Kernel{Class: kernel.Collective, Halves: 1}, 2, 4, 3, 0, 0},
	} {
		require.Equal(t, []kernel.Times{{Min: c.min, Max: c.max, Mean: c.mean, Bandwidth: c.bytes, Rate: c.rate}},
			Derive(&c.kernel, &Block{Processes: 5}, row), "%+v", c)
	}
	single := &kernel.Kernel{Class: kernel.Single, Moved: 1, Halves: 2}
	require.Zero(t, Derive(single, &Block{Processes: 2}, &Row{Bytes: 1, Samples: []Sample{{}}})[0])
}
