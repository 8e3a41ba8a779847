package method

import "github.com/effective-bandwidth/beff/probe/kernel"

// IsMeasured reports whether the methods can measure a class of kernels.
func IsMeasured(c kernel.Class) bool {
	m := classMeasurements[c]
	return c == kernel.Pairs || c == kernel.AcrossCut || c == kernel.Detours || m.series ||
		m.phases != nil && m.sample != nil
}

// Rules returns the way's rules for the kernel's programs.
func (w Way) Rules() kernel.Rules { return w.rules() }

// Trial returns the number of repetitions that estimate the time of a row.
func Trial(k *kernel.Kernel, selected int64, seconds float64) int64 {
	return trial(k, selected, seconds)
}

// WarmUp returns the number of repetitions before the timed ones.
func (w Way) WarmUp(bytes, repetitions int64) int64 { return w.warmUp(bytes, repetitions) }
