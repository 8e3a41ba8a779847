// Package conformance tests engines: Run is one list of cases for all of them, over goroutines as under a launcher.
//
// Every call of package mpi has cases here. An engine is done when Run passes on 1, 2, 3 and 4 processes. The package
// is imported by tests only.
package conformance
