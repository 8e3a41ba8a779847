package method

import (
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// readings is the number of clock readings whose cost is measured.
const readings = 1000

// measureClock measures the cost of reading the clock, and records the clock's resolution, if a kernel's method keeps
// the time of each repetition.
func (m *Measurer) measureClock(kernels []*kernel.Kernel) error {
	times := func(k *kernel.Kernel) bool { return m.Way(k).times }
	if !slices.ContainsFunc(kernels, times) {
		return nil
	}
	p := &mpi.Program{Comm: m.World, Start: m.World, Loop: []mpi.Call{{Op: mpi.Lap}, {Op: mpi.Lap, Root: 1}}}
	got, err := m.executeQuietly(p, mpi.Loops{Untimed: readings, Timed: readings, Each: true})
	if err != nil {
		return err
	}
	cost, _ := stats.Median(stats.Sorted(got.Laps[1].Each), settings.Default.Precision.Confidence)
	clock := m.Engine.Clock()
	resolution := clock.Resolution
	if m.Settings.Clocked() == settings.ByRoot && m.World.Rank() != kernel.Root {
		resolution = 0
	}
	largest := []float64{cost, resolution}
	if err := m.World.Allreduce(largest, mpi.Max); err != nil {
		return err
	}
	m.Out.Clock = &measured.Clock{Global: clock.Global, Reading: rating.Picoseconds(largest[0]), Resolution: largest[1]}
	return nil
}
