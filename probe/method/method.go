package method

import (
	"slices"

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
	// A barrier stands between two repetitions of a collective kernel, and doesn't count; and the root changes with
	// each repetition: unless the settings say otherwise.
	syncs, rootShifts bool
	// Whether the clock is read around each repetition, so that only the calls count; nil: it is read around all, or as
	// the timing says.
	clocksEach func(k *kernel.Kernel, syncs bool) bool
	// The kernel completes each of its transfers, and has fewer repetitions therefore.
	completesEach func(k *kernel.Kernel) bool
	// The number of repetitions follows from the kernel and the length, whatever time they take. Those before them are
	// loops of the same program.
	fixed bool
	// All rows of a block use one file, whose size is set before.
	keepsFiles bool
	// A map may have fewer processes than the job.
	mapsPart bool
	// The most repetitions of a row, before any time is known.
	Most func(s *settings.Settings, k *kernel.Kernel, b *measured.Block, bytes int64) int64
	// The least repetitions before the timed ones.
	warmUp func(s *settings.Settings, k *kernel.Kernel, bytes, repetitions int64) int64
	// The repetitions have times of their own, so that the cost of reading the clock is wanted; and rows keep them as
	// series.
	times, Series bool
	// The reason why a kernel can't be measured so, "" if it can; nil: all can.
	unfit func(k *kernel.Kernel, s *settings.Settings) string
	// Bytes of the cache that repetitions avoid; 0: they use it.
	cache func(k *kernel.Kernel, s *settings.Settings) int64
	// The sample of a row of a loop: what of the readings of a group's processes counts.
	sample func(k *kernel.Kernel, list []reading) measured.Sample
	// Measures a row of at most so many repetitions. All processes of the world call it.
	row func(m *Measurer, t *Table, s *kernel.Scene, row *measured.Row, most int64) error
}

// All returns the methods that a user chooses by name.
func All() []Method { return []Method{guide(), today(), osu()} }

// Chosen returns the method that the settings name. Settings of older documents name none: theirs is the guide's.
func Chosen(s *settings.Settings) Method {
	all := All()
	if i := slices.IndexFunc(all, func(m Method) bool { return s != nil && m.Name == s.Method }); i > 0 {
		return all[i]
	}
	return all[0]
}

// method returns the method by which a kernel is measured with the settings: the one that they name, changed as its
// suite, its class or a precision demand.
func Of(s *settings.Settings, k *kernel.Kernel) Method {
	m := Chosen(s)
	switch k.Component {
	case kernel.PGAS:
		m = m.ofPGAS()
	case kernel.OSU:
		m = osu()
	}
	switch {
	case k.Class == kernel.Pairs:
		return m.ofPairs()
	case TimesItself(k) || s != nil && s.Precision != nil:
		return m.inSeries()
	}
	return m
}

// rules returns what a method and the settings say of a kernel's programs.
func (m Method) rules(k *kernel.Kernel, s *settings.Settings) (r kernel.Rules) {
	either := func(user *bool, otherwise bool) bool {
		if user != nil {
			return *user
		}
		return otherwise
	}
	r.Syncs, r.RootShifts = either(s.Sync, m.syncs), either(s.RootShift, m.rootShifts)
	r.Alone = m.fixed
	r.ClocksEach = m.clocksEach != nil && m.clocksEach(k, r.Syncs)
	return r
}
