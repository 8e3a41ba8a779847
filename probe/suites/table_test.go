package suites

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// TestTableOfKernels compares the table to the formulas of the guide's bandwidths. A shape has the number of lengths X
// that a repetition moves (0 if "Output" has bare times), the divisor of the time ("time = Δt/2" of PingPong), and the
// guide's number of active processes and smallest number of processes.
func TestTableOfKernels(t *testing.T) {
	type shape struct {
		moved                  float64
		divisor, active, least int
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
		"MPIB Fragments_threads": {1, 1, 2, 2}, "MPIB Bcast_ack": {0, 1, 0, 2}, "MPIB Comm_dup": {0, 1, 0, 1},
		"P2P PingPong": {0.5, 2, 0, 2}, "P2P PingPing": {1, 1, 0, 2}, "P2P Unirandom": {1, 1, 0, 2},
		"P2P Birandom": {1, 2, 0, 2}, "P2P Corandom": {1, 1, 0, 2}, "P2P Stencil2D": {1, 4, 0, 4},
		"MT PingPongMT": {1, 2, 0, 2}, "MT PingPingMT": {1, 1, 0, 2}, "MT SendRecvMT": {2, 1, 0, 1},
		"MT ExchangeMT": {4, 1, 0, 1}, "MT UniBandMT": {1, 1, 0, 2}, "MT BiBandMT": {1, 2, 0, 2},
		"OSU osu_mbw_mr": {1, 1, 0, 2}, "OSU osu_bw_fan_out": {1, 1, 0, 2}, "OSU osu_bw_fan_in": {1, 1, 0, 2},
		"OSU osu_multi_lat": {1, 2, 0, 2}, "CUT Cut_uni": {1, 1, 0, 2}, "CUT Cut_bi": {2, 1, 0, 2},
		"OSU osu_init": {0, 1, 0, 1}, "OSU osu_hello": {0, 1, 0, 1},
		"NEW PingPong_c": {1, 2, 2, 2}, "NEW Exchange_init": {0, 1, 2, 2}, "NEW Init": {0, 1, 0, 1},
		"NEW Session":       {0, 1, 0, 1},
		"LOAD Ring_latency": {0, 2, 0, 2}, "LOAD Ring_get_latency": {0, 2, 0, 2},
		"LOAD Multiple_alltoall": {1, 1, 0, 2}, "LOAD Multiple_allreduce": {0, 1, 0, 2},
		"LOAD Congestors": {0, 1, 0, 1},
		"P2P Stencil3D":   {1, 6, 0, 8}, "P2P SendRecv_Replace": {1, 1, 0, 2},
	}
	for _, k := range Kernels() {
		want, ok := special[string(k.Component)+" "+k.Name]
		switch {
		case ok:
		case k.Component == kernel.PGAS && strings.HasPrefix(k.Name, "Random"): // a repetition is 256 transfers
			want = shape{1, 256, 0, 2}
		case k.Component == kernel.PGAS && k.Class == kernel.Partners:
			want = shape{1, 1, 2, 2}
			if k.Builder.Rows == kernel.OneElement || k.NoLength() { // a latency
				want.moved = 0
			}
		case k.Component == kernel.OSU && k.Active == 2: // latencies are one way, windows have their messages
			want = shape{1, 1, 2, 2}
			if k.Builder.Access.Window == kernel.NoSide && k.Class == kernel.Averaged {
				want.divisor = 2
			}
			if strings.Contains(k.Name, "bibw") {
				want.moved = 2
			}
		case k.Component == kernel.Load: // eight messages to each of two neighbours
			want = shape{16, 1, 0, 2}
		case k.Component == kernel.OSU:
			want = shape{0, 1, 0, 2}
		case k.Component == kernel.Guidelines:
			want = shape{0, 1, k.Active, max(k.Active, 2)}
			if strings.Contains(k.Calls, "b_eff") || k.Name == "Neighbor_alltoall_vs_Isend" {
				want.least = 3
			}
		case k.Class == kernel.Partition: // round trips of pairs
			want = shape{1, 2, 2, 2}
		case k.Component == kernel.New && k.Builder.File != nil: // of a single process
			want = shape{1, 1, 1, 1}
		case k.Component == kernel.New: // collective calls compared to others
			want = shape{0, 1, 0, 2}
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
		require.Equal(t, want, shape{k.Moved, k.Divisor, k.Active, k.MinProcesses}, "%s %s", k.Component, k.Name)
		if k.Algorithm != nil || k.Class == kernel.CallAndMockUp {
			continue // TestAlgorithmsHaveLibrary, TestCalls
		}
		if k.Component == kernel.New {
			continue // theirs are in neither guide
		}
		operation := strings.TrimSuffix(strings.ToLower(strings.TrimPrefix(k.Name, "I")), "_pure")
		operation = strings.TrimSuffix(operation, "_persist")
		if k.Component == kernel.MT { // of whole numbers
			require.Equal(t, slices.Contains([]string{"BcastMT", "ReduceMT"}, k.Name), k.Rooted, k.Name)
			continue
		}
		rooted := []string{"reduce", "gather", "gatherv", "scatter", "scatterv", "bcast"}
		require.Equal(t, slices.Contains(rooted, operation), k.Rooted, k.Name)
		floats := []string{"allreduce", "reduce", "reduce_local", "reduce_scatter", "reduce_scatter_block",
			"accumulate", "get_accumulate", "fetch_and_op", "multiple_allreduce"}
		require.Equal(t, slices.Contains(floats, operation), k.Type == mpi.Float32, k.Name)
		unnamed := []string{"pingpongspecificsource", "pingpingspecificsource", "pingpinganysource",
			"pingponganysource", "uniband", "biband", "get_local", "get_all_local", "fragments_threads"}
		byName := strings.HasSuffix(k.Name, "_pure") || k.Name == "Allgather_persist"
		if k.Component != kernel.Load { // it has three usual victims
			require.Equal(t, slices.Contains(unnamed, operation) || byName, k.Optional, k.Name)
		}
		pair := k.Component == kernel.EXT && k.Name != "Window" || k.Component == kernel.RMA && k.Class == kernel.Single
		write := k.Component == kernel.IO && k.Class != kernel.Overlap && strings.Contains(k.Name, "_Write_")
		require.Equal(t, pair || write, len(k.Modes) == 2, k.Name)
	}
}

// Sums of elements up to 7 are exact in float32 up to 2^24 = 16777216 = 7·2396745 + 1.
func TestExactSums(t *testing.T) {
	require.True(t, kernel.Float32HoldsSum(2396745, 1))
	require.False(t, kernel.Float32HoldsSum(2396746, 1))
	require.True(t, kernel.Float32HoldsSum(2396745, 0))
	require.True(t, kernel.Float32HoldsSum(23967, 100))
	require.False(t, kernel.Float32HoldsSum(23968, 100))
}
