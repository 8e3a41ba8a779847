package rating_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/rating"
)

// A run that takes longer than estimated isn't done: the time left is never less than a part of the time so far.
func TestNeverDone(t *testing.T) {
	require.NoError(t, local.Run(1, func(e mpi.Engine) error {
		now, left, parts := time.Now(), 50*time.Second, []float64(nil)
		p := rating.NewProcess(e, rating.Observer[int]{
			Now: func() time.Time { return now },
			Progress: func(at rating.Progress) {
				require.Positive(t, at.Left)
				parts = append(parts, at.Part)
			},
		})
		require.NoError(t, p.Begin(1, func() error { return nil }))
		for range 3 {
			now = now.Add(50 * time.Second)
			p.Progress(func(at *rating.Progress) { at.Left = left })
			left = 0
		}
		require.InDeltaSlice(t, []float64{0.5, 0.99, 0.99}, parts, 1e-9)
		return nil
	}))
}

// Time without progress is no work, and estimates of the time left exclude it.
func TestWorked(t *testing.T) {
	require.NoError(t, local.Run(1, func(e mpi.Engine) error {
		now := time.Now()
		p := rating.NewProcess(e, rating.Observer[int]{
			Now:    func() time.Time { return now },
			Waited: func() time.Duration { return time.Minute },
			Progress: func(at rating.Progress) {
				require.Equal(t, 90*time.Second, at.Elapsed)
				require.Equal(t, 30*time.Second, at.Worked)
			},
		})
		require.NoError(t, p.Begin(1, func() error { return nil }))
		now = now.Add(90 * time.Second)
		p.Progress(func(*rating.Progress) {})
		return nil
	}))
}
