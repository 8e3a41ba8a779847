// Package libshmem is the engine over OpenSHMEM: one-sided calls without windows and epochs, on memory that is the same
// on all processes.
//
// Its C side is a plug-in of package libmpi that OpenSHMEM's compiler wrapper has built (shmem.c). Libraries of
// OpenSHMEM that come with an MPI work over it, so communicators, agreement among processes and the clock are that
// MPI's. What programs do is OpenSHMEM's alone:
//
//   - MPI_Put, MPI_Get: shmem_putmem and shmem_getmem where a flush follows, else their forms with _nbi. Regular pieces
//     of 4 or 8 bytes: shmem_iput32, shmem_iget32 and those of 64.
//   - MPI_Fetch_and_op of sums: shmem_atomic_fetch_add, of whole numbers of 4 or 8 bytes.
//   - MPI_Win_flush and MPI_Win_flush_all: shmem_quiet, which is for all targets.
//   - MPI_Win_lock (shared), MPI_Win_lock_all, MPI_Win_sync: a memory barrier of the processor. MPI_Win_unlock,
//     MPI_Win_unlock_all: shmem_quiet.
//   - MPI_Barrier of all processes: shmem_barrier_all. That of a part of them is MPI's.
//   - Notify: shmem_long_p of a number that counts up, and shmem_long_wait_until for that of the other process.
//   - MPI_Allreduce of sums, maxima and minima: shmem_int_sum_to_all and its like, from version 1.5 on
//     shmem_int_sum_reduce and its like where all processes take part. Both sides are in the symmetric heap, at the
//     same place on all processes, so the memory comes from Allocate (mpi.Symmetric). The work arrays are a sixteenth
//     of the heap each.
//
// All other calls are not supported. MPI_Compare_and_swap isn't, because shmem_int_atomic_compare_swap of Open MPI 4.1
// writes 8 bytes to an int, which ends the process. Windows bring their own
// memory (Allocate), which is in the symmetric heap.
//
// Open MPI 4.1 ends by signal 11 in shmem_finalize, because it unloads components that it still calls. The plug-in
// holds all loaded libraries before.
package libshmem
