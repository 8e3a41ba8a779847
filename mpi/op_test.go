package mpi

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOps(t *testing.T) {
	names := map[string]bool{}
	for _, op := range Ops() {
		require.NotEmpty(t, op.String(), "call %d", op)
		require.False(t, names[op.String()], op.String())
		names[op.String()] = true
	}
	require.Equal(t, "Op(?)", Op(255).String())
	require.False(t, Op(255).Starts())
	require.True(t, Iallreduce.Starts())
	require.False(t, Allreduce.Starts())
	require.True(t, FileReadAllBegin.Reads())
	require.False(t, FileWriteAllEnd.Reads())
	require.True(t, FileWriteAllEnd.Writes())
	require.False(t, FileSync.Writes())
	require.True(t, FileSync.OnFile())
	require.True(t, FileIreadAt.Explicit())
	require.False(t, FileReadOrderedEnd.Explicit())
	require.True(t, WinFlushAll.OnWindow())
	require.False(t, FileOpen.OnWindow())
	require.True(t, IreduceScatter.Reduces())
	require.False(t, Iallgatherv.Reduces())
	require.False(t, Accumulate.Reduces(), "it is not a collective call")
}

// TestFamilies checks that each family has calls, and that their names in the standard fit it.
func TestFamilies(t *testing.T) {
	members := map[Family][]Op{}
	for _, op := range Ops() {
		members[op.Family()] = append(members[op.Family()], op)
		name := op.String()
		require.Equal(t, strings.HasPrefix(name, "MPI_File_"), op.OnFile() || op.Family() == FileState, name)
		require.Equal(t, strings.HasSuffix(name, "_begin"), op.Family() == SplitBegin, name)
		require.Equal(t, strings.HasSuffix(name, "_end"), op.Family() == SplitEnd, name)
		require.Equal(t, strings.HasPrefix(name, "MPI_Win_"), op.Family() == WindowState, name)
		require.Equal(t, op.Family() == OneSided || op.Family() == WindowState, op.OnWindow(), name)
	}
	for f, name := range familyNames {
		require.NotEmpty(t, name, "family %d", f)
		require.NotEmpty(t, members[Family(f)], name)
	}
}

// TestBlocking compares the nonblocking and split variants with their blocking calls.
func TestBlocking(t *testing.T) {
	for _, op := range Ops() {
		blocking := op.Blocking()
		name := strings.ToLower(op.String())
		switch op.Family() {
		case NonblockingCollective, FileNonblocking, PointToPoint:
			if op.Partitioned() { // no other call does their work
				require.Equal(t, op, blocking)
				continue
			}
			if op.Persistent() {
				of := strings.Replace(strings.TrimSuffix(name, "_init"), "mpi_", "mpi_i", 1)
				if op.Family() == NonblockingCollective {
					of = strings.TrimSuffix(name, "_init")
					require.Equal(t, op, InitOf(blocking))
				}
				require.Equal(t, of, strings.ToLower(blocking.String()))
			}
			if op.Persistent() || op.Family() == PointToPoint {
				continue
			}
			at := strings.LastIndex(name, "_i") + 1
			if op.Family() == NonblockingCollective {
				at = len("MPI_")
			}
			require.Equal(t, strings.ToLower(blocking.String()), name[:at]+name[at+1:])
			require.True(t, op.Starts(), name)
		case SplitBegin:
			require.Equal(t, strings.TrimSuffix(name, "_begin")+"_end", strings.ToLower(op.End().String()))
			require.Equal(t, strings.TrimSuffix(name, "_begin"), strings.ToLower(blocking.String()))
			require.Equal(t, blocking, op.End().Blocking())
		case SplitEnd:
			require.Equal(t, strings.TrimSuffix(name, "_end"), strings.ToLower(blocking.String()))
		default:
			if op.Large() {
				require.Equal(t, strings.TrimSuffix(name, "_c"), strings.ToLower(blocking.String()))
			} else {
				require.Equal(t, op, blocking)
			}
			require.Equal(t, Nop, op.End(), name)
		}
		send, recv := op.Parts()
		bsend, brecv := blocking.Parts()
		require.Equal(t, [2]Parts{bsend, brecv}, [2]Parts{send, recv}, name)
		require.Equal(t, [2]bool{blocking.Reads(), blocking.Writes()}, [2]bool{op.Reads(), op.Writes()}, name)
		require.Equal(t, blocking.Explicit(), op.Explicit(), name)
		require.False(t, blocking != op && blocking.Starts(), name)
	}
	send, recv := Igatherv.Parts()
	require.Equal(t, [2]Parts{Whole, Vector}, [2]Parts{send, recv})
	send, _ = Put.Parts()
	require.Equal(t, No, send)
}
