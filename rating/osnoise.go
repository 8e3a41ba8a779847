package rating

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/stats"
)

// NoiseMethod is a way to measure the time that processes lose to other activity.
type NoiseMethod string

// The methods.
const (
	FixedWork NoiseMethod = "fwq"    // how long pieces of the same work take
	FixedTime NoiseMethod = "ftq"    // how much work is done in periods of the same length
	Detours   NoiseMethod = "detour" // where a loop that only reads the clock takes longer
)

// Noise is the time that other activity took from processes that only computed, all at the same time.
type Noise struct {
	// Method: fixed work quanta, fixed time quanta, or the detours of a loop that reads the clock.
	Method NoiseMethod `json:"method" jsonschema:"enum=fwq,enum=ftq,enum=detour"`
	// Seconds for which a process measured.
	Seconds float64 `json:"seconds" jsonschema:"minimum=0"`
	// Seconds of the bins in which lost time was summed.
	Bin float64 `json:"bin" jsonschema:"minimum=0"`
	// Part of the time that each process lost, 0 to 1, by rank.
	Shares []float64 `json:"shares"`
	// Seconds of the longest detour of each process.
	Longest []float64 `json:"longest"`
	// Period in seconds with which each process lost time regularly; 0 if it wasn't regular.
	Periods []float64 `json:"periods"`
	// Rank of the process that lost most.
	Worst int `json:"worst" jsonschema:"minimum=0"`
	// Parts that this process lost of consecutive times of the same length, 0 to 1.
	Parts []float64 `json:"parts" jsonschema:"maxItems=1000"`
	// Detours of this process in picoseconds; left out if there were none.
	Detours *stats.Histogram `json:"detours,omitempty"`
}

// Share returns the part of the time that the worst process lost.
func (n *Noise) Share() float64 { return n.Shares[n.Worst] }

// LongestOfAll returns the longest detour in seconds.
func (n *Noise) LongestOfAll() float64 { return slices.Max(n.Longest) }

// Period returns the period in seconds of the worst process's losses, or 0 if they weren't regular.
func (n *Noise) Period() float64 { return n.Periods[n.Worst] }

// Check returns an error unless n can come from a job of this many processes. n may be from a file that beff didn't
// write.
func (n *Noise) Check(processes int) error {
	switch {
	case n == nil:
		return nil
	case len(n.Shares) != processes || len(n.Longest) != processes || len(n.Periods) != processes:
		return fmt.Errorf("noise: shares, longest and periods of %d, %d and %d processes, want %d", len(n.Shares),
			len(n.Longest), len(n.Periods), processes)
	case n.Worst < 0 || n.Worst >= processes || n.Share() != slices.Max(n.Shares):
		return fmt.Errorf("noise: process %d hasn't lost most", n.Worst)
	case !slices.Contains([]NoiseMethod{FixedWork, FixedTime, Detours}, n.Method):
		return fmt.Errorf("noise: unknown method %q", n.Method)
	case !IsTime(n.Seconds) || !IsTime(n.Bin) || !(n.Bin > 0):
		return fmt.Errorf("noise of %v s in bins of %v s", n.Seconds, n.Bin)
	}
	for i, share := range n.Shares {
		if !(share >= 0 && share <= 1) || !IsTime(n.Longest[i]) || !IsTime(n.Periods[i]) {
			return fmt.Errorf("noise: process %d lost %v of its time, %v s at once, every %v s", i, share, n.Longest[i],
				n.Periods[i])
		}
	}
	if slices.ContainsFunc(n.Parts, func(x float64) bool { return !(x >= 0 && x <= 1) }) {
		return fmt.Errorf("noise: a part that isn't 0 to 1")
	}
	if n.Detours != nil {
		return n.Detours.Check()
	}
	return nil
}

// Words describes the noise.
func (n *Noise) Words() string {
	text := fmt.Sprintf("process %d lost %s %% of its time to other work on its processor, up to %s at once",
		n.Worst, Percent(n.Share()), Time(n.LongestOfAll()))
	if p := n.Period(); p > 0 {
		text += ", every " + Time(p)
	}
	sorted := stats.Sorted(n.Shares)
	if len(sorted) > 1 {
		text += fmt.Sprintf("; half of the processes lost no more than %s %%", Percent(stats.Quantile(sorted, 0.5)))
	}
	return text
}

// MaxNoise is the largest part of its time that a process of a quiet machine loses.
const MaxNoise = 0.01

// signs returns the sign of noise that was measured before the run, or none.
func (n *Noise) signs() []Sign {
	if n == nil || n.Check(len(n.Shares)) != nil {
		return nil
	}
	return []Sign{NewSign("noise", "leave a processor of each node to the system, or look for other programs: "+
		"`beff probe Detour` shows the lost time by process", n.Share(), MaxNoise, n.Words()+fmt.Sprintf(
		" (quiet: at most %.0f %%)", 100*MaxNoise))}
}
