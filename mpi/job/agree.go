package job

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// ExitCoder is an error that sets the program's exit code.
type ExitCoder interface {
	error
	ExitCode() int
}

// failure is an error of another process, with its exit code or 0.
type failure struct {
	Text string
	Code int
}

func (f *failure) Error() string { return f.Text }

// coded is a failure with an exit code.
type coded struct{ *failure }

func (c coded) ExitCode() int { return c.Code }

// sent returns the failure by which other processes learn of an error.
func sent(err error) *failure {
	f := &failure{Text: err.Error()}
	if c := ExitCoder(nil); errors.As(err, &c) {
		f.Code = c.ExitCode()
	}
	return f
}

// met returns this process' error for a failure of another one.
func (f *failure) met() error {
	if f.Code != 0 {
		return coded{f}
	}
	return f
}

// verdict is a message from the root to the others.
type verdict[T any] struct {
	Value   T
	Failure *failure
}

// Decide calls find on rank 0 and returns its value on all processes of c. If find fails, all return an
// *mpi.AgreedError with its text and exit code (ExitCoder). encoding/json must be able to copy T.
func Decide[T any](c mpi.Comm, find func() (T, error)) (T, error) {
	return From(c, 0, find)
}

// Do calls do on rank 0, and returns its error on all processes of c, as Decide does.
func Do(c mpi.Comm, do func() error) error {
	_, err := Decide(c, func() (struct{}, error) { return struct{}{}, do() })
	return err
}

// From is Decide with another root.
func From[T any](c mpi.Comm, root int, find func() (T, error)) (T, error) {
	var v verdict[T]
	var found error
	var data []byte
	if c.Rank() == root {
		if v.Value, found = find(); found != nil {
			v.Failure = sent(found)
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
		if v.Failure != nil {
			found = v.Failure.met()
		}
	}
	if found != nil {
		return v.Value, &mpi.AgreedError{Err: found}
	}
	return v.Value, nil
}

// Agree returns, on all processes of c, nil if err is nil on all of them. Otherwise it returns an *mpi.AgreedError with
// the text and exit code of the error of the lowest rank that has one. All processes must call it.
func Agree(c mpi.Comm, err error) error {
	first := []float64{float64(c.Size())}
	if err != nil {
		first[0] = float64(c.Rank())
	}
	if failed := c.Allreduce(first, mpi.Min); failed != nil {
		return failed
	}
	lowest := int(first[0])
	if lowest == c.Size() {
		return nil
	}
	_, agreed := From(c, lowest, func() (struct{}, error) { return struct{}{}, err })
	return agreed
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
