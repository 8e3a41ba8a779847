//go:build mpi

package baseline

/*
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int beff_open(char *path, MPI_File *f) {
	return MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_UNIQUE_OPEN, MPI_INFO_NULL, f);
}

static int beff_rewind(MPI_File f) {
	return MPI_File_set_view(f, 0, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL);
}

// beff_writes writes chunks until process 0 ends it, as in b_eff_io's type 2: after a barrier it decides by the time
// and broadcasts its decision.
static double beff_writes(MPI_File f, char *memory, int length, long loops, double budget) {
	int rank;
	char more = 1;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	double begin = MPI_Wtime();
	for (long i = 1; more; i++) {
		if (MPI_File_write(f, memory, length / 8, MPI_DOUBLE, MPI_STATUS_IGNORE) != MPI_SUCCESS) return -1;
		if (MPI_Barrier(MPI_COMM_WORLD) != MPI_SUCCESS) return -1;
		if (rank == 0) more = i < loops && (MPI_Wtime() - begin) * (i + 1) / i <= budget;
		if (MPI_Bcast(&more, 1, MPI_BYTE, 0, MPI_COMM_WORLD) != MPI_SUCCESS) return -1;
	}
	return MPI_Wtime() - begin;
}

// beff_marked_writes does the same with b_eff_io's requirements: marks at both ends of a chunk, the count of what was
// written, and the time of each part of a loop.
static double beff_marked_writes(MPI_File f, char *memory, int length, long loops, double budget, double *parts) {
	int rank, moved;
	char more = 1;
	MPI_Status status;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	double begin = MPI_Wtime(), mark = begin, now;
	for (long i = 1; more; i++) {
		long value = i, end = ~i;
		memcpy(memory, &value, 8);
		memcpy(memory + length - 8, &end, 8);
		now = MPI_Wtime(), parts[0] += now - mark, mark = now;
		if (MPI_File_write(f, memory, length / 8, MPI_DOUBLE, &status) != MPI_SUCCESS) return -1;
		if (MPI_Get_count(&status, MPI_DOUBLE, &moved) != MPI_SUCCESS || moved != length / 8) return -1;
		now = MPI_Wtime(), parts[1] += now - mark, mark = now;
		if (MPI_Barrier(MPI_COMM_WORLD) != MPI_SUCCESS) return -1;
		now = MPI_Wtime(), parts[2] += now - mark, mark = now;
		if (rank == 0) more = i < loops && (mark - begin) * (i + 1) / i <= budget;
		if (MPI_Bcast(&more, 1, MPI_BYTE, 0, MPI_COMM_WORLD) != MPI_SUCCESS) return -1;
		now = MPI_Wtime(), parts[3] += now - mark, mark = now;
	}
	return mark - begin;
}
*/
import "C"

import (
	"fmt"
	"unsafe"
)

// File is a file that this process alone has open.
type File struct{ handle C.MPI_File }

// OpenFile opens a file, and creates it if it doesn't exist.
func OpenFile(path string) (*File, error) {
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	f := &File{}
	return f, check("open", C.beff_open(name, &f.handle))
}

// Rewind sets the view to the start of the file.
func (f *File) Rewind() error { return check("rewind", C.beff_rewind(f.handle)) }

// Close closes the file.
func (f *File) Close() error { return check("close", C.MPI_File_close(&f.handle)) }

// Writes runs loops of one write of data each, until there are enough or process 0 of the world finds that they take
// longer than budget seconds. It returns seconds, negative if a call failed.
func (f *File) Writes(data []byte, loops int64, budget float64) float64 {
	return float64(C.beff_writes(f.handle, pointer(data), C.int(len(data)), C.long(loops), C.double(budget)))
}

// MarkedWrites is Writes with marks in each chunk, a check of the bytes written, and four readings of the clock a loop.
func (f *File) MarkedWrites(data []byte, loops int64, budget float64) float64 {
	var parts [4]C.double
	return float64(C.beff_marked_writes(f.handle, pointer(data), C.int(len(data)), C.long(loops), C.double(budget),
		&parts[0]))
}

func check(what string, rc C.int) error {
	if rc == C.MPI_SUCCESS {
		return nil
	}
	return fmt.Errorf("%s: code %d", what, int(rc))
}
