// Package probe measures the details that explain b_eff: kernels of benchmark suites, by the suites' methods, first of
// all the Intel MPI Benchmarks (user's guide 4.0, "Benchmark Methodology"). It makes the plan, has it measured, and
// holds the result. Times are in seconds, lengths in bytes, bandwidths in bytes per second. The data of every row are
// checked outside of the timed part (measured.Row).
//
// The packages below it are kernel and suites (the kernels), settings (a user's choices), method (how calls become
// figures), measured (the measurements) and pairs (outliers among pairs of processes).
package probe
