package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
)

func TestReport(t *testing.T) {
	put := key{kernel.RMA, "Unidir_put", settings.Aggregate, "t", 4}
	longer := put
	longer.bytes = 8
	all := []figure{{put, 1e-6, 1.1e-6, 1.08e-6}, {longer, 1e-6, 1.2e-6, 1.1e-6},
		{key{kernel.P2P, "PingPong", "", "t", 4}, 1e-6, 0.9e-6, 1e-6}, {key{kernel.P2P, "PingPing", "", "t", 4}, 1, 0,
			1}}
	text := report(&options{name: "MPI", runs: 9}, all)
	require.Contains(t, text, "| RMA | 2 | 1 | 0 | 1 | 1.20 | 1.10 | 1.20 | median 1.10, largest 1.10 |\n"+
		"| P2P | 1 | 0 | 1 | 0 | 0.90 | 0.90 | 0.90 | median 1.00, largest 1.00 |\n")
	require.Contains(t, text, "| RMA Unidir_put, aggregate | t | 8 B: 1.20 (1.10) |\n| P2P PingPong | t | 4 B: 0.90 "+
		"(1.00) |\n"+
		"| P2P PingPing | t | 4 B: beff has none |\n")
	require.Contains(t, report(&options{all: true}, all), "| t | 4 B: 1.10 (1.08), 8 B: 1.20 (1.10) |")
	require.Contains(t, report(&options{}, nil), "No figure lies outside")
}

// Each kernel of an existing binary is in exactly one batch if it runs on two processes.
func TestBatches(t *testing.T) {
	directory := t.TempDir()
	for _, name := range []string{"IMB-P2P", "IMB-EXT"} {
		require.NoError(t, os.WriteFile(filepath.Join(directory, name), nil, 0o600))
	}
	c := &contest{options: options{imb: directory, kernels: "*", batch: 4}, processes: 2}
	var list []string
	for _, batch := range c.batches() {
		list = append(list, names(batch))
	}
	require.Equal(t, []string{"EXT Window, Unidir_Get, Unidir_Put, Bidir_Get", "EXT Bidir_Put, Accumulate",
		"P2P PingPong, PingPing, Unirandom, Birandom", "P2P Corandom, SendRecv_Replace"}, list)
	c.kernels = "P2P:Ping*"
	require.Len(t, c.batches(), 1)
}

// TestMeasure replaces both programs by a script. It checks the table and the options that the script gets.
func TestMeasure(t *testing.T) {
	text, err := os.ReadFile("testdata/p2p.txt")
	require.NoError(t, err)
	directory := t.TempDir()
	script := "#!/bin/sh\necho \"$@\" >>" + filepath.Join(directory, "words") + "\ncat <<'END'\n" + string(text) +
		"END\n"
	for _, name := range []string{"IMB-P2P", "beff"} {
		require.NoError(t, os.WriteFile(filepath.Join(directory, name), []byte(script), 0o700))
	}
	var out, errors bytes.Buffer
	require.NoError(t, run([]string{"-imb", directory, "-beff", filepath.Join(directory, "beff"), "-launch", "env",
		"-runs", "2", "-lengths", "0,65536", "-p", directory, "-kernels", "P2P:P*", "-all"}, &out, &errors))
	require.Empty(t, errors.String())
	require.Contains(t, out.String(), "| P2P PingPong | t | 0 B: 1.00 (1.00), 65536 B: 1.00 (1.00) |")
	called, err := os.ReadFile(filepath.Join(directory, "words"))
	require.NoError(t, err)
	require.Equal(t, 6, strings.Count(string(called), "-msglen lengths -pause 0 PingPong PingPing\n"))
	require.Equal(t, 2, strings.Count(string(called), "imb p2p -p "))
}

// Overlaps are compared in points, and overlaps of 0 count.
func TestOverlaps(t *testing.T) {
	at := key{component: kernel.OSU, kernel: "osu_ibcast", time: "Overlap(%)", bytes: 8}
	longer, longest := at, at
	longer.bytes, longest.bytes = 16, 32
	text := report(&options{all: true}, []figure{{at, 0, 0, 0}, {longer, 40, 50, 44}, {longest, 40, 31, 44}})
	require.Contains(t, text, "| OSU, overlap in points | 3 | 1 | 1 | 1 | +0 | -9 | +6 | within 5 |\n")
	require.Contains(t, text, "| OSU osu_ibcast | Overlap(%) | 8 B: 0 (0, 0), 16 B: 50 (40, 44), 32 B: 31 (40, 44) |")
}

// OSU's tests run on the number of processes that the launcher starts.
func TestProcesses(t *testing.T) {
	require.Equal(t, 4, processesOf("mpirun --oversubscribe -n 4"))
	require.Equal(t, 3, processesOf("mpirun -np 3 --bind-to core"))
	require.Equal(t, 2, processesOf("env"))
	has := func(n int, name string) bool {
		c := &contest{programs: map[string]string{name: "/x"}, processes: n}
		for _, k := range suites.Kernels() {
			if k.Name == name {
				return c.has(k)
			}
		}
		return false
	}
	require.False(t, has(2, "osu_neighbor_alltoall"))
	require.True(t, has(4, "osu_neighbor_alltoall"))
	require.False(t, has(4, "osu_bw_persistent"))
	require.True(t, has(2, "osu_bw_persistent"))
	require.True(t, has(4, "osu_init"))
	require.False(t, has(4, "osu_hello"))
}

func TestWrongOptions(t *testing.T) {
	for _, args := range [][]string{{}, {"-imb", "x", "-lengths", "a"}, {"-imb", "x", "-runs", "0"},
		{"-imb", "x", "-kernels", "["}, {"-imb", "x", "-batch", "0"}} {
		var out bytes.Buffer
		require.Error(t, run(args, &out, &out), args)
	}
}

// The times in IMB-MT's text are assigned to its kernels by the bytes of all threads, and the least of several runs
// counts.
func TestReadMT(t *testing.T) {
	var batch []*kernel.Kernel
	for _, name := range []string{"PingPongMT", "UniBandMT", "BarrierMT"} {
		k, _, _ := suites.Find(kernel.MT, name)
		batch = append(batch, k)
	}
	best := least{}
	for _, time := range []string{"0.50", "0.40"} {
		readMT("\n#---\n# Benchmarking PingPongMT\n# #processes = 2 (threads: 2)\n#---\n"+
			" #bytes #repetitions t_min[usec] t_max[usec] t_avg[usec] Mbytes/sec\n 8 1000 0.1 "+time+" 0.2 9.0\n"+
			"# Benchmarking UniBandMT\n #bytes #repetitions t_avg[usec] Mbytes/sec Msg/sec\n 8 1000 0.30 1 2\n"+
			"# Benchmarking BarrierMT\n #repetitions t_min[usec] t_max[usec] t_avg[usec]\n 1000 1 2 3\n", batch, best)
	}
	require.Equal(t, least{
		{component: kernel.MT, kernel: "PingPongMT", time: "t", bytes: 8}:    0.4,
		{component: kernel.MT, kernel: "UniBandMT", time: "t_avg", bytes: 8}: 0.3,
		{component: kernel.MT, kernel: "BarrierMT", time: "t"}:               2,
	}, best)
}
