// Package conformance tests engines. Run runs the same list of cases for all of them, on goroutines and under an MPI
// launcher.
//
// Every call of package mpi has cases here. An engine is complete when Run passes on 1, 2, 3 and 4 processes. Only
// tests import the package.
package conformance
