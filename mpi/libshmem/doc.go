// Package libshmem is the engine over OpenSHMEM, which has one-sided calls without windows and epochs, on memory at the
// same place on all processes.
//
// Its C side is a plug-in of package libmpi that OpenSHMEM's compiler wrapper has built (shmem.c). OpenSHMEM libraries
// that come with an MPI use it, so communicators, agreement among processes and the clock are that MPI's. Calls of
// programs are OpenSHMEM's:
//
//   - MPI_Put, MPI_Get: shmem_putmem and shmem_getmem if a flush follows, otherwise their _nbi forms. For regular
//     pieces of 4 or 8 bytes: shmem_iput32, shmem_iget32, shmem_iput64 and shmem_iget64.
//   - MPI_Fetch_and_op of sums: shmem_atomic_fetch_add, for integers of 4 or 8 bytes.
//   - MPI_Win_flush, MPI_Win_flush_all: shmem_quiet, which is for all targets.
//   - MPI_Win_lock (shared), MPI_Win_lock_all, MPI_Win_sync: a memory barrier of the processor.
//   - MPI_Win_unlock, MPI_Win_unlock_all: shmem_quiet.
//   - MPI_Barrier: shmem_barrier_all for all processes, and MPI's barrier for some of them.
//   - Notify: shmem_long_p of a counter, and shmem_long_wait_until for the other process's counter.
//   - MPI_Allreduce of sums, maxima and minima: shmem_int_sum_to_all and its like. Version 1.5 and later, if all
//     processes take part: shmem_int_sum_reduce and its like. Both sides must be in the symmetric heap, at the same
//     place on all processes, so the memory comes from Allocate (mpi.Symmetric). Each work array is a sixteenth of the
//     heap.
//
// Other calls are not supported. MPI_Compare_and_swap isn't, because shmem_int_atomic_compare_swap of Open MPI 4.1
// writes 8 bytes to an int, which ends the process. Windows come with their memory, in the symmetric heap (Allocate).
//
// Open MPI 4.1 crashes with signal 11 in shmem_finalize, because it unloads components that it still calls. To avoid
// that, the plug-in keeps all loaded libraries loaded.
package libshmem
