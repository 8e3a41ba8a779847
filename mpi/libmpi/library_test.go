package libmpi

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseLibrary(t *testing.T) {
	for _, c := range []struct{ text, name, version string }{
		{"Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: v4.1.4, May 26, 2022", "Open MPI", "4.1.4"},
		{"Open MPI v5.0.3", "Open MPI", "5.0.3"},
		{"MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7 12:34:45 CDT 2022\n", "MPICH", "4.0.2"},
		{"Intel(R) MPI Library 2021.6 for Linux* OS\n", "Intel MPI", "2021.6"},
		{"MPI VERSION    : CRAY MPICH version 8.1.25.17 (ANL base 3.4a2)\n", "Cray MPICH", "8.1.25.17"},
		{"MVAPICH2 Version      :\t2.3.7\nMVAPICH2 Release date :\tWed Mar 02\n", "MVAPICH", "2.3.7"},
		{"Some MPI 1.0\nwith more lines", "Some MPI 1.0", ""},
		{"", "", ""},
	} {
		name, version := parseLibrary(c.text)
		require.Equal(t, c.name, name, c.text)
		require.Equal(t, c.version, version, c.text)
	}
}
