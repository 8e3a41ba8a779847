package job

import (
	"encoding/json"
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// Gather returns the values of all processes of c, in the order of their ranks, on rank 0, and nil on the others. If
// encoding/json can't encode one of them, all processes get the error. It is collective over c.
func Gather[T any](c mpi.Comm, mine T) ([]T, error) {
	data, err := json.Marshal(mine)
	if err := Agree(c, err); err != nil {
		return nil, fmt.Errorf("gather: %w", err)
	}
	longest := []float64{float64(len(data))}
	if err := c.Allreduce(longest, mpi.Max); err != nil {
		return nil, err
	}
	send := make([]byte, int(longest[0])) // JSON may end with blanks
	for i := copy(send, data); i < len(send); i++ {
		send[i] = ' '
	}
	var recv []byte
	if c.Rank() == 0 {
		recv = make([]byte, len(send)*c.Size())
	}
	if err := c.Gather(send, recv, 0); err != nil || c.Rank() != 0 {
		return nil, err
	}
	list := make([]T, c.Size())
	for i := range list {
		if err := json.Unmarshal(recv[i*len(send):][:len(send)], &list[i]); err != nil {
			return nil, fmt.Errorf("gather: %w", err)
		}
	}
	return list, nil
}
