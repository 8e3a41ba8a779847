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

// blocks of strided transfers (suite of PGAS Microbenchmarks, strided put and get).
const blocks, block = 32768, 4

var strides = []int64{1, 2, 4, 8, 16, 32} // in blocks

// TestStridedExtent asks the library for the type map of strided places: ((count-1)·S+1)·block bytes from the first to
// the last one, and count·block of data, whatever S is.
func TestStridedExtent(t *testing.T) {
	launcher(t)
	path := filepath.Join(t.TempDir(), "extent.so")
	source, err := filepath.Abs("testdata/extent.c")
	require.NoError(t, err)
	require.NoError(t, plugin.Build(os.Getenv("MPICC"), path, "-O0", source))
	t.Setenv(pluginVariable, path)
	out, err := mpirun(t, 1, "extents")
	require.NoError(t, err, out)
	for _, stride := range strides {
		require.Contains(t, out, fmt.Sprintf("type 0 %d %d\n", ((blocks-1)*stride+1)*block, 131072))
	}
}

func extents(e mpi.Engine) error {
	b, err := e.NewBuffer(blocks * block * 32)
	if err != nil {
		return err
	}
	defer b.Free()
	for _, stride := range strides {
		p := &mpi.Program{Comm: e.World()}
		place := mpi.One(p.Place(mpi.Place{Space: b, Length: blocks * block,
			Pieces: mpi.Strided(blocks, block, stride*block)}))
		p.Call(mpi.Call{Op: mpi.Send, Send: place})
		r, err := e.Compile(p)
		if err != nil {
			return err
		}
		r.Close()
	}
	return nil
}
