package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi/libshmem"
	"github.com/effective-bandwidth/beff/probe/settings"
)

var buildSHMEM = sync.OnceValues(func() (string, error) { return buildWith(os.Getenv("OSHCC")) })

// underSHMEM runs beff on processes that the launcher of OSHRUN starts, such as "oshrun --oversubscribe".
func underSHMEM(t *testing.T, processes int, args string) (output string, err error) {
	words := strings.Fields(os.Getenv("OSHRUN"))
	if len(words) == 0 {
		t.Skip("OSHRUN and OSHCC name no OpenSHMEM: run make test-openshmem")
	}
	binary, err := buildSHMEM()
	require.NoError(t, err)
	words = append(append(words, "-n", fmt.Sprint(processes), binary), strings.Fields(args)...)
	c := exec.Command(words[0], words[1:]...)
	c.Env = append(os.Environ(), noPlugins...)
	out, err := c.CombinedOutput()
	return string(out), err
}

// onSHMEM lists the kernels of PGAS that have no strides.
var onSHMEM = []string{"Sync_barrier", "Sync_p2p", "Put_get", "Put_put_barrier", "Put_put_p2p", "Get_get_barrier",
	"Get_get_p2p", "Put_oneway", "Get_oneway", "Put_twoway", "Get_twoway", "Random_put", "Random_get", "Reduction",
	"Reduction_in_place"}

// TestPGASUnderOpenSHMEM measures all kernels that OpenSHMEM has: no wrong data, and the document names the engine.
func TestPGASUnderOpenSHMEM(t *testing.T) {
	for processes, completion := range map[int]string{2: "each", 4: "all --option offset=1"} {
		prefix := filepath.Join(t.TempDir(), "pgas")
		out, err := underSHMEM(t, processes, "probe pgas --engine openshmem --msglog 12:12 --iter 2,1,2 "+
			"--option count=50 --option block=8 --option strides=1,3 --option completion="+completion+" -o "+prefix)
		require.NoError(t, err, out)
		require.NotContains(t, out, "skipped")
		r := readProbe(t, prefix+".json")
		require.Equal(t, "openshmem", r.Engine.Engine)
		require.Equal(t, libshmem.Kind, r.Engine.Kind())
		measured := measuredPGAS(t, r)
		for _, b := range r.Blocks {
			if b.WindowKind != "" {
				require.Equal(t, settings.Allocated, b.WindowKind, "OpenSHMEM has no other windows")
			}
		}
		for _, name := range onSHMEM {
			require.True(t, measured[name], name)
		}
		const strided = 12
		require.Len(t, measured, len(onSHMEM)+strided)
	}
}

// TestLinesUnderOpenSHMEM asks for features that the engine lacks. beff must print one line for each.
func TestLinesUnderOpenSHMEM(t *testing.T) {
	for args, line := range map[string]string{
		"probe PingPong": "beff: PingPong needs messages (MPI_Send), which OpenSHMEM 1.4 of Open MPI doesn't " +
			"have\n",
		"run --quick":         "beff: --engine openshmem: want auto, mpi, local or sim\n",
		"probe PingPong -n 2": "beff: -n is for the embedded engine",
	} {
		out, err := underSHMEM(t, 2, args+" --engine openshmem")
		require.Error(t, err, args)
		require.Equal(t, 1, strings.Count(out, line), out)
	}
}
