// Package conformance tests engines. Run runs the same list of cases for all of them, on goroutines or under an MPI
// launcher.
//
// A case is a script: the programs and the memory of all processes. A reference runs them one call after the other, and
// an engine must leave the same bytes in memory. Many combinations are drawn at random. Cases that measure time, or
// have several right outcomes, have special code.
//
// Every call of package mpi has cases here. An engine is complete when Run passes on 1, 2, 3 and 4 processes. Only
// tests import the package.
package conformance
