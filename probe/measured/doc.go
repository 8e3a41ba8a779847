// Package measured holds what a run of kernels measured, as a result document has it: blocks, their rows, samples and
// series of these, and the figures that follow from them. It measures nothing.
package measured
