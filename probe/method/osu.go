package method

import (
	"cmp"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
)

// OSU returns the method of the OSU micro-benchmarks 7.4. The clock is read before and after the calls of each
// repetition, so calls between repetitions aren't timed, except in one-sided kernels. Only the first of two partners
// reads the clock. The numbers of timed and untimed repetitions depend on the class and the length, but not on the
// time. Untimed repetitions are loops of the same program, so no barrier separates them from the timed ones. The figure
// is the mean over the processes whose clocks are read.
func OSU() Method {
	m := Guide()
	m.Name, m.Title = settings.ByOSU, "OSU micro-benchmarks 7.4"
	m.Defaults, m.lengths, m.clock.window = osuDefaults, osuLengths, settings.OSUWindow
	m.noZero, m.Everyone, m.count.fixed = true, true, true
	m.clock.shifts, m.count.completesEach = false, nil
	m.clock.each = func(k *kernel.Kernel, _ bool) bool { return k.Builder.Access.Window == kernel.NoSide }
	m.count.most, m.count.warmUp = osuRepetitions, osuWarmUp
	return m
}

func osuDefaults(kernel.Component) Defaults { return Defaults{LongestLog: 22, MinProcs: 2} }

// osuLengths returns the powers of two up to 4 MiB, or for collective calls up to 1 MiB.
func osuLengths(k *kernel.Kernel) (list []int64) {
	longest := int64(1) << 22
	if k.Active == 0 && !k.InPairs() {
		longest = 1 << 20
	}
	for n := int64(1); n <= longest; n *= 2 {
		list = append(list, n)
	}
	return list
}

// osuPace holds the numbers of timed and untimed repetitions of a class of tests, for small and for large messages.
type osuPace struct{ timed, before [2]int64 }

var (
	osuLatencies   = osuPace{[2]int64{10_000, 1000}, [2]int64{100, 10}}
	osuWindows     = osuPace{[2]int64{100, 20}, [2]int64{10, 2}}
	osuRates       = osuPace{[2]int64{100, 100}, [2]int64{10, 10}} // of osu_mbw_mr
	osuCollectives = osuPace{[2]int64{1000, 100}, [2]int64{100, 10}}
	osuBarriers    = osuPace{[2]int64{1000, 1000}, [2]int64{100, 100}}
)

// osuPaceOf returns a kernel's numbers of repetitions in OSU, and the index in them for a length.
func osuPaceOf(k *kernel.Kernel, bytes int64) (p osuPace, large int) {
	if bytes > settings.OSULarge {
		large = 1
	}
	switch {
	case k.Class == kernel.Stream && k.Active == 0 && !k.Builder.Processes.Fan:
		return osuRates, large
	case k.Class == kernel.Stream:
		return osuWindows, large
	case k.Active == 2 || k.InPairs():
		return osuLatencies, large
	case k.NoLength():
		return osuBarriers, large
	}
	return osuCollectives, large
}

func osuRepetitions(w Way, _ *measured.Block, bytes int64) int64 {
	p, large := osuPaceOf(w.kernel, bytes)
	return cmp.Or(w.settings.Repetitions.Max, p.timed[large])
}

func osuWarmUp(w Way, bytes, _ int64) int64 {
	p, large := osuPaceOf(w.kernel, bytes)
	return p.before[large]
}

// measureStart collects the time that MPI_Init took on each process, which has called it once.
func (m *Measurer) measureStart(t *Table, s *kernel.Setup, row *measured.Row, _ int64) error {
	mine := times{Seconds: -1}
	if e, is := m.Engine.(mpi.Starter); is && s.Comm != nil {
		mine.Seconds = e.Started()
	}
	if e, is := m.Engine.(mpi.Sessioner); is && s.Comm != nil && s.Kernel.Builder.Sessions {
		mine = sessionTimes(e)
	}
	row.Repetitions = 1
	return m.gather(t, row, reading{times: mine})
}

// hiddenSample returns the extremes of the times, and the mean over the processes of each part of their time.
func hiddenSample(x *totals) measured.Sample {
	s, mean := minMaxMean(x), x.mean()
	s.Mean, s.Pure = 0, rating.Picoseconds(mean.Seconds)
	s.Overlapped, s.Compute = rating.Picoseconds(mean.Overlapped), rating.Picoseconds(mean.Compute)
	storeParts(mean, &s.Starting, &s.Testing, &s.Waited)
	return s
}

// hiddenPhases returns the phases of OSU's nonblocking calls, without and with computing. The parts of the second phase
// are split times.
func hiddenPhases(*kernel.Kernel) []phase {
	return []phase{{time: "t_pure", lap: whole}, {time: "t_ovrl", overlaps: true, lap: whole, part: "t_cpu"}}
}
