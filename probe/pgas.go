package probe

import (
	"cmp"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// ofPGAS returns a method as the PGAS Microbenchmark Suite changes it: no transfer is empty, and
// kernels of two processes run on all pairs.
func (m Method) ofPGAS() Method {
	m.noZero, m.pairs = true, true
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

// stride returns the stride of a row of a kernel, counted from 0, in blocks: 0 if its rows have none.
func strideOf(s *Settings, k *kernel.Kernel, row int) int64 {
	if !k.Strided() {
		return 0
	}
	return s.oneSided().Strides[row]
}

// Blocks returns the number of blocks of a strided transfer of a row.
func (r *Row) Blocks(s *Settings) int64 { return r.Bytes / s.oneSided().Block }
