package libmpi_test

import (
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
	launcher(t)
	header, err := filepath.Abs("testdata/strict.h")
	require.NoError(t, err)
	strict := filepath.Join(t.TempDir(), "strict.so")
	require.NoError(t, plugin.Build(os.Getenv("MPICC"), strict, "-include", header))
	t.Setenv(pluginVariable, strict)
	out, err := mpirun(t, 1, "elements", filepath.Join(t.TempDir(), "file"))
	require.NoError(t, err, out)
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
	for _, bytes := range []bool{true, false} { // else of numbers
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
