// Package mpi is what the benchmarks say to a message-passing library: programs, and the engines that run them.
//
// What is timed is never Go code of a benchmark. A benchmark writes down one step of a pattern for its rank as a
// Program: a short list of calls for each loop, others before and after the loops, and the places that they use. An
// Engine compiles the program once and then runs it n times between two clock readings. Package libmpi does that over
// the installed MPI, one C call per measurement; package local does it over goroutines of this process.
//
// A program is as long for a million loops as for one. What differs from loop to loop is written into the calls and
// places: marks count the loops, roots rotate, places advance by themselves or walk through their space.
//
// How long a program runs, Loops says: a count, or a budget of seconds. What a benchmark learns from a run it puts into
// the next one.
//
// The vocabulary (Op) is that of the MPI standard and wider than what any engine speaks today: an engine says with
// Supports what it runs, and Compile answers with an UnsupportedError for the rest. Adding a call to an engine changes
// neither this package nor the benchmarks.
//
// This package is plain Go: it holds no MPI, starts nothing, prints nothing.
package mpi
