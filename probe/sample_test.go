package probe

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// The samples of three processes' readings: minimum, maximum and mean of the times that count; the three times of the
// process whose communication beside computing took longest (guide, "Measuring Communication and Computation Overlap");
// the longest of each of the two times of Truly_passive_put.
func TestSamples(t *testing.T) {
	readings := []reading{
		{seconds: 4, overlapped: 5, compute: 2},
		{seconds: 1, overlapped: 7, compute: 3},
		{seconds: -1, overlapped: 6, compute: 9},
		{seconds: 2.5, overlapped: 3, compute: 8},
	}
	for class, want := range map[kernel.Class]Sample{
		kernel.Parallel: {Min: 1, Max: 4, Mean: 2.5},
		kernel.Overlap:  {Pure: 1, Overlapped: 7, Compute: 3},
		kernel.Passive:  {Pure: 4, Passive: 7},
	} {
		require.Equal(t, want, measurings[class].sample(readings), class)
	}
	require.Equal(t, Sample{Min: 1.000000000001, Max: 1.000000000001, Mean: 1.000000000001},
		measurings[kernel.Single].sample([]reading{{seconds: 1.0000000000012}}), "to 1e-12 s")
}

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
	require.Zero(t, Derive(&suites.Kernels[0], &Block{Processes: 2}, &Row{Bytes: 1, Samples: []Sample{{}}})[0])
}

// shares holds the formulas of the guide's bandwidths: the number of lengths X that a repetition moves, and whether
// half its time counts ("time = Δt/2" of PingPong); 0 if "Output" has bare times. The least and the active processes
// are from there, too.
func TestTableOfKernels(t *testing.T) {
	type shape struct {
		moved                 float64
		halves, active, least int
	}
	special := map[string]shape{
		"MPI1 PingPong": {1, 2, 2, 2}, "MPI1 PingPongSpecificSource": {1, 2, 2, 2},
		"MPI1 PingPongAnySource": {1, 2, 2, 2}, "MPI1 PingPingAnySource": {1, 1, 2, 2},
		"MPI1 Uniband": {1, 1, 0, 2}, "MPI1 Biband": {2, 1, 0, 2},
		"MPI1 PingPing": {1, 1, 2, 2}, "MPI1 PingPingSpecificSource": {1, 1, 2, 2},
		"MPI1 Sendrecv": {2, 1, 0, 2}, "MPI1 Exchange": {4, 1, 0, 2}, "EXT Window": {0, 1, 0, 2},
		"EXT Accumulate": {0, 1, 0, 2}, "IO Open_Close": {0, 1, 0, 1}, "RMA Truly_passive_put": {0, 1, 2, 2},
		"MPIB Roundtrip": {2, 1, 2, 2}, "MPIB Roundtrip_pairs": {2, 1, 0, 2}, "MPIB Oneway_pairs": {16, 1, 0, 2},
		"MPIB PingPong_rsend": {1, 2, 2, 2}, "MPIB Relayed": {1, 1, 0, 3}, "MPIB Fragments": {1, 1, 2, 2},
		"MPIB Bcast_ack": {0, 1, 0, 2}, "MPIB Comm_dup": {0, 1, 0, 1},
		"P2P PingPong": {0.5, 2, 0, 2}, "P2P PingPing": {1, 1, 0, 2}, "P2P Unirandom": {1, 1, 0, 2},
		"P2P Birandom": {1, 2, 0, 2}, "P2P Corandom": {1, 1, 0, 2}, "P2P Stencil2D": {1, 4, 0, 4},
		"P2P Stencil3D": {1, 6, 0, 8}, "P2P SendRecv_Replace": {1, 1, 0, 2},
	}
	for _, k := range suites.Kernels {
		want, ok := special[string(k.Component)+" "+k.Name]
		switch {
		case ok:
		case k.Component == kernel.PGAS && strings.HasPrefix(k.Name, "Random"): // a repetition is 256 transfers
			want = shape{1, 256, 0, 2}
		case k.Component == kernel.PGAS && k.Class == kernel.Partners:
			want = shape{1, 1, 2, 2}
			if k.Recipe.Rows == kernel.OneElement || k.NoLength() { // a latency
				want.moved = 0
			}
		case k.Component == kernel.EXT: // Unidir and Bidir, by pairs
			want = shape{1, 1, 2, 2}
		case k.Component == kernel.IO:
			want = shape{1, 1, 0, 1}
			if k.Class == kernel.Overlap {
				want.moved = 0
			}
			if k.Name[0] == 'S' { // of a single process
				want.active = 1
			}
		case k.Component == kernel.RMA && k.Class == kernel.Single: // pairs
			want = shape{1, 1, 2, 2}
		case k.Component == kernel.RMA && k.Class == kernel.Multiple: // one with all others
			want = shape{1, 1, 0, 2}
		case k.Component == kernel.RMA: // all with all, or with their neighbors
			want = shape{0, 1, 0, 2}
		default: // collective operations, blocking or not
			want = shape{0, 1, 0, 1}
		}
		require.Equal(t, want, shape{k.Moved, k.Halves, k.Active, k.Least}, "%s %s", k.Component, k.Name)
		if k.Algorithm != nil {
			continue // TestAlgorithmsHaveLibrary
		}
		operation := strings.TrimSuffix(strings.ToLower(strings.TrimPrefix(k.Name, "I")), "_pure")
		rooted := []string{"reduce", "gather", "gatherv", "scatter", "scatterv", "bcast"}
		require.Equal(t, slices.Contains(rooted, operation), k.Rooted, k.Name)
		floats := []string{"allreduce", "reduce", "reduce_local", "reduce_scatter", "reduce_scatter_block",
			"accumulate", "get_accumulate", "fetch_and_op"}
		require.Equal(t, slices.Contains(floats, operation), k.Type == mpi.Float32, k.Name)
		unnamed := []string{"pingpongspecificsource", "pingpingspecificsource", "pingpinganysource",
			"pingponganysource", "uniband", "biband", "get_local", "get_all_local"}
		require.Equal(t, slices.Contains(unnamed, operation) || strings.HasSuffix(k.Name, "_pure"), k.Optional, k.Name)
		pair := k.Component == kernel.EXT && k.Name != "Window" || k.Component == kernel.RMA && k.Class == kernel.Single
		write := k.Component == kernel.IO && k.Class != kernel.Overlap && strings.Contains(k.Name, "_Write_")
		require.Equal(t, pair || write, len(k.Modes) == 2, k.Name)
	}
}

// Sums of elements up to 7 are exact in float32 up to 2^24 = 16777216 = 7·2396745 + 1.
func TestExactSums(t *testing.T) {
	require.True(t, kernel.Exact(2396745, 1))
	require.False(t, kernel.Exact(2396746, 1))
	require.True(t, kernel.Exact(2396745, 0))
	require.True(t, kernel.Exact(23967, 100))
	require.False(t, kernel.Exact(23968, 100))
}
