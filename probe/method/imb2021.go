package method

import (
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// IMB2021 returns the method of IMB 2021.11. Unlike the guide's, in collective kernels it reads the clock around each
// repetition, separates repetitions by barriers, and keeps the root. A block has one file, and its rows have the
// lengths of messages. -iter also limits the non-aggregate repetitions.
func IMB2021() Method {
	m := Guide()
	m.Name, m.Title = settings.ByIMB2021, "Intel MPI Benchmarks 2021.11"
	m.Defaults, m.Compute = imb2021Defaults, 0.01 // TARGET_CPU_SECS
	m.clock.syncs, m.clock.shifts, m.keepsFiles, m.mapsPart, m.count.capped, m.stops = true, false, true, true, true,
		true
	m.clock.each = func(k *kernel.Kernel, _ bool) bool { return timesOnlyCalls(k) }
	m.count.completesEach = func(k *kernel.Kernel) bool { return completesEach(k) && !k.OnlyAggregate() }
	return m
}

// imb2021Defaults returns a component's defaults. Files have the defaults of messages, except for the number of
// processes; IMB-P2P has more repetitions.
func imb2021Defaults(c kernel.Component) Defaults {
	d := componentDefaults(c)
	switch c {
	case kernel.IO:
		least := d.MinProcs
		d = componentDefaults(kernel.MPI1)
		d.MinProcs = least
	case kernel.P2P:
		d.MsgsPer, d.OverallVol = 100_000, 800<<20
	}
	return d
}
