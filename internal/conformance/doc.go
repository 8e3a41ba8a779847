// Package conformance tests engines. Run runs the same list of cases for all of them, on goroutines and under an MPI
// launcher.
//
// A case is a script: the programs and the memory of all processes. A reference runs them one call after the other, and
// an engine must leave the same bytes. Combinations that nobody wrote down are drawn. What takes time, or has several
// right outcomes, has a body of its own.
//
// Every call of package mpi has cases here. An engine is complete when Run passes on 1, 2, 3 and 4 processes. Only
// tests import the package.
package conformance
