// Package measured holds the measurements of kernels in the form of a result document: blocks, their rows, the rows'
// samples and series, and the figures that follow from them. It measures nothing.
package measured
