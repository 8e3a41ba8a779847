package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// TestPGASUnderMPI measures all kernels of PGAS that a completion has, with each kind of window and of target: no wrong
// data, and all rows have figures.
func TestPGASUnderMPI(t *testing.T) {
	for _, c := range []struct {
		ranks   int
		options string
	}{
		{2, "--option completion=each --option window=allocate"},
		{2, "--option completion=local --option target=compute"},
		{4, "--option completion=all --option offset=1"},
		{4, "--option completion=request --option window=allocate --option self"},
	} {
		t.Run(fmt.Sprintf("P=%d %s", c.ranks, c.options), func(t *testing.T) {
			prefix := filepath.Join(t.TempDir(), "pgas")
			args := "probe pgas --msglog 12:12 --iter 2,1,2 --option count=50 --option block=8 " +
				"--option strides=1,3 " + c.options
			out, err := underMPI(t, launcher(t), c.ranks,
				append(strings.Fields(args), "-o", prefix)...).CombinedOutput()
			require.NoError(t, err, string(out))
			r := readProbe(t, prefix+".json")
			measured := measuredPGAS(t, r)
			compute, local := strings.Contains(c.options, "compute"), strings.Contains(c.options, "local")
			for _, k := range suites.Kernels() {
				if k.Component != kernel.PGAS {
					continue
				}
				oneWay := k.Active == 2 && k.Moved > 0 && !k.TwoWay() || k.Name == "Put_get"
				get := strings.HasPrefix(k.Name, "Get_") && k.Moved > 0 || strings.Contains(k.Name, "_get_") ||
					k.Name == "Random_get"
				require.Equal(t, (!compute || oneWay) && (!local || !get), measured[k.Name], k.Name)
			}
		})
	}
}

// measuredPGAS returns the names of the kernels in a result, and checks that all rows have figures and no wrong data.
func measuredPGAS(t *testing.T, r *probe.Result) map[string]bool {
	measured := map[string]bool{}
	for _, b := range r.Blocks {
		measured[b.Kernel] = true
		for _, row := range b.Rows {
			require.Empty(t, row.Missing, "%s of %d bytes", b.Kernel, row.Bytes)
			require.Zero(t, row.Defects, "%s of %d bytes, stride %d", b.Kernel, row.Bytes, row.Stride)
			require.NotEmpty(t, row.Derived)
		}
	}
	return measured
}

// TestOffsetUnderMPI runs IMB-RMA's kernels for two processes on two pairs at the same time.
func TestOffsetUnderMPI(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "rma")
	args := "probe rma:Fetch_and_op rma:Unidir_put --msglog 3:3 --iter 2,1,2 --option offset=1 --option window=allocate"
	out, err := underMPI(t, launcher(t), 4, append(strings.Fields(args), "-o", prefix)...).CombinedOutput()
	require.NoError(t, err, string(out))
	blocks := readProbe(t, prefix+".json").Blocks
	require.Len(t, blocks, 4)
	for _, b := range blocks {
		require.Equal(t, [][]int{{0, 1}, {2, 3}}, b.Groups)
		require.Equal(t, settings.Allocated, b.WindowKind)
		require.False(t, slices.ContainsFunc(b.Rows, func(row measured.Row) bool { return row.Defects > 0 }))
	}
}
