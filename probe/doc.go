// Package probe measures the detail behind b_eff: kernels of suites, by the methods of these, first of all the Intel
// MPI Benchmarks (user's guide 4.0, "Benchmark Methodology"). It makes the plan, has it measured, and holds the result.
// Times are in seconds, lengths in bytes, bandwidths in bytes per second. The data of every row are checked outside of
// the timed part: see measured.Row.
//
// Its rooms are kernel and suites (what is measured), settings (what a user chooses), method (how calls become
// figures), measured (what there is then), and pairs.
package probe
