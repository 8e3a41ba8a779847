package method

import (
	"cmp"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// Method is a way in which the calls of a kernel become the figures of a row. A method is a value, and its file says
// what is its own: guide.go and imb2021.go have those of IMB; pgas.go, series.go and pairs_measure.go the others. The
// class of the kernel says what a loop of its calls gives: see measurings.
type Method struct {
	Name settings.MethodName
	// The method in words.
	Title string
	// Defaults of a component's kernels, such as the most repetitions.
	Defaults func(c kernel.Component) Defaults
	// Lengths in bytes unless the user gives some; nil: 0, 1, 2, 4 …
	lengths func(k *kernel.Kernel) []int64
	// There is no row of 0 bytes.
	noZero bool
	// Kernels of two processes run on all pairs at the same time, by the settings' offset.
	pairs bool
	// All processes take part, whatever -npmin says.
	Everyone bool
	// Seconds of computing beside a nonblocking file call, unless the user says how many.
	Compute float64
	clock   clock
	count   count
	// All rows of a block use one file, whose size is set before.
	keepsFiles bool
	// A row without figures ends its kernel: further lengths, modes and numbers of processes are left out. The time
	// limit of a block is that of the clock, not of its loops.
	stops bool
	// A map may have fewer processes than the job.
	mapsPart bool
	// Kernels are measured on splits of the nodes into victims and congestors.
	Splits bool
	// The repetitions have times of their own, so that the cost of reading the clock is wanted; and rows keep them as
	// series.
	times, Series bool
	// The reason why a kernel can't be measured so, "" if it can; nil: all can.
	unfit func(w Way) string
	// Bytes of the cache that repetitions avoid; 0: they use it.
	cache func(w Way) int64
	// The sample of a row of a loop: what of the readings of a group's processes counts.
	sample func(k *kernel.Kernel, list []times) measured.Sample
	// Measures a row of at most so many repetitions. All processes of the world call it.
	row func(m *Measurer, t *Table, s *kernel.Scene, row *measured.Row, most int64) error
}

// clock is where the clock is read, and what stands between two repetitions.
type clock struct {
	// A barrier stands between two repetitions of a collective kernel, and doesn't count; and the root changes with
	// each repetition: unless the settings say otherwise.
	syncs, shifts bool
	// Whether the clock is read around each repetition, so that only the calls count; nil: it is read around all, or as
	// the timing says.
	each func(k *kernel.Kernel, syncs bool) bool
	// Messages of a repetition of kernels with a window of them, unless the settings say how many; 0: as in IMB.
	window int
}

// count is how many repetitions a row has.
type count struct {
	// The most of them, before any time is known.
	most func(w Way, b *measured.Block, bytes int64) int64
	// The least ones before the timed ones.
	warmUp func(w Way, bytes, repetitions int64) int64
	// The kernel completes each of its transfers, and has fewer repetitions therefore.
	completesEach func(k *kernel.Kernel) bool
	// Their number follows from the kernel and the length, whatever time they take. Those before them are loops of the
	// same program.
	fixed bool
	// In non-aggregate mode there are no more than in aggregate mode.
	capped bool
}

// Way is how a kernel is measured with settings: a method, as the kernel and the settings change it.
type Way struct {
	Method
	kernel   *kernel.Kernel
	settings *settings.Settings
}

// For returns the way in which a kernel is measured by the method with settings. Its class or a precision may demand
// pairs or series.
func (m Method) For(k *kernel.Kernel, s *settings.Settings) Way {
	switch {
	case s.Loaded() || k.Component == kernel.Load:
		m = m.underLoad()
	case k.Recipe.StartUp:
		m.row = (*Measurer).started
	case k.Recipe.Threads.Of != nil:
		m.row = (*Measurer).threaded
	case k.Class == kernel.Pairs:
		m = m.ofPairs()
	case k.Class == kernel.Guided:
		m = Guidelines()
	case k.Class == kernel.Crossing:
		m = m.ofCuts()
	case k.Class == kernel.Disturbed:
		m = m.ofNoise()
	case k.Class == kernel.Metadata:
		m = m.ofMetadata()
	case TimesItself(k) || s.InSeries():
		m = m.inSeries()
	}
	return Way{m, k, s}
}

// Window returns the messages of a repetition of kernels with a window of them.
func (w Way) Window() int { return cmp.Or(w.settings.Window, w.clock.window, settings.Default.Window) }

// rules returns what the method and the settings say of the kernel's programs.
func (w Way) rules() (r kernel.Rules) {
	either := func(user *bool, otherwise bool) bool {
		if user != nil {
			return *user
		}
		return otherwise
	}
	r.Syncs, r.RootShifts = either(w.settings.Sync, w.clock.syncs), either(w.settings.RootShift, w.clock.shifts)
	r.Window, r.Alone = w.Window(), w.count.fixed
	r.ClocksEach = w.clock.each != nil && w.clock.each(w.kernel, r.Syncs)
	return r
}
