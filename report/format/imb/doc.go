// Package imb writes the text that the Intel MPI Benchmarks print, for all their components: tables of repetitions,
// times in microseconds and megabytes per second with two decimals (IMB user's guide, "Output").
//
// Write writes any result of a probe in this form, for scripts that read it. A Writer writes it during a run.
package imb
