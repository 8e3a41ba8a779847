package beffio

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/fault"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// A process's data can be computed at any position, and unmark restores them after each pattern.
func TestUnmark(t *testing.T) {
	whole := make([]byte, 4096)
	scramble(whole, 3)
	again := make([]byte, len(whole))
	copy(again, whole)
	for at := 0; at < len(again); at += 1024 {
		copy(again[at:], "marks...")
		copy(again[at+1016:], "marks...")
	}
	require.NotEqual(t, whole, again)
	unmark(again, 3, patterns.IORow{Disk: 1024, Memory: 4096})
	require.Equal(t, whole, again)
	scramble(again, 4)
	require.NotEqual(t, whole[:8], again[:8])
}

// Samples of a long chunk are inside of it, as far apart as they can be.
func TestStride(t *testing.T) {
	for _, memory := range []int64{longestWhole + 8, 8 << 20, 94 << 20, 1 << 30} {
		require.Greater(t, markWidth+samples*stride(memory)+sampleBytes, memory-markWidth)
		require.LessOrEqual(t, markWidth+(samples-1)*stride(memory)+sampleBytes, memory-markWidth)
	}
}

// A byte that changes between the marks is noticed when it is read, in each pattern.
func TestWrongInside(t *testing.T) {
	plan, err := NewPlan(2, Config{Rules: RulesPaper, Partitions: []int{2}, Duration: time.Second, Memory: 1 << 28,
		MaxBytes: 1 << 28, Verify: VerifySampled})
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, local.Run(2, func(e mpi.Engine) error {
		rank := e.World().Rank()
		m, err := measureIn(plan, dir, fault.Inject(e, fault.WrongDelivery(1, mpi.FileRead)),
			rating.Observer[Measured]{})
		if err != nil || rank > 0 {
			return err
		}
		for _, s := range m.Samples {
			row := plan.Rows[s.Pattern]
			if row.Fill { // its inside may be empty
				continue
			}
			wrong := s.Access == Read && s.Repetitions > 0 && !collective(row.Type)
			require.Equal(t, wrong, s.Errors > 0, "%s of pattern %d", s.Access, s.Pattern)
		}
		require.Positive(t, m.WrongChunks())
		require.NotEmpty(t, m.Errors)
		require.Equal(t, 1, m.Errors[0].Rank)
		return nil
	}))
}
