// Package mpi defines the programs that benchmarks give to a message-passing library, and the engines that run them.
//
// The timed part never runs Go code of a benchmark. A benchmark describes one step of a pattern for its rank as a
// Program: a short list of calls for each loop, calls before and after the loops, and the places that they use. An
// Engine compiles the program once and then runs it n times between two clock readings. Package libmpi does that over
// the installed MPI, one C call per measurement; package local does it over goroutines of this process.
//
// A program is as long for a million loops as for one. Its calls and places hold the rules for everything that changes
// from loop to loop: marks count the loops, roots rotate, and places advance by themselves or walk through their space.
//
// Loops sets how long a program runs: a count, or a budget of seconds. A benchmark uses the times of one run to choose
// the Loops of the next one.
//
// The calls (Op) are named as in the MPI standard, and there are more of them than any single engine runs. An engine's
// Supports reports which calls it runs; Compile returns an UnsupportedError for the others. Adding a call to an engine
// changes neither this package nor the benchmarks.
//
// This package is plain Go: it contains no MPI, starts nothing and prints nothing.
package mpi
