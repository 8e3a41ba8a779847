package method

import (
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// Guide returns the method of the user's guide 4.0 of the Intel MPI Benchmarks ("Benchmark Methodology"). The clock is
// read around all repetitions. No calls separate them, and the root changes with each. A tenth as many come before
// them, untimed. Their number is bounded by the bytes that they move and by the time that they take.
func Guide() Method {
	return Method{Name: settings.ByGuide, Title: "IMB user's guide 4.0", Defaults: componentDefaults,
		Compute: settings.Default.Compute, clock: clock{shifts: true,
			each: func(k *kernel.Kernel, syncs bool) bool { return syncs && timesOnlyCalls(k) }},
		count: count{completesEach: completesEach, most: Way.byPolicy, warmUp: untimedTenth},
		row:   (*Measurer).measureLoop, cache: avoidedCache}
}

// componentDefaults returns the defaults of a component. All components of messages share them, except that PGAS and
// P2P run on all processes.
func componentDefaults(c kernel.Component) Defaults {
	switch c {
	case kernel.IO:
		return Defaults{LongestLog: 24, MsgsPer: 50, MsgsNonAggr: 10, OverallVol: 16 << 20, MinProcs: 1}
	case kernel.PGAS, kernel.P2P: // all processes
		return Defaults{LongestLog: 22, MsgsPer: 1000, MsgsNonAggr: 1000, OverallVol: 40 << 20,
			MinProcs: math.MaxInt32}
	}
	return Defaults{LongestLog: 22, MsgsPer: 1000, MsgsNonAggr: 100, OverallVol: 40 << 20, MinProcs: 2}
}

// completesEach reports whether a kernel without an aggregate mode completes each transfer (guide, "Actual
// Benchmarking"). Kernels of messages and of reading don't.
func completesEach(k *kernel.Kernel) bool {
	if k.Component == kernel.IO {
		return k.Class != kernel.Single && k.Class != kernel.Parallel
	}
	return slices.Contains([]kernel.Component{kernel.EXT, kernel.RMA}, k.Component)
}

// untimedTenth returns a tenth of the repetitions, but at least ten if there are that many (current IMB; the guide's
// N_WARMUP). Repetitions of estimating runs count towards them.
func untimedTenth(w Way, _, repetitions int64) int64 {
	const part, least = 10, 10
	if w.kernel.Component == kernel.IO {
		return 0 // guide: "Warm-Up Phase (IMB-MPI1, IMB-EXT, IMB-NBC, and IMB-RMA)"
	}
	return max(repetitions/part, min(least, repetitions))
}

// timesOnlyCalls reports whether only a kernel's calls are timed, without the calls between repetitions, as in
// collective kernels that have lengths.
func timesOnlyCalls(k *kernel.Kernel) bool {
	return (k.Component == kernel.MPI1 || k.Component.Overlaps()) && (k.Class == kernel.Collective ||
		k.Class == kernel.Overlap) && !k.NoLength()
}

// avoidedCache returns the size of the cache that repetitions of a kernel avoid, which the user gives. Kernels of files
// avoid no cache.
func avoidedCache(w Way) int64 {
	if w.kernel.Component == kernel.IO {
		return 0
	}
	return w.settings.Memory.CacheSize
}
