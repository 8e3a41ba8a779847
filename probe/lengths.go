package probe

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/stats"
)

// Adaptive selects the lengths of a block while it is measured: few where the time is a straight line, many where it
// jumps (stats.Refinement; MPIBlib manual, 9.17, has another rule).
type Adaptive struct {
	// Bytes: the shortest and the longest length.
	Min int64 `json:"min" jsonschema:"minimum=0"`
	Max int64 `json:"max" jsonschema:"minimum=0"`
	// Part of the time that a jump must have: 0 to 1.
	Difference float64 `json:"difference"`
	// Bytes: the least distance of lengths.
	Stride int64 `json:"stride" jsonschema:"minimum=1"`
	// The most lengths of a block; the ones that it begins with don't count.
	Most int `json:"most" jsonschema:"minimum=2"`
}

// DefaultAdaptive has MPIBlib's values (manual, 7.5).
var DefaultAdaptive = Adaptive{Max: 204800, Difference: 0.1, Stride: 64, Most: 100}

// Check returns an error if no block can have such lengths.
func (a *Adaptive) Check() error {
	switch {
	case a.Min < 0 || a.Min >= a.Max || a.Max > kernel.LongestLength:
		return fmt.Errorf("want lengths 0 <= MIN < MAX <= 2^%d bytes, not %d and %d", kernel.LongestLog, a.Min, a.Max)
	case !(a.Difference > 0 && a.Difference < 1):
		return fmt.Errorf("want a difference between 0 and 1, not %g", a.Difference)
	case a.Stride < 1 || a.Stride > a.Max-a.Min:
		return fmt.Errorf("want a least stride from 1 to %d bytes, not %d", a.Max-a.Min, a.Stride)
	case a.Most < 2 || a.Most > MostLengths:
		return fmt.Errorf("want 2 to %d lengths, not %d", MostLengths, a.Most)
	}
	return nil
}

// RegularLengths returns the lengths from first to last, stride bytes apart, or an error if there are too many.
func RegularLengths(first, last, stride int64) ([]int64, error) {
	if first < 0 || stride < 1 || last < first || last > kernel.LongestLength {
		return nil, fmt.Errorf("want lengths 0 <= MIN <= MAX <= 2^%d bytes and a stride from 1 on", kernel.LongestLog)
	}
	if n := (last-first)/stride + 1; n > MostLengths {
		return nil, fmt.Errorf("%d lengths: want at most %d", n, MostLengths)
	}
	var list []int64
	for l := first; l <= last; l += stride {
		list = append(list, l)
	}
	return list, nil
}

// refinement returns the rule by which a kernel's lengths are selected, in whole elements of its type; ok is false if
// they are fixed.
func refinement(s *Settings, k *kernel.Kernel) (r stats.Refinement, ok bool) {
	a := s.Adaptive
	if a == nil || k.Recipe.Rows != kernel.AllLengths {
		return r, false
	}
	unit := k.Unit(&s.Today)
	return stats.Refinement{Min: kernel.UpTo(a.Min, unit), Max: kernel.UpTo(a.Max, unit), Rough: a.Difference,
		Stride: kernel.UpTo(a.Stride, unit), Most: a.Most}, true
}

// nextLength returns the length and the stride of a block's next row: the first of those that are lacking, which it
// takes off, and then a length that process 0 decides. ok is false if there are no more.
func (m *run) nextLength(t *under, lacking *[]int) (bytes, stride int64, ok bool, err error) {
	if list := *lacking; len(list) > 0 {
		*lacking = list[1:]
		return lengths(m.Settings, t.kernel)[list[0]], strideOf(m.Settings, t.kernel, list[0]), true, nil
	}
	rule, adaptive := refinement(m.Settings, t.kernel)
	if !adaptive || t.Ended() {
		return 0, 0, false, nil
	}
	decided := []int64{-1}
	if m.First() {
		bytes, ok = rule.Next(points(t.kernel, t.block, m.Settings.Figure()))
		if ok && !slices.ContainsFunc(t.block.Rows, func(r Row) bool { return r.Bytes == bytes }) {
			decided[0] = bytes
		}
	}
	err = job.Broadcast(m.World, decided)
	return decided[0], 0, decided[0] >= 0, err
}

// Split reports whether a length of a kernel was selected because of the times of others.
func Split(s *Settings, k *kernel.Kernel, bytes int64) bool {
	rule, ok := refinement(s, k)
	return ok && !slices.Contains(rule.Start(), bytes)
}

// Steps returns the lengths between which the times of a kernel's block with adaptive lengths jump.
func Steps(s *Settings, k *kernel.Kernel, b *Block) []stats.Step {
	rule, ok := refinement(s, k)
	if !ok {
		return nil
	}
	return rule.Steps(points(k, b, s.Figure()))
}

// points returns a block's main times over the lengths.
func points(k *kernel.Kernel, b *Block, s Statistic) (list []stats.Point) {
	for _, i := range b.byLength() {
		list = append(list, b.Rows[i].point(k, s))
	}
	return list
}
