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
	data, err := binary.Append(nil, binary.LittleEndian, mine)
	if err != nil {
		return nil, err
	}
	if c.Rank() != 0 {
		return nil, c.Gather(data, nil, 0)
	}
	received := make([]byte, len(data)*c.Size())
	if err := c.Gather(data, received, 0); err != nil {
		return nil, err
	}
	all := make([][]T, c.Size())
	for rank := range all {
		all[rank] = make([]T, len(mine))
		if _, err := binary.Decode(received[rank*len(data):], binary.LittleEndian, all[rank]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

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
