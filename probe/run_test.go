package probe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// The list of warnings of a run without warnings is empty and not null, as the schema demands.
func TestNoWarnings(t *testing.T) {
	plan, err := probe.NewPlan(2, probe.Config{Selections: named(t, "PingPong")})
	require.NoError(t, err)
	r := probe.NewResult(plan, &measured.Outcome{}, probe.Run{})
	require.NotNil(t, r.Warnings)
	require.Empty(t, r.Warnings)
}

// Kernels whose data a device's memory can't hold are refused by name.
func TestDeviceRefusals(t *testing.T) {
	for _, x := range []struct {
		component kernel.Component
		name      string
		window    settings.WindowKind
		other     mpi.MemoryKind
		staged    bool
		why       string
	}{
		{kernel.P2P, "PingPong", "", "", false,
			"only messages between processes can be in memory of cuda:device: leave --buffers out"},
		{kernel.RMA, "Accumulate", "", "", false, ""},
		{kernel.RMA, "Accumulate", "", "", true, "has transfers from and to a window, which aren't staged through " +
			"the host's memory: leave --staged out"},
		{kernel.OSU, "osu_put_latency", settings.Allocated, "", false,
			"has a window whose memory the MPI library allocates, not cuda:device: leave window out"},
		{kernel.OSU, "osu_put_latency", "", "", false, ""},
		{kernel.PGAS, "Reduction_in_place", "", "", true, "has messages in place, in parts, with gaps or from all " +
			"processes at once, which aren't staged"},
		{kernel.MPI1, "Exchange", "", "host", false, "Exchange has processes that are neither the first nor the " +
			"second one of a pair"},
		{kernel.OSU, "osu_bw_fan_out", "", "host", false, "two kinds of memory: give --buffers one kind"},
		{kernel.MPI1, "Exchange", "", "", true, ""},
		{kernel.MPI1, "Uniband", "", "host", true, ""},
		{kernel.OSU, "osu_multi_lat", "", "cuda:managed", false, ""},
		{kernel.OSU, "osu_put_latency", "", "host", false, ""},
	} {
		k, _, _ := suites.Find(x.component, x.name)
		c := probe.Config{Selections: []probe.Selection{{Kernel: k}}}
		c.Settings.Memory.MessageMemory = mpi.MessageMemory{Buffers: "cuda:device", Other: x.other, Staged: x.staged}
		c.Settings.OneSided.Window = x.window
		plan, err := probe.NewPlan(2, c)
		if x.why == "" {
			require.NoError(t, err, x.name)
			continue
		}
		require.Nil(t, plan)
		require.ErrorContains(t, err, x.why)
	}
}
