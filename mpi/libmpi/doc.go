// Package libmpi is the engine over the installed MPI: Open MPI, MPICH or any other of version 3.1 or newer.
//
// Its C side is a plug-in for that MPI (package plugin), which Run loads without cgo. The timed loop is in C (loop.c),
// one call from Go per measurement, because a Go→C crossing per MPI call would add about 80 ns to each.
//
// One locked thread initializes MPI with MPI_Init and makes all calls. With MPI_THREAD_FUNNELED a 1-byte message takes
// 18 % longer in Open MPI 4.1. Errors are returned (MPI_ERRORS_RETURN), and every return code is checked. Memory that
// MPI sees is outside of Go's heap. Messages longer than an int counts use a derived type. For calls in which the
// standard allows none (vector calls, reductions), Compile returns mpi.ErrOverflow.
//
// A file that a program opens or closes is open between runs. A run first brings it into the state that the first of
// these calls needs. After the run it is open again, with the view of MPI_File_open. Neither is timed.
//
// Open MPI 4.1 has four bugs here. It makes no window on a communicator of one process (NewWindow returns MPI_ERR_WIN).
// It mixes up windows made at the same time on several communicators of one MPI_Comm_split (comm.distinct copies
// the communicators against that). MPI_Compare_and_swap of 8 bytes crashes on the process's own window. The second half
// of a split collective read beyond a file's end never returns. MPI_Reduce of MPICH 4.0 crashes in place with more than
// 2048 bytes at a root other than 0, and its MPI_Win_allocate mixes up addresses if a size is no multiple of 16
// (beff_window_allocate rounds it up).
//
// Buffers may be in a device's memory (device.go). The driver's library is loaded without cgo, too, and only if a
// device is asked for. Programs that copy messages through the host's memory have the copies as calls (staged.go). This
// has only been tried with stand-ins for the drivers of CUDA, ROCm and Level Zero.
//
// A file call that fails, or moves fewer bytes than it should, doesn't end a run (mpi.Measurement.Failure). Not all
// failures are reported: on a full disk MPI_File_write_all of Open MPI 4.1 reports all bytes as written, and
// MPI_Waitall after MPI_File_iwrite crashes.
package libmpi

//go:generate go test -run ^TestOpsHeader$ -update .
