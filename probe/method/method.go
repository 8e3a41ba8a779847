package method

import (
	"cmp"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// Method defines how the calls of a kernel become the figures of a row. It is a value, and each method has a file:
// guide.go and imb2021.go have IMB's methods, pgas.go, series.go, pairs.go and others the rest. The kernel's class
// defines which times a loop of its calls gives (classMeasurements).
type Method struct {
	Name settings.MethodName
	// The method in words.
	Title string
	// Defaults of a component's kernels, such as the largest number of repetitions.
	Defaults func(c kernel.Component) Defaults
	// Lengths in bytes unless the user gives some. If nil, they are 0, 1, 2, 4 …
	lengths func(k *kernel.Kernel) []int64
	// There is no row of 0 bytes.
	noZero bool
	// Kernels of two processes run on all pairs at the same time, by the settings' offset.
	pairs bool
	// All processes take part, whatever the value of -npmin.
	Everyone bool
	// Seconds of computing during a nonblocking file call, unless the user gives them.
	Compute float64
	clock   clock
	count   count
	// All rows of a block use one file, whose size is set before.
	keepsFiles bool
	// A row without figures ends its kernel: further lengths, modes and numbers of processes are left out. The time
	// limit of a block refers to the elapsed time instead of the time of its loops.
	stops bool
	// A map may have fewer processes than the job.
	mapsPart bool
	// Kernels are measured on splits of the nodes into victims and congestors.
	Splits bool
	// Each repetition is timed, so the cost of reading the clock must be known. With Series, rows keep these times.
	times, Series bool
	// Returns the reason why a kernel can't be measured, or "". If nil, all kernels can be.
	unfit func(w Way) string
	// Returns the size in bytes of the cache that repetitions avoid; 0 if they use it.
	cache func(w Way) int64
	// Measures a row of at most the given number of repetitions. All processes of the world call it.
	row func(m *Measurer, t *Table, s *kernel.Setup, row *measured.Row, most int64) error
}

// clock defines where the clock is read, and which calls separate repetitions.
type clock struct {
	// Unless the settings say otherwise, an untimed barrier separates the repetitions of a collective kernel (syncs),
	// and the root changes with each repetition (shifts).
	syncs, shifts bool
	// Reports whether the clock is read around each repetition, so that only the calls count. If nil, it is read around
	// all repetitions, or as the timing requires.
	each func(k *kernel.Kernel, syncs bool) bool
	// Messages in a repetition of kernels with a window of messages, unless the settings give them; 0 means IMB's.
	window int
}

// count defines the number of repetitions of a row.
type count struct {
	// The largest number, before any time is known.
	most func(w Way, b *measured.Block, bytes int64) int64
	// The number of untimed repetitions before them, unless the user gives it.
	warmUp func(w Way, bytes, repetitions int64) int64
	// The kernel completes each transfer, and therefore has fewer repetitions.
	completesEach func(k *kernel.Kernel) bool
	// The number depends on the kernel and the length, but not on the time. The untimed repetitions are loops of the
	// same program.
	fixed bool
	// Non-aggregate mode has no more repetitions than aggregate mode.
	capped bool
}

// Way is how a kernel is measured with settings: a method with the changes for the kernel and the settings.
type Way struct {
	Method
	kernel   *kernel.Kernel
	settings *settings.Settings
}

// For returns the way in which the method measures a kernel with settings. The class of the kernel or a precision may
// require pairs or series.
func (m Method) For(k *kernel.Kernel, s *settings.Settings) Way {
	switch {
	case s.Loaded() || k.Component == kernel.Load:
		m = m.forLoad()
	case k.Builder.StartUp:
		m.row = (*Measurer).measureStart
	case k.Builder.Threads.Of != nil:
		m.row = (*Measurer).measureThreads
	case k.Class == kernel.Pairs:
		m = m.forPairs()
	case k.Class == kernel.CallAndMockUp:
		m = Guidelines()
	case k.Class == kernel.AcrossCut:
		m = m.forCuts()
	case k.Class == kernel.Detours:
		m = m.forNoise()
	case k.Class == kernel.Metadata:
		m = m.forMetadata()
	case TimesItself(k) || s.InSeries():
		m = m.forSeries()
	}
	return Way{m, k, s}
}

// Window returns the number of messages in a repetition of kernels with a window of messages.
func (w Way) Window() int { return cmp.Or(w.settings.Window, w.clock.window, settings.Default.Window) }

// rules returns the method's and the settings' rules for the kernel's programs.
func (w Way) rules() (r kernel.Rules) {
	either := func(user *bool, otherwise bool) bool {
		if user != nil {
			return *user
		}
		return otherwise
	}
	r.Syncs, r.RootShifts = either(w.settings.Sync, w.clock.syncs), either(w.settings.RootShift, w.clock.shifts)
	r.Window, r.NoClockIfSilent = w.Window(), w.count.fixed
	r.ClocksEach = w.clock.each != nil && w.clock.each(w.kernel, r.Syncs)
	return r
}
