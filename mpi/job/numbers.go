package job

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// GatherNumbers returns the values of each process of c, in the order of their ranks, on rank 0. It returns nil on the
// others, and if c is nil. T is a number, or a struct of numbers with exported fields. All processes must pass equally
// many values. It is collective over c.
func GatherNumbers[T any](c mpi.Comm, mine []T) ([][]T, error) {
	if c == nil {
		return nil, nil
	}
	var all [][]T
	var received []byte
	if c.Rank() == 0 {
		flat := make([]T, len(mine)*c.Size())
		all = make([][]T, c.Size())
		for rank := range all {
			all[rank] = flat[rank*len(mine):][:len(mine):len(mine)]
		}
	}
	each := max(1, maxGathered/(c.Size()*max(1, binary.Size(mine[:min(1, len(mine))]))))
	for first := 0; first < max(1, len(mine)); first += each {
		part := mine[first:min(first+each, len(mine))]
		data, err := binary.Append(nil, binary.LittleEndian, part)
		if err != nil {
			return nil, err
		}
		received = slices.Grow(received[:0], len(data)*len(all))[:len(data)*len(all)]
		if err := c.Gather(data, received, 0); err != nil {
			return nil, err
		}
		for rank, to := range all {
			_, err := binary.Decode(received[rank*len(data):], binary.LittleEndian, to[first:first+len(part)])
			if err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// maxGathered is the largest number of bytes that rank 0 gathers at once in GatherNumbers, unless one value of each
// process needs more. It limits the memory for the data that rank 0 holds twice.
const maxGathered = 4 << 20

// BroadcastNumbers sets list on all processes of c to its values on rank 0. The lists must be equally long. T is a
// number, or a struct of numbers with exported fields. It is collective over c.
func BroadcastNumbers[T any](c mpi.Comm, list []T) error {
	data, err := binary.Append(nil, binary.LittleEndian, list)
	if err != nil {
		return err
	}
	if err := c.Bcast(data, 0); err != nil {
		return err
	}
	_, err = binary.Decode(data, binary.LittleEndian, list)
	return err
}

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
