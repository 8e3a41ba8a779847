// Package probe is the detail behind b_eff: the kernels of the Intel MPI Benchmarks, measured by their method (IMB
// user's guide 4.0, "Benchmark Methodology"), each a row of a table and a program. It measures, averages and holds its
// result type; what is printed is package report's. Times are seconds, lengths bytes, bandwidths bytes per second.
//
// Every row is checked outside the clock: see Row.Checked.
package probe
