package job

import (
	"encoding/binary"

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
	if c.Rank() == 0 {
		flat := make([]T, len(mine)*c.Size())
		for rank := range c.Size() {
			all = append(all, flat[rank*len(mine):][:len(mine):len(mine)])
		}
	}
	each := max(1, maxGathered/(c.Size()*max(1, binary.Size(mine[:min(1, len(mine))]))))
	for first := 0; first < max(1, len(mine)); first += each {
		part := mine[first:min(first+each, len(mine))]
		data, err := binary.Append(nil, binary.LittleEndian, part)
		if err != nil {
			return nil, err
		}
		received := make([]byte, len(data)*len(all))
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

// maxGathered is the number of bytes that a message of GatherNumbers brings to rank 0, unless one value of each process
// needs more. It limits the memory for data that are there twice.
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
