package libmpi_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

// TestElementsOfType moves numbers and bytes to and from a file, with a library that counts a status only in elements
// of its call's type.
func TestElementsOfType(t *testing.T) {
	useHeader(t, "testdata/strict.h")
	out, err := mpirun(t, 1, "elements", filepath.Join(t.TempDir(), "file"))
	require.NoError(t, err, out)
}

// TestPending waits for requests of a file with a library in which one fails while the other is pending.
func TestPending(t *testing.T) {
	useHeader(t, "testdata/pending.h")
	out, err := mpirun(t, 1, "pending", filepath.Join(t.TempDir(), "file"))
	require.NoError(t, err, out)
}

// useHeader makes a plug-in for the test's processes, with a header before all sources.
func useHeader(t *testing.T, header string) {
	launcher(t)
	header, err := filepath.Abs(header)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "header.so")
	require.NoError(t, plugin.Build(os.Getenv("MPICC"), path, "-O0", "-include", header))
	t.Setenv(pluginVariable, path)
}

func elements(e mpi.Engine) error {
	b, err := e.NewBuffer(64)
	if err != nil {
		return err
	}
	defer b.Free()
	f, err := e.(mpi.Files).OpenFile(e.World(), os.Args[1], mpi.ReadWrite|mpi.Create, nil)
	if err != nil {
		return err
	}
	for _, bytes := range []bool{true, false} { // otherwise the file is of numbers
		if err := f.SetView(mpi.View{OfBytes: bytes}, nil); err != nil {
			return err
		}
		p := &mpi.Program{Comm: e.World(), Start: e.World()}
		memory, file := mpi.One(p.Place(mpi.Place{Space: b, Length: 64})),
			mpi.One(p.Place(mpi.Place{Space: f, Length: 64}))
		p.Call(mpi.Call{Op: mpi.FileWriteAt, Send: memory, Recv: file},
			mpi.Call{Op: mpi.FileReadAt, Send: file, Recv: memory})
		m, err := runOnce(e, p, mpi.Loops{Timed: 1})
		if err != nil {
			return err
		}
		if m.Failure != nil {
			return fmt.Errorf("bytes: %t: %w", bytes, m.Failure)
		}
	}
	return f.Close()
}

func pending(e mpi.Engine) error {
	const length = 64
	b, err := e.NewBuffer(2 * length)
	if err != nil {
		return err
	}
	defer b.Free()
	f, err := e.(mpi.Files).OpenFile(e.World(), os.Args[1], mpi.ReadWrite|mpi.Create, nil)
	if err != nil {
		return err
	}
	p := &mpi.Program{Comm: e.World(), Start: e.World()}
	for at := int64(0); at < 2*length; at += length {
		memory := mpi.One(p.Place(mpi.Place{Space: b, Offset: at, Length: length}))
		file := mpi.One(p.Place(mpi.Place{Space: f, Offset: at, Length: length}))
		p.Call(mpi.Call{Op: mpi.FileIwriteAt, Send: memory, Recv: file})
	}
	p.Call(mpi.Call{Op: mpi.Waitall})
	m, err := runOnce(e, p, mpi.Loops{Timed: 1})
	if err != nil {
		return err
	}
	if m.Failure == nil {
		return errors.New("no failure")
	}
	return f.Close()
}
