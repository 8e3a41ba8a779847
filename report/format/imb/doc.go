// Package imb writes the text that the Intel MPI Benchmarks print, of all their components: tables of repetitions,
// times in microseconds and megabytes per second with two decimals (IMB user's guide, "Output").
//
// Write makes it of any result of a probe, for the scripts that read it; a Writer does the same while a run is
// measured.
package imb
