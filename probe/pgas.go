package probe

import (
	"cmp"
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// ofPGAS returns a method as the PGAS Microbenchmark Suite changes it: no transfer is empty.
func (m Method) ofPGAS() Method {
	m.noZero = true
	return m
}

// oneSided returns the settings with all defaults.
func (s *Settings) oneSided() kernel.OneSided {
	var o kernel.OneSided
	if s.OneSided != nil {
		o = *s.OneSided
	}
	o.Completion = cmp.Or(o.Completion, kernel.CompleteEach)
	o.Window = cmp.Or(o.Window, kernel.Created)
	o.Target = cmp.Or(o.Target, kernel.TargetWaits)
	o.Block, o.Count = cmp.Or(o.Block, kernel.DefaultBlock), cmp.Or(o.Count, kernel.DefaultCount)
	if len(o.Strides) == 0 {
		o.Strides = kernel.DefaultStrides
	}
	return o
}

// paired reports whether the user has chosen the offset of the pairs.
func (s *Settings) paired() bool { return s.OneSided != nil && s.OneSided.Offset != nil }

// partners returns the pairs by the offset.
func (s *Settings) partners(processes int) ([][]int, error) {
	offset := 0
	if s.paired() {
		offset = *s.OneSided.Offset
	}
	return patterns.Partners(processes, offset)
}

// unfitOneSided returns the reason why a kernel can't be measured with the settings of one-sided calls on a number of
// processes, or "" if it can.
func (s Selection) unfitOneSided(settings *Settings, processes int) string {
	byOffset := s.Kernel.Pairwise() || s.Multi && s.Kernel.Active == 2 && settings.paired()
	if _, err := settings.partners(processes); err != nil && byOffset {
		return "can't run: " + err.Error()
	}
	r, o := s.Kernel.Recipe, settings.oneSided()
	switch {
	case byOffset && settings.OnePerHost:
		return "pairs up all processes: leave one process on each host out"
	case s.Kernel.Component != kernel.PGAS:
		return ""
	case s.Multi:
		return "runs on all processes at once: leave the multiple mode out"
	case r.Transfer == mpi.Get && o.Completion == kernel.CompleteLocal:
		return "has no local completion, because the data of a get are in the origin's memory: want " +
			"each, all or request"
	case !r.Waits && o.Target == kernel.TargetComputes:
		return "has no process that only waits and could compute instead"
	case r.Waits && o.Target == kernel.TargetComputes && settings.Precision != nil:
		return "can't have series while targets compute, which they do for as long as a whole loop takes"
	}
	return ""
}

// extraOps returns the calls that the settings demand of a kernel beside its own.
func (s *Settings) extraOps(k *kernel.Kernel) []mpi.Op {
	r, o := k.Recipe, s.oneSided()
	switch {
	case k.Component != kernel.PGAS || r.Transfer == mpi.Nop || o.Completion != kernel.CompleteByRequest:
		return nil
	case r.Transfer == mpi.Get:
		return []mpi.Op{mpi.Rget, mpi.Wait}
	}
	return []mpi.Op{mpi.Rput, mpi.Wait}
}

// allocateWindows makes windows with memory of their own the default on an engine that has no others.
func (s *Settings) allocateWindows(supports func(mpi.Op) bool) {
	o := kernel.OneSided{}
	if s.OneSided != nil {
		o = *s.OneSided
	}
	if o.Window != "" || !supports(mpi.Put) || supports(mpi.WinCreate) {
		return
	}
	o.Window = kernel.Allocated
	s.OneSided = &o
}

// describe sets the fields of a block that say what its transfers are. Of other components than PGAS they are left out
// where they are as in IMB.
func (b *Block) describe(k *kernel.Kernel, s *Settings) {
	r, o := k.Recipe, s.oneSided()
	if r.Transfer != mpi.Nop {
		b.Completion = o.Completion
	}
	if k.Allocates(o.Window) || k.Component == kernel.PGAS && r.Window != kernel.NoSide {
		b.WindowKind = o.Window
	}
	if r.Waits && o.Target == kernel.TargetComputes {
		b.Target = o.Target
	}
}

// mode returns the mode in which the block's programs are made: one completion of all transfers is that of aggregate
// mode.
func (b *Block) mode() kernel.Mode {
	if b.Completion == kernel.CompleteAll {
		return kernel.Aggregate
	}
	return b.Mode
}

// Complete reports whether the data of the block's transfers had arrived within their time.
func (b *Block) Complete() bool {
	k, _, ok := suites.FindIn(b.Component, b.Kernel)
	return !ok || k.Recipe.Transfer == mpi.Get || b.Completion != kernel.CompleteLocal &&
		b.Completion != kernel.CompleteByRequest
}

// stride returns the stride of a row of a kernel, counted from 0, in blocks: 0 if its rows have none.
func (p *Plan) stride(k *kernel.Kernel, row int) int64 {
	if !k.Strided() {
		return 0
	}
	return p.Settings.oneSided().Strides[row]
}

// checkStride returns an error unless a row has a stride if its kernel's rows are over it.
func checkStride(k *kernel.Kernel, row *Row) error {
	if row.Stride < 0 || row.Stride > kernel.MostStrided || (row.Stride > 0) != k.Strided() {
		return fmt.Errorf("stride %d", row.Stride)
	}
	return nil
}

// Blocks returns the number of blocks of a strided transfer of a row.
func (s *Settings) Blocks(row *Row) int64 { return row.Bytes / s.oneSided().Block }
