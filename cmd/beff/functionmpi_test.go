package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
)

// userLibrary makes a library of functions that replace MPI_Bcast and MPI_Allreduce. wrong_Bcast moves nothing.
func userLibrary(t *testing.T) string {
	launcher(t)
	name := filepath.Join(t.TempDir(), "lib.so")
	c := exec.Command(os.Getenv("MPICC"), "-shared", "-fPIC", "-o", name, "-x", "c", "-")
	c.Stdin = bytes.NewBufferString(`#include <mpi.h>
#include <string.h>
static int begun;
int collectives_initialize(MPI_Comm comm, char *options) {
	int size, rc = MPI_Comm_size(comm, &size);
	begun = rc == MPI_SUCCESS && size == 3 && strcmp(options, "a,b=2") == 0;
	return begun ? 0 : 7;
}
int collectives_finalize(MPI_Comm comm) { return MPI_Barrier(comm); }
int my_Bcast(void *data, int n, MPI_Datatype type, int root, MPI_Comm comm) {
	return begun ? MPI_Bcast(data, n, type, root, comm) : MPI_ERR_OTHER;
}
int my_Allreduce(const void *send, void *recv, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
	int rc = MPI_Reduce(send, recv, n, type, op, 0, comm);
	return rc == MPI_SUCCESS ? MPI_Bcast(recv, n, type, 0, comm) : rc;
}
int wrong_Bcast(void *data, int n, MPI_Datatype type, int root, MPI_Comm comm) { return MPI_Barrier(comm); }
`)
	out, err := c.CombinedOutput()
	require.NoError(t, err, string(out))
	return name
}

// beff measures functions of a user's library instead of MPI's, and checks their data.
func TestFunctionsUnderMPI(t *testing.T) {
	library, prefix := userLibrary(t), filepath.Join(t.TempDir(), "probe")
	args := []string{"probe", "--library", library, "--function", "my_Bcast", "--function", "my_Allreduce",
		"--option", "suboptions=a,b=2", "--lengths", "0:1024:512", "--iter", "5", "--npmin", "3", "Bcast", "-o"}
	out, err := underMPI(t, launcher(t), 3, append(args, prefix)...).CombinedOutput()
	require.NoError(t, err, string(out))
	r := readProbe(t, prefix+".json")
	require.Len(t, r.Blocks, 3)
	for i, name := range []string{"Bcast", "my_Bcast", "my_Allreduce"} {
		b := r.Blocks[i]
		require.Equal(t, name, b.Kernel)
		require.Equal(t, i > 0, b.Component == kernel.USER)
		for _, row := range b.Rows {
			require.Zero(t, row.Defects)
			require.Positive(t, row.Derived[0].Max)
		}
	}
	out, err = underMPI(t, launcher(t), 3, "probe", "--library", library, "--function", "my_Bcast", "--option",
		"suboptions=a,b=2", "--lengths", "8:8:8", "--iter", "5", "--npmin", "3").CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, 1, strings.Count(string(out), "# Benchmarking "), "without kernels only the function is measured")
	out, err = underMPI(t, launcher(t), 3, append(append([]string{"probe", "--function", "wrong_Bcast"}, args[1:]...),
		prefix+"w")...).CombinedOutput()
	require.Error(t, err, string(out))
	require.Contains(t, string(out), "beff: wrong data: user's function wrong_Bcast, 512 bytes")
}

// A function that can't be called gives one line for all processes.
func TestBadFunctionsUnderMPI(t *testing.T) {
	library := userLibrary(t)
	for _, x := range []struct {
		want string
		args []string
	}{
		{"none.so: no such file", []string{"./none.so", "my_Bcast"}},
		{"has no function no_Bcast", []string{library, "no_Bcast"}},
		{"its name must contain the name of the call", []string{library, "collectives_finalize"}},
		{"collectives_initialize failed with code 7", []string{library, "my_Bcast"}},
	} {
		t.Run(x.want, func(t *testing.T) {
			refused(t, 3, "probe --library "+x.args[0]+" --function "+x.args[1], x.want)
		})
	}
}
