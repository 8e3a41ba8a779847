package method

// OfPGAS returns a method as the PGAS Microbenchmark Suite changes it: no transfer is empty, and
// kernels of two processes run on all pairs.
func (m Method) OfPGAS() Method {
	m.noZero, m.pairs = true, true
	return m
}
