package doctor

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/rating"
)

// The draft has what the job shows, and a line for each fact that only people know. It is a system.yaml.
func TestWriteSystem(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "sys_vendor"), []byte("Maker \"M\"\n"), 0o600))
	f := cluster()
	f.library.Stated = mpi.EngineKind{Distributed: true}
	f.env.Nodes[0].CPU = "CPU X"
	require.Equal(t, rating.System{Vendor: `Maker "M"`, Processor: "CPU X", Nodes: 2, PerNode: 4, Memory: 32,
		Interconnect: "mlx5_0 port 1: InfiniBand, 200 Gb/s", FileSystem: "lustre", MPI: "MPICH 5.0.2"}, f.system(dir))
	var b bytes.Buffer
	require.NoError(t, f.WriteSystem(&b))
	require.Contains(t, b.String(), "\n# name:\n# site:\n# note:\n")
	require.Contains(t, b.String(), "\nnodes: 2\nprocesses_per_node: 4\nmemory_gib: 32\n")
	var read rating.System
	require.NoError(t, yaml.Load(b.Bytes(), &read, yaml.WithKnownFields()))
	read.Vendor, read.Model = "", ""
	want := f.system(dir)
	want.Vendor = ""
	require.Equal(t, want, read)
}
