package method

import (
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// Today returns the method of IMB 2021.11. It differs from the guide's: in collective kernels the clock is read around
// each repetition, barriers stand between them, and the root stays. A block has one file, as large as messages are.
// -iter limits the non-aggregate repetitions, too.
func Today() Method {
	m := Guide()
	m.Name, m.Title = settings.ByToday, "Intel MPI Benchmarks 2021.11"
	m.Defaults, m.Compute = todaysDefaults, 0.01 // TARGET_CPU_SECS
	m.clock.syncs, m.clock.shifts, m.keepsFiles, m.mapsPart, m.count.capped, m.stops = true, false, true, true, true,
		true
	m.clock.each = func(k *kernel.Kernel, _ bool) bool { return callsAlone(k) }
	m.count.completesEach = func(k *kernel.Kernel) bool { return completesEach(k) && !k.OnlyAggregate() }
	return m
}

// todaysDefaults returns a component's defaults: the same for files as for messages, but for the processes, and more
// repetitions in IMB-P2P.
func todaysDefaults(c kernel.Component) Defaults {
	d := componentDefaults(c)
	switch c {
	case kernel.IO:
		least := d.LeastProcs
		d = componentDefaults(kernel.MPI1)
		d.LeastProcs = least
	case kernel.P2P:
		d.MsgsPer, d.OverallVol = 100_000, 800<<20
	}
	return d
}
