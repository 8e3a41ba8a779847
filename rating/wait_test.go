package rating

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A wait's words name rank, host, time, call and measurement.
func TestWaitWords(t *testing.T) {
	w := Wait{Rank: 17, Host: "n3", Seconds: 41.4, Call: "MPI_Sendrecv with rank 4 on n1, 65536 bytes",
		During: "ring-1*8"}
	require.Equal(t, "rank 17 on n3: 41 s in MPI_Sendrecv with rank 4 on n1, 65536 bytes, ring-1*8", w.Words())
	w.Expected = 0.005
	require.Equal(t, "rank 17 on n3: 41 s instead of the expected 0.005 s, ring-1*8", w.Words())
	require.Equal(t, "rank 1 on n: 60 s stopped, or without a processor", Wait{Rank: 1, Host: "n", Seconds: 60,
		Stopped: true}.Words())
	require.Equal(t, "rank 1 on n: 60 s outside of any call", Wait{Rank: 1, Host: "n", Seconds: 60}.Words())
}

// The warning describes the longest wait and counts the others.
func TestWaitWarning(t *testing.T) {
	require.Empty(t, WaitWarning(nil))
	list := WaitWarning([]Wait{{Rank: 1, Host: "a", Seconds: 5}, {Rank: 2, Host: "b", Seconds: 50},
		{Rank: 3, Host: "c", Seconds: 7}})
	require.Len(t, list, 1)
	w := list[0]
	require.Equal(t, "wait", w.Code)
	require.Equal(t, "a process made no progress for some time: rank 2 on b: 50 s outside of any call, and 2 more of "+
		"this kind",
		w.Text)
}
