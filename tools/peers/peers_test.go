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

// Each kernel of a binary that is there is in one batch, if it runs on two processes.
func TestBatches(t *testing.T) {
	directory := t.TempDir()
	for _, name := range []string{"IMB-P2P", "IMB-EXT"} {
		require.NoError(t, os.WriteFile(filepath.Join(directory, name), nil, 0o600))
	}
	c := &contest{options: options{imb: directory, kernels: "*", batch: 4}}
	var list []string
	for _, batch := range c.batches() {
		list = append(list, names(batch))
	}
	require.Equal(t, []string{"EXT Window, Unidir_Get, Unidir_Put, Bidir_Get", "EXT Bidir_Put, Accumulate",
		"P2P PingPong, PingPing, Unirandom, Birandom", "P2P Corandom, SendRecv_Replace"}, list)
	c.kernels = "P2P:Ping*"
	require.Len(t, c.batches(), 1)
}

// A script stands in for both programs: the least of each figure counts, and IMB's text has the words of its options.
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

func TestWrongOptions(t *testing.T) {
	for _, args := range [][]string{{}, {"-imb", "x", "-lengths", "a"}, {"-imb", "x", "-runs", "0"},
		{"-imb", "x", "-kernels", "["}, {"-imb", "x", "-batch", "0"}} {
		var out bytes.Buffer
		require.Error(t, run(args, &out, &out), args)
	}
}
