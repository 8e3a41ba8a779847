package method

import (
	"cmp"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// MaxRepetitions returns the largest number of repetitions of a row, before any time is known.
func (w Way) MaxRepetitions(b *measured.Block, bytes int64) int64 { return w.count.most(w, b, bytes) }

// warmUp returns the number of repetitions before the timed ones, which the user may give.
func (w Way) warmUp(bytes, repetitions int64) int64 {
	if given := w.settings.Repetitions.WarmUp; given != nil {
		return *given
	}
	return w.count.warmUp(w, bytes, repetitions)
}

// byPolicy returns the largest number of repetitions by the policy (guide, "Actual Benchmarking"). It is MSGSPERSAMPLE,
// or MSGS_NONAGGR if each transfer is completed, and no more than the volume allows.
func (w Way) byPolicy(b *measured.Block, bytes int64) int64 {
	s, k, d := w.settings, w.kernel, w.Defaults(w.kernel.Component)
	many := cmp.Or(s.Repetitions.Max, d.MsgsPer)
	switch policy := s.IterPolicy(); {
	case policy == settings.Off:
		return many
	case policy == settings.MultipleNP || policy == settings.Auto && k.Rooted:
		return multipleOf(many, int64(b.Processes), bytes, w.longest())
	}
	n := many
	if b.Mode == settings.NonAggregate || b.Mode == settings.Plain && w.count.completesEach(k) {
		n = cmp.Or(s.Repetitions.MaxNonAggr, d.MsgsNonAggr)
		if w.count.capped { // by the guide only MSGS_NONAGGR counts
			n = min(n, many)
		}
	}
	if transfers := k.Builder.Transfers; transfers > 1 {
		n, bytes = max(1, n/transfers), bytes*transfers
	}
	if bytes == 0 {
		return n
	}
	return max(1, min(n, cmp.Or(s.Repetitions.Volume, d.OverallVol)/bytes))
}

// element is the smallest length in the hyperbola in bytes; shorter ones are rounded up to it.
const element = 4

// multipleOf returns IMB's hyperbola of the multiple_np policy: fewer repetitions for longer messages, always a
// multiple of the processes.
func multipleOf(many, processes, bytes, longest int64) int64 {
	n := int64(float64(many)*float64(longest)/(float64(processes)*float64(max(bytes, element))+float64(longest)) + 0.5)
	return max(n-n%processes, processes)
}

// longest returns the largest of the kernel's lengths in bytes. For kernels without lengths IMB uses an element.
func (w Way) longest() int64 {
	l := int64(1)
	if w.kernel.Builder.Rows == kernel.NoLength {
		l = element
	}
	for _, bytes := range w.Lengths() {
		l = max(l, bytes)
	}
	return l
}

// estimates reports whether the kernel's repetitions are limited by the time for a row.
func (w Way) estimates() bool {
	policy := w.settings.IterPolicy()
	return !w.count.fixed && (policy == settings.Dynamic || policy == settings.Auto && !w.kernel.Rooted)
}

const (
	estimateTime = 1.0  // approximate seconds of the estimating run
	estimateMost = 1000 // repetitions of it, for messages
	estimateFile = 50   // and for files
	minTime      = 1e-8 // seconds below which nothing is cut
)

// trial returns the number of repetitions to run for an estimate of their time, after one of them took the given
// seconds.
func trial(k *kernel.Kernel, selected int64, seconds float64) int64 {
	most := int64(estimateMost)
	if k.Component == kernel.IO {
		most = estimateFile
	}
	n := int64(1)
	switch {
	case seconds < estimateTime/float64(most):
		n = most
	case seconds < estimateTime:
		n = int64(estimateTime/seconds + 0.5)
	}
	return min(selected, n)
}

// fitting returns the number of repetitions that fit into the time for a row, if each takes the given seconds.
func fitting(s *settings.Settings, selected int64, seconds float64) int64 {
	n := 1 + cmp.Or(s.Repetitions.SampleTime, settings.Default.SampleTime)/seconds
	if !(seconds > minTime) || n > float64(selected) {
		return selected
	}
	return int64(n)
}

// history holds the repetitions of a block's rows so far. Longer messages never have more than shorter ones.
type history []struct{ bytes, repetitions int64 }

// settle returns the number of repetitions of a row and adds it to the history. It is at most selected, and at most
// fitting unless the history requires more.
func (h *history) settle(bytes, selected, fitting int64) int64 {
	for _, row := range *h {
		if row.bytes < bytes {
			fitting = min(fitting, row.repetitions)
		} else {
			fitting = max(fitting, row.repetitions)
		}
	}
	n := min(selected, fitting)
	*h = append(*h, struct{ bytes, repetitions int64 }{bytes, n})
	return n
}

// patience returns the seconds of a block after which its next row is a time-out: the time for a row times the number
// of lengths, without the shortest. In IMB 2021.11 a list counts as at least the default number of lengths, and -msglog
// as the difference of its exponents.
func (w Way) patience() float64 {
	rows, usual := len(w.settings.Rows.Lengths), w.Defaults(w.kernel.Component).LongestLog
	switch given := w.settings.Rows.Log; {
	case w.stops && len(given) == 2:
		rows = given[1] - given[0]
	case w.stops:
		rows = max(rows, usual)
	case rows == 0:
		rows = usual
	}
	return float64(max(rows-1, 1)) * cmp.Or(w.settings.Repetitions.SampleTime, settings.Default.SampleTime)
}
