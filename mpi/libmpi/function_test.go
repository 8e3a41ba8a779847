package libmpi_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
)

// replaced holds calls that a user's function may replace, one of each group in C. The library of the test has a
// failing function with the name of each.
var replaced = []mpi.Op{mpi.Allreduce, mpi.Alltoallw, mpi.Scan, mpi.Exscan, mpi.NeighborAlltoall}

// TestFunctions replaces calls by a user's functions that fail. Without a function each call succeeds.
func TestFunctions(t *testing.T) {
	launcher(t)
	source := "#include <mpi.h>\n"
	for _, op := range replaced {
		source += "int " + strings.TrimPrefix(op.String(), "MPI_") + "(void) { return MPI_ERR_OTHER; }\n"
	}
	path := filepath.Join(t.TempDir(), "functions.so")
	c := exec.Command(os.Getenv("MPICC"), "-shared", "-fPIC", "-o", path, "-x", "c", "-")
	c.Stdin = strings.NewReader(source)
	out, err := c.CombinedOutput()
	require.NoError(t, err, string(out))
	text, err := mpirun(t, 2, "functions", path)
	require.NoError(t, err, text)
}

func callFunctions(e mpi.Engine) error {
	var names []string
	for _, op := range replaced {
		names = append(names, strings.TrimPrefix(op.String(), "MPI_"))
	}
	l, err := e.(mpi.Loader).LoadFunctions(os.Args[1], "", names)
	if err != nil {
		return err
	}
	defer l.Close()
	b, err := e.NewBuffer(64)
	if err != nil {
		return err
	}
	defer b.Free()
	for i, op := range replaced {
		for _, f := range []mpi.Function{nil, l.Function(i)} {
			p := &mpi.Program{Comm: e.World(), Start: e.World()}
			side := func(offset int64) mpi.Span {
				span := mpi.Span{First: len(p.Places), Count: 1}
				peers := []int{1 - e.World().Rank()}
				if op == mpi.Alltoallw {
					peers, span.Count = []int{0, 1}, 2
				}
				for n, peer := range peers {
					p.Place(mpi.Place{Space: b, Offset: offset + 8*int64(n), Length: 8, Type: mpi.Float64, Peer: peer})
				}
				return span
			}
			p.Call(mpi.Call{Op: op, Send: side(0), Recv: side(32), Function: f})
			if _, err := runOnce(e, p, mpi.Loops{Timed: 1}); (err != nil) != (f != nil) {
				return fmt.Errorf("%v, user's function %v: %v", op, f, err)
			}
		}
	}
	return nil
}
