// Package libmpi is the engine over the installed MPI: Open MPI, MPICH or any other of version 3.1 or newer.
//
// It is built with cgo, `-tags mpi` and the MPI's compiler wrapper (CC=mpicc); without the tag the package still builds, and Run
// answers with ErrNotBuilt. The timed loop is in C (loop.c), one call from Go per measurement: a Go→C crossing per MPI call would
// add about 80 ns to each.
//
// MPI is initialised with MPI_Init by one locked thread, and that thread makes all calls: asking for MPI_THREAD_FUNNELED costs 18 %
// of a 1-byte message with Open MPI 4.1. Errors are returned (MPI_ERRORS_RETURN), and every return code is checked.
// Memory that MPI sees is on the C heap.
//
// A file call that fails, or moves fewer bytes than it should, doesn't end a run (mpi.Measurement.Failure). Not all is told: on a full
// disk MPI_File_write_all of Open MPI 4.1 reports all bytes as written, and MPI_Waitall after MPI_File_iwrite crashes.
package libmpi

import "errors"

// ErrNotBuilt is the answer of a binary that was built without MPI.
var ErrNotBuilt = errors.New("this beff was built without MPI")
