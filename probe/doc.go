// Package probe measures the detail behind b_eff: the kernels of the Intel MPI Benchmarks by their method (IMB user's
// guide 4.0, "Benchmark Methodology"). Each kernel is a row of a table and a program. The package measures, averages
// and holds its result type. Package report prints. Times are in seconds, lengths in bytes, bandwidths in bytes per
// second.
//
// The data of every row are checked outside of the timed part: see Row.Checked.
package probe
