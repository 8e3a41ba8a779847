package job

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// ExitCoder is an error that determines the program's exit code.
type ExitCoder interface {
	error
	ExitCode() int
}

// remoteError is an error of another process, with its exit code, or 0 if it has none.
type remoteError struct {
	Text string
	Code int
}

func (e *remoteError) Error() string { return e.Text }

// codedError is a remoteError with an exit code.
type codedError struct{ *remoteError }

func (e codedError) ExitCode() int { return e.Code }

// toRemote returns an error in the form that is sent to other processes.
func toRemote(err error) *remoteError {
	e := &remoteError{Text: err.Error()}
	if c := ExitCoder(nil); errors.As(err, &c) {
		e.Code = c.ExitCode()
	}
	return e
}

// local returns another process's error as an error of this process, which is an ExitCoder if it has an exit code.
func (e *remoteError) local() error {
	if e.Code != 0 {
		return codedError{e}
	}
	return e
}

// decision is the root's message to the other processes, with its value or its error.
type decision[T any] struct {
	Value *T           `json:",omitempty"`
	Err   *remoteError `json:",omitempty"`
}

// Decide calls find on rank 0 and returns its value on all processes of c. If find fails, or if encoding/json can't
// encode the value, all return an *mpi.AgreedError with the text and the exit code (ExitCoder) of the error. Decide
// is collective over c.
func Decide[T any](c mpi.Comm, find func() (T, error)) (T, error) {
	return DecideOn(c, 0, find)
}

// Do calls do on rank 0, and returns its error on all processes of c, as Decide does.
func Do(c mpi.Comm, do func() error) error {
	_, err := Decide(c, func() (struct{}, error) { return struct{}{}, do() })
	return err
}

// DecideOn is like Decide, but calls find on the process with rank root.
func DecideOn[T any](c mpi.Comm, root int, find func() (T, error)) (T, error) {
	var value T
	var failed error // the error of find
	var data []byte
	if c.Rank() == root {
		if value, failed = find(); failed == nil {
			data, failed = json.Marshal(decision[T]{Value: &value})
		}
		if failed != nil {
			data, _ = json.Marshal(decision[T]{Err: toRemote(failed)}) // a text and a number
		}
	}
	data, err := bcast(c, data, root)
	if err != nil {
		return value, err
	}
	if c.Rank() != root {
		d := decision[T]{Value: &value}
		if err := json.Unmarshal(data, &d); err != nil {
			return value, fmt.Errorf("decide: %w", err)
		}
		if d.Err != nil {
			failed = d.Err.local()
		}
	}
	if failed != nil {
		return value, &mpi.AgreedError{Err: failed}
	}
	return value, nil
}

// Agree returns, on all processes of c, nil if err is nil on all of them. Otherwise it returns an *mpi.AgreedError with
// the text and exit code of the error of the lowest rank that has one. It is collective over c.
func Agree(c mpi.Comm, err error) error {
	lowest := []float64{float64(c.Size())} // rank with an error
	if err != nil {
		lowest[0] = float64(c.Rank())
	}
	if err := c.Allreduce(lowest, mpi.Min); err != nil {
		return err
	}
	root := int(lowest[0])
	if root == c.Size() {
		return nil
	}
	_, agreed := DecideOn(c, root, func() (struct{}, error) { return struct{}{}, err })
	return agreed
}

// bcast returns the root's data, of any length, on all processes. The data of the others are ignored.
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
