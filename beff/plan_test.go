package beff_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
)

func TestPlanErrors(t *testing.T) {
	good := beff.Config{Rules: beff.Rules2001, Memory: gib}
	for _, c := range []struct {
		processes int
		change    func(*beff.Config)
		want      string
	}{
		{1, func(*beff.Config) {}, "at least 2 processes, this job has 1"},
		{0, func(*beff.Config) {}, "at least 2 processes"},
		{2, func(c *beff.Config) { c.Rules = "1999" }, `unknown rules "1999"`},
		{2, func(c *beff.Config) { c.Memory = 512<<10 - 1 }, "524287 bytes of memory per process are too little"},
		{2, func(c *beff.Config) { c.Memory = -1 }, "too little"},
		{2, func(c *beff.Config) { c.Patterns = []string{"ring", "rong"} }, `unknown pattern "rong"`},
		{2, func(c *beff.Config) { c.Patterns = []string{"["} }, `pattern "["`},
		{2, func(c *beff.Config) { c.Methods = []string{"sendrecv", "rdma"} }, `unknown method "rdma"`},
	} {
		config := good
		c.change(&config)
		_, err := beff.NewPlan(c.processes, config)
		require.ErrorContains(t, err, c.want)
	}
}

func TestPlanSelection(t *testing.T) {
	plan, err := beff.NewPlan(16, beff.Config{Rules: beff.Rules36, Memory: gib,
		Patterns: []string{"random-0*", "ring-8*2fix"}, Methods: []string{"nonblocking", "sendrecv"}})
	require.NoError(t, err)
	require.Equal(t, []beff.Method{beff.Sendrecv, beff.Nonblocking}, plan.Methods)
	require.Len(t, plan.Patterns, 10)
	require.Equal(t, "ring-8*2fix", plan.Patterns[0].Name)
	require.Equal(t, 10*2*21*3, plan.Measurements())
	require.EqualValues(t, 6*(8<<20+16), plan.BufferSize())
}

// The longest message, Lmax, depends on the memory of a process.
func TestPlanLmax(t *testing.T) {
	for memory, lmax := range map[int64]int64{512 << 10: 4096, gib: 8 << 20, 1 << 40: 128 << 20} {
		plan, err := beff.NewPlan(2, beff.Config{Rules: beff.Rules2001, Memory: memory})
		require.NoError(t, err)
		require.Equal(t, lmax, plan.Lmax)
		require.Equal(t, lmax, plan.Lengths[20])
		expected, _ := plan.Expected(1e9)
		require.Positive(t, expected)
	}
}
