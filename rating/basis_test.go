package rating_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
)

// bases returns the bases of two results that may be judged by each other, after a change of the second one.
func bases(change func(*rating.Basis)) (a, b rating.Basis) {
	a = rating.Basis{Name: "a", Class: rating.Class{Benchmark: "b_eff", Rules: "2001"}, System: "X", Processes: 4,
		PerNode: 2, Longest: 1 << 20, Library: "Open MPI", Version: "4.1.4"}
	b = a
	b.Name, b.Measurement = "b", rating.Measurement{Samples: 1}
	change(&b)
	return a, b
}

// Each property by itself decides which results may be judged, ranked and averaged with each other.
func TestBasis(t *testing.T) {
	for name, c := range map[string]struct {
		change      func(*rating.Basis)
		not         string // why b isn't judged by a, or empty
		ranks, cell bool
		over        bool // whether both are in one series over time
	}{
		"runs":      {func(*rating.Basis) {}, "", true, true, true},
		"not valid": {func(b *rating.Basis) { b.Problem = "NOT VALID" }, "b is NOT VALID", false, true, true},
		"system":    {func(b *rating.Basis) { b.System = "Y" }, "", true, false, false},
		"library":   {func(b *rating.Basis) { b.Library = "MPICH" }, "", true, false, false},
		"version":   {func(b *rating.Basis) { b.Version = "5.0" }, "", true, false, true},
		"rules":     {func(b *rating.Basis) { b.Rules = "3.6" }, "rules 2001 and 3.6", false, false, false},
		"engine": {func(b *rating.Basis) { b.Engine = rating.Embedded }, "MPI and embedded engine", false, false,
			false},
		"benchmark": {func(b *rating.Basis) { b.Benchmark = "probe" }, "benchmarks b_eff and probe", false, false,
			false},
		"way":         {func(b *rating.Basis) { b.Way = "series" }, "measured by , and by series", true, false, false},
		"processes":   {func(b *rating.Basis) { b.Processes = 8 }, "4 and 8 processes", false, false, false},
		"per node":    {func(b *rating.Basis) { b.PerNode = 4 }, "2 and 4 processes per node", false, false, false},
		"numbering":   {func(b *rating.Basis) { b.Numbering = "cyclic" }, "", true, false, false},
		"no per node": {func(b *rating.Basis) { b.PerNode = 0 }, "", false, false, false},
		"less memory": {func(b *rating.Basis) { b.Longest = 1 << 19 }, "Lmax 1 MiB and 512 KiB", true, false, true},
		"nearly":      {func(b *rating.Basis) { b.Longest -= 1 << 14 }, "", true, true, true},
		"limited": {func(b *rating.Basis) { b.Longest, b.Limited = 4096, 4096 }, "Lmax 1 MiB and 4 KiB", false, false,
			false},
		"copy": {func(b *rating.Basis) { b.Measurement = rating.Measurement{} }, "a and b are the same measurement",
			true, true, true},
	} {
		a, b := bases(c.change)
		for _, pair := range [][2]rating.Basis{{a, b}, {b, a}} {
			if err := pair[0].Judged(pair[1]); c.not == "" {
				require.NoError(t, err, name)
			} else if pair[0].Name == "a" {
				require.ErrorContains(t, err, c.not, name)
			} else {
				require.Error(t, err, name)
			}
			require.Equal(t, c.ranks, pair[0].Ranks(pair[1]), name)
		}
		var cells, series rating.Cells
		cells.Of(a)
		_, first := cells.Of(b)
		require.Equal(t, c.cell, !first, name)
		series.Of(a.OverTime())
		_, first = series.Of(b.OverTime())
		require.Equal(t, c.over, !first, name)
	}
}
