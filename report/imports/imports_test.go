package imports_test

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/imports"
)

func TestRead(t *testing.T) {
	_, err := imports.Read(strings.NewReader("any text\n"), "x")
	require.ErrorIs(t, err, imports.ErrUnknown)
	for _, program := range []string{"b_eff_io 2.1", "OSU", "IMB"} { // one of each kind
		require.ErrorContains(t, err, program)
	}
	_, err = imports.Read(strings.NewReader(""), "x")
	require.EqualError(t, err, "it is empty")
	_, err = imports.Read(iotest.ErrReader(errors.New("broken")), "x")
	require.EqualError(t, err, "broken")

	r, err := imports.Read(strings.NewReader("mpirun says\n# OSU MPI Latency Test v7.4\n# Size Latency (us)\n1 2.5\n"),
		"x")
	require.NoError(t, err)
	require.Equal(t, "foreign", r.Head().Benchmark)
	r, err = imports.Read(strings.NewReader("# Benchmarking PingPong\n# #processes = 2\n"+
		" #bytes #repetitions t[usec] Mbytes/sec\n 1 10 1.00 1.00\n\n"), "x")
	require.NoError(t, err)
	require.Equal(t, "probe", r.Head().Benchmark)
	_, err = imports.Read(strings.NewReader("b_eff_io.c, Revision 1.0\n"), "x")
	require.ErrorContains(t, err, "line 1: this is no .sum file")
}
