package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi/job"
)

// A quick run assumes 128 MiB for a process, and 4 GiB for a host whose processes share processors.
func TestQuickMemory(t *testing.T) {
	const mib, gib = 1 << 20, 1 << 30
	for _, c := range []struct {
		name string
		each int64 // a process's share of its host's memory
		at   []job.Placement
		want int64
	}{
		{"a processor each", 8 * gib, []job.Placement{{Processes: 128, Processors: 128}}, 128 * mib},
		{"little memory", 16 * mib, []job.Placement{{Processes: 2, Processors: 2}}, 16 * mib},
		{"processors not known", 8 * gib, []job.Placement{{Processes: 1024}}, 128 * mib},
		{"crowded", 8 * gib, []job.Placement{{Processes: 1024, Processors: 2}}, 4 * mib},
		{"a little crowded", 8 * gib, []job.Placement{{Processes: 32, Processors: 31}}, 128 * mib},
		{"crowded, little memory", 2 * mib, []job.Placement{{Processes: 1024, Processors: 2}}, 2 * mib},
		{"one host of two", 8 * gib, []job.Placement{{Processes: 64, Processors: 64}, {Processes: 64, Processors: 63}},
			64 * mib},
	} {
		require.Equal(t, c.want, quickMemory(&job.Layout{Memory: c.each, Placement: c.at}), c.name)
	}
}
