package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe"
)

func TestRows(t *testing.T) {
	c := &contest{options: options{lengths: []int64{4, 8}}}
	k, _, _ := probe.FindIn(probe.RMA, "Unidir_put")
	at := func(mode probe.Mode, n int64, seconds float64) least { return least{{mode, "t", n}: seconds} }
	require.Equal(t, "| RMA Unidir_put, aggregate | t |\n| RMA Unidir_put, non-aggregate | t | 1.50 (1.10) |\n",
		c.rows(k, at(probe.NonAggregate, 4, 2e-6), at(probe.NonAggregate, 4, 3e-6), at(probe.NonAggregate, 4, 2.2e-6)))
	require.Equal(t, "-", ratio(0, 1))
}

func TestWrongOptions(t *testing.T) {
	for _, args := range [][]string{{}, {"-imb", "x", "-lengths", "a"}, {"-imb", "x", "-runs", "0"},
		{"-imb", "x", "-kernels", "["}} {
		var out bytes.Buffer
		require.Error(t, run(args, &out, &out), args)
	}
}
