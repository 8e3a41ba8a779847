package method

// ForPGAS returns the method with the changes of the PGAS Microbenchmark Suite: no transfer is empty, and kernels of
// two processes run on all pairs.
func (m Method) ForPGAS() Method {
	m.noZero, m.pairs = true, true
	return m
}
