package rating

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Before a run there is a warning if other programs use more than half a processor.
func TestBusy(t *testing.T) {
	require.Empty(t, (*Load)(nil).Busy())
	require.Empty(t, (&Load{Others: 0.49, Host: "n1", Processors: 2}).Busy())
	require.Equal(t, "other programs keep 1.7 of 8 processors of n1 busy: the figures will be noisy, and too low",
		(&Load{Others: 1.68, Host: "n1", Processors: 8}).Busy())
}

// Each sign of other load has its value with the limit, and its warning ends with the remedy.
func TestLoadSigns(t *testing.T) {
	quiet := &Load{Average: 1.5, Host: "n1", Processors: 8, Governor: "performance", Slowest: 2.9e9, Fastest: 3e9}
	require.False(t, Noisy(quiet.Signs()), "the load average before the run is not a sign")
	require.Len(t, quiet.Signs(), 3, "throttling is a sign only if there was some")
	busy := &Load{Average: 3, Others: 0.34, Host: "n1", Processors: 8, Steal: 0.031, Governor: "powersave",
		Slowest: 1.2e9, Fastest: 3e9, Throttled: 7}
	require.Equal(t, []Warning{
		{"load", "other programs kept 0.34 of 8 processors of n1 busy (quiet: at most 0.10); the load average before " +
			"the run was 3.00",
			"use whole nodes (--exclusive), and look for other programs there with `top`"},
		{"steal", "the hypervisor gave 3.1 % of the processors' time to other guests (quiet: at most 2 %)",
			"use a machine without other guests, or a guest with dedicated processors"},
		{"throttled", "cores or packages were slowed down 7 times because they were hot (quiet: never)",
			"look at the cooling of the host"},
		{"frequency", "the processors' frequencies were 1.20 to 3.00 GHz, 60 % apart (quiet: at most 10 %), under " +
			"the governor powersave", "set the governor performance, and a fixed frequency"},
	}, Warnings(busy.Signs()))
	busy.Governor, busy.Throttled = "performance", 1
	require.Len(t, Warnings(busy.Signs()), 4)
	require.Equal(t, "set a fixed frequency; look at the limits of power and of heat", Warnings(busy.Signs())[3].Remedy)
	busy.Governor = ""
	require.Contains(t, busy.Signs()[2].Text, "(quiet: at most 10 %)")
	require.NotContains(t, busy.Signs()[2].Text, "governor")
	large := &Load{Others: 0.6, Host: "n1", Processors: 128}
	require.Len(t, large.Signs(), 2, "frequencies aren't known")
	require.False(t, Noisy(large.Signs()), "0.5 % of 128 processors are services")
	large.Others = 0.7
	require.True(t, Noisy(large.Signs()))
	require.Empty(t, (*Load)(nil).Signs())
}
