package local_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestIdle checks that ranks that wait for long use less than half of a core.
func TestIdle(t *testing.T) {
	const wait = 400 * time.Millisecond
	for _, n := range []int{2, 5} {
		begin := used(t)
		ranks(t, n, func(s *step) {
			if s.me == 0 {
				time.Sleep(wait)
			}
			s.ok(s.World().Barrier())
		})
		require.Less(t, used(t)-begin, wait/2, "%d ranks", n)
	}
}

// used returns the processor time of this process.
func used(t *testing.T) time.Duration {
	var u unix.Rusage
	require.NoError(t, unix.Getrusage(unix.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
