package mpi

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFault(t *testing.T) {
	for _, x := range []struct {
		library, version string
		op               Op
		fault            bool
	}{
		{"MPICH", "4.0.2", AllgatherInit, true}, {"MPICH", "4.1", AllgatherInit, true},
		{"MPICH", "4.1rc1", AllgatherInit, true}, {"MPICH", "4.1.1", AllgatherInit, false},
		{"MPICH", "4.1.1", GatherInit, true}, {"MPICH", "4.2.3", GatherInit, false},
		{"MPICH", "4.3.1", ScatterInit, true}, {"MPICH", "5.0.0", ScatterInit, false},
		{"MPICH", "4.0.2", BcastInit, false}, {"MPICH", "4.0.2", Allgather, false},
		{"Open MPI", "4.1.4", AllgatherInit, false}, {"beff", "", ScatterInit, false},
	} {
		require.Equal(t, x.fault, Library{Library: x.library, Version: x.version}.Fault(x.op) != "", "%+v", x)
	}
	require.Equal(t, "MPI_Scatter_init, which in MPICH 4.0.2 fails after its first start (4.3.2 is right)",
		Library{Library: "MPICH", Version: "4.0.2"}.Fault(ScatterInit))
}
