package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// reproMPI finds ReproMPI's line with the figures, and gives it the standard error as the threshold.
func TestReproMPI(t *testing.T) {
	directory := t.TempDir()
	program := filepath.Join(directory, "peer")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\necho \"$@\" >"+directory+"/words\n"+
		"echo 'test nrep count mean_runtime_sec median_runtime_sec pred_method pred_value'\n"+
		"echo 'Send_Recv 315 1 0.0000004247 0.0000003400 rse 0.0090046453'\n"), 0o700))
	o := &options{peer: program, launch: "env", most: 100, part: 0.025}
	got, err := o.reproMPI(1)
	require.NoError(t, err)
	require.Equal(t, [3]float64{4.247e-7, 4.247e-7, 315}, [3]float64{got.figure, got.mean, got.repetitions})
	require.InDelta(t, 315*4.247e-7, got.inRepetitions(), 1e-12)
	o.statistic = median
	got, err = o.reproMPI(1)
	require.NoError(t, err)
	require.Equal(t, [2]float64{3.4e-7, 4.247e-7}, [2]float64{got.figure, got.mean})
	words, err := os.ReadFile(directory + "/words")
	require.NoError(t, err)
	require.Contains(t, string(words), "--msizes-list=1 --rep-prediction=min=5,max=100,step=5 --pred-method=rse "+
		"--var-thres=0.012755")
}

func TestInterval(t *testing.T) {
	s := interval([]outcome{{figure: 1e-6}, {figure: 2e-6}, {figure: 3e-6}})
	require.InDelta(t, 2e-6, s.mean, 1e-18)
	require.InDelta(t, 2e-6-2.4841e-6, s.low, 1e-9)
	require.Equal(t, "2.000 (-0.484 … 4.484)", s.String())
}

func TestWrongOptions(t *testing.T) {
	for _, args := range [][]string{{}, {"-peer", "x", "-rounds", "2"}, {"-peer", "x", "-lengths", "0"},
		{"-peer", "x", "-precision", "0"}, {"-peer", "x", "-statistic", "mode"},
		{"-peer", filepath.Join(t.TempDir(), "none")}} {
		require.Error(t, run(args, &bytes.Buffer{}), args)
	}
}
