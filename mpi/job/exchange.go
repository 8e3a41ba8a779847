package job

import (
	"encoding/binary"

	"github.com/effective-bandwidth/beff/mpi"
)

// Processes exchange lists of numbers, or of structs of numbers with exported fields, in a format that doesn't depend
// on the machine. Only process 0 of a communicator decides and keeps data, so all exchanges are with process 0.

// Gathered returns the values of each process of a communicator on its process 0, and nil on the others and if c is
// nil. All processes pass equally many values.
func Gathered[T any](c mpi.Comm, mine []T) ([][]T, error) {
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

// Broadcast gives the values of process 0 of a communicator to all, whose lists are as long.
func Broadcast[T any](c mpi.Comm, list []T) error {
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
