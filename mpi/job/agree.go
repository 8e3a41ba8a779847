package job

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// verdict is the root's message to the others.
type verdict[T any] struct {
	Value T
	Error string
}

// Decide calls find on rank 0 and returns its value on all processes of c. If find fails, all return the same
// *mpi.AgreedError. T must survive encoding/json.
func Decide[T any](c mpi.Comm, find func() (T, error)) (T, error) {
	return From(c, 0, find)
}

// From is Decide with another root.
func From[T any](c mpi.Comm, root int, find func() (T, error)) (T, error) {
	var v verdict[T]
	var found error
	var data []byte
	if c.Rank() == root {
		if v.Value, found = find(); found != nil {
			v.Error = found.Error()
		}
		var err error
		if data, err = json.Marshal(v); err != nil {
			return v.Value, fmt.Errorf("decide: %w", err)
		}
	}
	data, err := bcast(c, data, root)
	if err != nil {
		return v.Value, err
	}
	if c.Rank() != root {
		if err := json.Unmarshal(data, &v); err != nil {
			return v.Value, fmt.Errorf("decide: %w", err)
		}
		if v.Error != "" {
			found = errors.New(v.Error)
		}
	}
	if found != nil {
		return v.Value, &mpi.AgreedError{Err: found}
	}
	return v.Value, nil
}

// bcast returns root's data, of any length, on all processes.
func bcast(c mpi.Comm, data []byte, root int) ([]byte, error) {
	var length [8]byte
	binary.LittleEndian.PutUint64(length[:], uint64(len(data)))
	if err := c.Bcast(length[:], root); err != nil {
		return nil, err
	}
	if c.Rank() != root {
		data = make([]byte, binary.LittleEndian.Uint64(length[:]))
	}
	return data, c.Bcast(data, root)
}
