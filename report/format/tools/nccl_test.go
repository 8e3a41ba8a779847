package tools

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/foreign"
)

// ncclText is constructed with the formats of nccl-tests 2.17 (util.cu), not printed by a run.
const ncclText = "+ srun -N 2 ./build/all_gather_perf -b 64 -e 1M -f 16\n" +
	"# nccl-tests version 2.17.8 nccl-headers=22807 nccl-library=22703\n" +
	"# Collective test starting: all_reduce_perf\n" +
	"# nThread 1 nGpus 1 minBytes 64 maxBytes 1048576 step: 16(factor) warmup iters: 1 iters: 20 agg iters: 1 " +
	"validation: 1 graph: 0 unalign: 0\n#\n# Using devices\n" +
	"#  Rank  0 Group  0 Pid   4711 on    gpu-n01 device  0 [0000:1b:00] Some GPU 80GB\n" +
	"#  Rank  1 Group  0 Pid   4712 on    gpu-n02 device  0 [0000:1b:00] Some GPU 80GB\n" +
	"NCCL version 2.27.3+cuda12.9\n#\n" +
	"#                                                              out-of-place             " +
	"          in-place          \n" +
	"#       size         count      type   redop    root     time   algbw   busbw  #wrong" +
	"     time   algbw   busbw  #wrong \n" +
	"#        (B)    (elements)                               (us)  (GB/s)  (GB/s)        " +
	"     (us)  (GB/s)  (GB/s)         \n" +
	"          64            16     float     sum      -1    12.50    0.01    0.01       0" +
	"    12.25    0.01    0.01       0\n" +
	"gpu-n01:4711:4730 [0] NCCL INFO comm 0x1 rank 0 nranks 2\n" +
	"        1024           256     float     sum      -1    12.80    0.08    0.08       0" +
	"    12.60    0.08    0.08     N/A\n" +
	"     1048576        262144     float     sum      -1    40.96   25.60   25.60       0" +
	"    41.00   25.58   25.58       0\n" +
	"# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 8.56 \n#\n" +
	"# Collective test concluded: all_reduce_perf\n"

func TestNCCL(t *testing.T) {
	r, err := readAs(t, ncclText)
	require.NoError(t, err)
	require.Equal(t, []any{"nccl-tests", "2.17.8", "NCCL 2.27.3", 2, 2, "gpu-n01", true},
		[]any{r.Program, r.ProgramVersion, r.Engine.Library, r.Processes, r.Nodes, r.Host.Name, r.Complete})
	require.Equal(t, &foreign.Rating{Name: "Avg bus bandwidth", Quantity: foreign.BytesPerSecond, Value: 8.56e9},
		r.Rating)
	x := r.Tables[0]
	require.Equal(t, "all_reduce_perf", x.Test)
	require.Equal(t, []string{"out-of-place time", "out-of-place algbw", "out-of-place busbw", "in-place time",
		"in-place algbw", "in-place busbw"}, heads(&x))
	require.Equal(t, []float64{40.96e-6, 25.6e9, 25.6e9, 41e-6, 25.58e9, 25.58e9}, row(t, r, 0, 1<<20).Values)
	for _, s := range []foreign.Setting{{Name: "buffers", Value: "device"},
		{Name: "iters", Value: "20"}, {Name: "type, operation, root", Value: "float sum -1"}} {
		require.Contains(t, x.Settings, s)
	}

	// The text may have wrong data, end early, or have several types or lengths that are rounded to the same length.
	wrong, err := readAs(t, strings.Replace(ncclText, "25.60   25.60       0", "25.60   25.60   3e+04", 1))
	require.NoError(t, err)
	require.True(t, row(t, wrong, 0, 1<<20).Failed)
	require.True(t, wrong.Rating.NotValid)
	cut, err := readAs(t, ncclText[:strings.Index(ncclText, "     1048576 ")])
	require.NoError(t, err)
	require.False(t, cut.Complete)
	require.Equal(t, "its text ends at line 16", cut.Ended)
	last := "        1024           256     float     sum"
	types, err := readAs(t, strings.Replace(ncclText, last, strings.Replace(last, "float", "half", 1), 1))
	require.NoError(t, err)
	require.Len(t, types.Tables, 3)
	same, err := readAs(t, strings.Replace(ncclText, "        1024 ", "          64 ", 1))
	require.NoError(t, err)
	require.Equal(t, []float64{12.5e-6, 12.8e-6}, same.Tables[0].Rows[0].Each)
	require.InEpsilon(t, 12.425e-6, same.Tables[0].Rows[0].Values[3], 1e-12)
	_, err = readAs(t, strings.Replace(ncclText, "25.60   25.60", "25.60", 1))
	require.ErrorContains(t, err, "line 17: ")
}

