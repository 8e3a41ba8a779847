package method

import (
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// OfPGAS returns a method as the PGAS Microbenchmark Suite changes it: no transfer is empty, and
// kernels of two processes run on all pairs.
func (m Method) OfPGAS() Method {
	m.noZero, m.pairs = true, true
	return m
}

// stride returns the stride of a row of a kernel, counted from 0, in blocks: 0 if its rows have none.
func StrideOf(s *settings.Settings, k *kernel.Kernel, row int) int64 {
	if !k.Strided() {
		return 0
	}
	return s.Transfers().Strides[row]
}
