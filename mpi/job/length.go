package job

import (
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// CheckLength returns an error if a file that all processes of c have open is shorter than the data that a call has
// written with success, as with Open MPI's OMPIO on a full disk. end is the offset after the data of this process. All
// processes of c must call it. Only some of them may get the error.
func CheckLength(c mpi.Comm, file mpi.File, path string, call mpi.Op, end int64) (err error) {
	// The process that wrote the last byte gets the current length. Others may get an older one.
	seen := []float64{0, float64(end)}
	if rank := c.Rank(); rank == 0 || rank == c.Size()-1 {
		var length int64
		length, err = file.Length()
		seen[0] = float64(length)
	}
	if failed := c.Allreduce(seen, mpi.Max); failed != nil {
		return failed
	}
	if err == nil && seen[0] < seen[1] {
		err = fmt.Errorf("%v on %s returned success, but the file has %.0f of %.0f bytes: is the file system full?",
			call, path, seen[0], seen[1])
	}
	return err
}
