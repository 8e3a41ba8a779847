package beffio

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/scripted"
)

// disk is a file system of constant speeds in bytes per second, with a constant cost of each call.
type disk struct {
	write, read float64
	call        float64 // seconds
	sync        float64 // bytes per second of MPI_File_sync, or 0 for no time per byte
	always      float64 // seconds of MPI_File_sync, independent of the bytes
}

// rate runs a plan over a scripted engine whose files are on d.
func rate(t *testing.T, c Config, processes int, d disk) *Result {
	plan, err := NewPlan(processes, c)
	require.NoError(t, err)
	e := &scripted.Engine{Processes: processes}
	e.Members = inTurn(append([]int{1}, plan.Partitions...)...)
	var begun time.Time
	var bytes, took float64 // of a loop
	e.Cost = func(s scripted.Step) float64 {
		speed := d.write
		for _, call := range s.Program.Loop {
			if call.Op.Reads() {
				speed = d.read
			}
		}
		begun, bytes = e.Now(), float64(s.Bytes)*float64(s.Size)
		took = d.call + bytes/speed
		return took
	}
	e.Files = func(call string) float64 {
		if call != "MPI_File_sync" {
			return 0
		}
		if d.sync == 0 {
			return d.always
		}
		return d.always + e.Now().Sub(begun).Seconds()/took*bytes/d.sync
	}
	m, err := measureIn(plan, "nowhere", e, observer{Now: e.Now})
	require.NoError(t, err)
	return NewResult(plan, m, Run{})
}

// A run takes T if reading is as fast as writing, and at most about twice T. The first pattern learns that a sync takes
// long. Each pattern takes at most its share, the call in flight and the sync.
func TestDuration(t *testing.T) {
	for name, d := range map[string]disk{
		"fast":          {write: 5e9, read: 5e9, call: 1e-6},
		"slow":          {write: 50e6, read: 50e6, call: 1e-4},
		"reads fast":    {write: 200e6, read: 5e9, call: 1e-6},
		"reads slowly":  {write: 1e9, read: 100e6, call: 1e-6},
		"slow per call": {write: 1e9, read: 1e9, call: 5e-3},
		"cached":        {write: 2e9, read: 4e9, call: 1e-6, sync: 200e6},
	} {
		for _, processes := range []int{1, 2, 16} {
			t.Run(fmt.Sprintf("%s, %d processes", name, processes), func(t *testing.T) {
				c := Config{Rules: RulesPaper, Duration: 15 * time.Minute, Memory: 1 << 30, MaxBytes: 1 << 50}
				r := rate(t, c, processes, d)
				longest := map[string]float64{"reads slowly": 2.05, "cached": 1.35}[name]
				longest = max(longest, 1.05)
				require.Greater(t, r.WallSeconds, 0.95*c.Duration.Seconds())
				require.Less(t, r.WallSeconds, longest*c.Duration.Seconds())
				require.Positive(t, r.Derived.BEffIO)
				for _, s := range r.Samples {
					require.LessOrEqual(t, s.Seconds, s.Scheduled+s.LastIO+s.Sync+1e-6, "%+v", s)
				}
			})
		}
	}
}
