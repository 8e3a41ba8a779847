// Package libmpi is the engine over the installed MPI: Open MPI, MPICH or any other of version 3.1 or newer.
//
// It is built with cgo, `-tags mpi` and the MPI's compiler wrapper (CC=mpicc); without the tag the package still
// builds, and Run answers with ErrNotBuilt. The timed loop is in C (loop.c), one call from Go per measurement: a Go→C
// crossing per MPI call would add about 80 ns to each.
//
// MPI is initialised with MPI_Init by one locked thread, and that thread makes all calls: asking for
// MPI_THREAD_FUNNELED costs 18 % of a 1-byte message with Open MPI 4.1. Errors are returned (MPI_ERRORS_RETURN), and
// every return code is checked. Memory that MPI sees is on the C heap. Messages longer than an int counts go by a
// derived type; where the standard has no such way (vector calls, reductions), Compile returns mpi.ErrOverflow.
//
// A file that a program opens or closes is open between runs: before a run it is brought into the state that the first
// of these calls wants, and after it is open again, with the view that MPI_File_open gives; neither is timed.
//
// Open MPI 4.1 makes no window on a communicator of one process (NewWindow returns MPI_ERR_WIN); it mixes up windows
// that are made on several communicators of one MPI_Comm_split at a time, unless these are copied as often as their
// color says (comm.apart); MPI_Compare_and_swap of 8 bytes crashes on the process' own window, and the second half of a
// split collective read beyond a file's end never returns.
//
// A file call that fails, or moves fewer bytes than it should, doesn't end a run (mpi.Measurement.Failure). Not all is
// told: on a full disk MPI_File_write_all of Open MPI 4.1 reports all bytes as written, and MPI_Waitall after
// MPI_File_iwrite crashes.
package libmpi

import "errors"

//go:generate go run ./internal/genops

// ErrNotBuilt is the answer of a binary that was built without MPI.
var ErrNotBuilt = errors.New("this beff was built without MPI")
