// Package mpi defines the programs that benchmarks give to a message-passing library, and the engines that run them.
//
// The timed part never runs Go code of a benchmark. A benchmark describes one step of a pattern for its rank as a
// Program: a short list of calls for each loop, calls before and after the loops, and the places that they use. An
// Engine compiles the program once and then runs it n times between two clock readings. Package libmpi does that over
// the installed MPI, one C call per measurement; package local does it over goroutines of this process.
//
// A program is as long for a million loops as for one. The calls and places hold the rules for all that changes from
// loop to loop: marks count the loops, roots rotate, places advance by themselves or walk through their space.
//
// Loops sets how long a program runs: a count, or a budget of seconds. A benchmark puts the findings of one run into
// the next one.
//
// The vocabulary (Op) is that of the MPI standard and wider than any engine needs today. An engine reports with
// Supports which calls it runs. Compile returns an UnsupportedError for the others. Adding a call to an engine changes
// neither this package nor the benchmarks.
//
// This package is plain Go: it contains no MPI, starts nothing and prints nothing.
package mpi