// Older versions print no version, no name and other headings. Columns of only one place, columns of single iterations,
// and a time after each row are recognised by their headings.
func TestNCCLVersions(t *testing.T) {
	const old = "# nThread 1 nGpus 2 minBytes 8 maxBytes 8 step: 2(factor) warmup iters: 5 iters: 20 validation: 1 \n" +
		"#\n# Using devices\n#   Rank  0 Pid   4711 on      node7 device  0 [0x1b] Some GPU\n" +
		"#   Rank  1 Pid   4711 on      node7 device  1 [0x1c] Some GPU\n#\n"
	const end = "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 0.5 \n#\n"
	for rows, want := range map[string][]string{
		"#                                             out-of-place                       in-place          \n" +
			"#       size         count    type     time   algbw   busbw  error     time   algbw   busbw  error\n" +
			"#        (B)    (elements)             (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)       \n" +
			"           8             2   float     9.50    0.80    0.40  0e+00     9.00    0.90    0.45  0e+00\n": {
			"out-of-place time", "out-of-place algbw", "out-of-place busbw", "in-place time", "in-place algbw",
			"in-place busbw"},
		"#                                                              in-place          \n" +
			"#       size         count      type   redop    root     time   algbw   busbw #wrong\n" +
			"#        (B)    (elements)                               (us)  (GB/s)  (GB/s)       \n" +
			"           8             2     float    none       0     9.50    0.80    0.40      0\n": {
			"in-place time", "in-place algbw", "in-place busbw"},
		"#                                                      out-of-place (+ per-iteration)           " +
			"           in-place (+ per-iteration)\n" +
			"#       size         count      type   redop    root  cputime   algbw   busbw  #wrong    i_min    i_max" +
			"    i_p99    i_cv%           timestamp\n#        (B)    (elements)                               (us)" +
			"  (GB/s)  (GB/s)             (us)     (us)     (us)      (%)   %Y-%m-%d %H:%M:%S\n" +
			"           8             2     float              -1     9.50    0.80    0.40       0     9.00    11.00" +
			"    10.90     5.00  2026-06-08 12:00:01\n": {
			"out-of-place cputime", "out-of-place algbw", "out-of-place busbw", "out-of-place i_min",
			"out-of-place i_max", "out-of-place i_p99", "out-of-place i_cv%"},
	} {
		r, err := readAs(t, old+rows+end)
		require.NoError(t, err, rows)
		require.Equal(t, []any{"a test whose name isn't printed", 2}, []any{r.Tables[0].Test, r.Processes})
		require.Equal(t, want, heads(&r.Tables[0]))
		require.Equal(t, []float64{9.5e-6, 0.8e9, 0.4e9}, row(t, r, 0, 8).Values[:3])

		r, err = readAs(t, "mpirun -np 2 ./all_gather_perf_mpi -b 8 -e 8\nrccl-tests: Version x\n"+old+rows+end)
		require.NoError(t, err)
		require.Equal(t, "all_gather_perf", r.Tables[0].Test)
		require.Equal(t, "mpirun -np 2 ./all_gather_perf_mpi -b 8 -e 8", r.Command)
	}
	require.Empty(t, recognised("./all_gather_perf -b 8\nno table\n"), "a command without a table is not a run")
	require.Len(t, recognised(old+ncclText+ncclText), 3)
}
