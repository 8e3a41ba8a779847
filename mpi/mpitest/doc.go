// Package mpitest tests engines, and what runs on them.
//
//   - Run is the conformance suite: one list of cases for all engines, over goroutines as under a launcher.
//   - Scripted is an engine that moves nothing: a function says what each run costs, and a fake clock goes on by that. Whole ratings
//     are tested with it, exact to the last digit, in milliseconds.
//   - Faulty wraps an engine and makes one of its processes slow, wrong or dead.
//
// It is imported by tests only.
package mpitest
