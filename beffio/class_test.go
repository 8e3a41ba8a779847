package beffio_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/rating"
)

// Without a T a plan takes as long as the rules require for each partition: 15 minutes by the paper (Sec. 4), which
// also requires 300 s of writing, and 30 minutes by release 2.1.
func TestLeastDuration(t *testing.T) {
	for processes, partitions := range map[int]int{1: 1, 2: 2, 3: 3, 4: 3, 7: 3, 64: 3} {
		for rules, minutes := range map[beffio.Rules]int{beffio.RulesPaper: 15, beffio.Rules21: 30} {
			p, err := beffio.NewPlan(processes, beffio.Config{Rules: rules, Memory: 256 << 20, MaxBytes: 1 << 60})
			require.NoError(t, err)
			require.Equal(t, time.Duration(partitions*minutes)*time.Minute, p.Duration, "%d, %s", processes, rules)
			require.False(t, p.Short())
		}
	}
	p, err := beffio.NewPlan(4, beffio.Config{Rules: beffio.RulesPaper, Memory: 256 << 20, MaxBytes: 1 << 60,
		RewriteAll: true})
	require.NoError(t, err)
	require.Equal(t, 50*time.Minute, p.Duration, "a third of 15 minutes isn't a bit more than 300 s")
	require.InEpsilon(t, 1./3, p.WritePart(), 1e-12)
}

// Half an hour for three partitions (paper, Sec. 5) is a separate class, in which the rating is valid.
func TestShortClass(t *testing.T) {
	const half = 30 * time.Minute
	for name, c := range map[string]struct {
		change     func(*beffio.Config)
		short, met bool
	}{
		"half an hour":   {func(*beffio.Config) {}, true, false},
		"a second less":  {func(c *beffio.Config) { c.Duration -= time.Second }, false, false},
		"three quarters": {func(c *beffio.Config) { c.Duration = 45 * time.Minute }, false, true},
		"two partitions": {func(c *beffio.Config) { c.Partitions = []int{2, 4} }, false, true},
		"four":           {func(c *beffio.Config) { c.Partitions = []int{1, 2, 3, 4} }, false, false},
		"by release 2.1": {func(c *beffio.Config) { c.Rules, c.Duration = beffio.Rules21, 2*half }, true, false},
		"quick":          {func(c *beffio.Config) { c.Quick = true }, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			whole := config()
			whole.Partitions, whole.Duration = []int{1, 2, 4}, half
			c.change(&whole)
			p, err := beffio.NewPlan(4, whole)
			require.NoError(t, err)
			r := beffio.NewResult(p, &beffio.Measured{}, beffio.Run{})
			require.Equal(t, c.short, p.Short())
			require.Equal(t, c.short, r.Short())
			time := criterion(r, "time")
			require.Equal(t, c.met, time.Reached)
			require.Equal(t, c.short, time.Class == beffio.ShortClass)
		})
	}
}

// The initial write of the class is a third of its T, as the paper's 300 s are a third of 15 minutes.
func TestShortWriting(t *testing.T) {
	for seconds, met := range map[float64]bool{200.1: true, 199.9: false} {
		whole := config()
		whole.Partitions, whole.Duration = []int{1, 2, 4}, 30*time.Minute
		require.Equal(t, met, criterion(judged(t, whole, func(m *beffio.Measured, _ *beffio.Run) {
			m.Samples = slices.Clone(m.Samples)
			for i := range m.Samples {
				if s := &m.Samples[i]; s.Access == beffio.Write {
					s.Seconds = seconds / 43
				}
			}
		}), "size").Reached)
	}
}

// criterion returns the criterion of a result with a name.
func criterion(r *beffio.Result, name string) rating.Criterion {
	return r.Criteria[slices.IndexFunc(r.Criteria, func(c rating.Criterion) bool { return c.Name == name })]
}

// Closing counts only the close of the last pass, which removes the files, as part of the time in figures of reading.
func TestClosing(t *testing.T) {
	r := made(t, config())
	n, whole, last := r.Main(), 0.0, 0.0
	for _, m := range r.Derived.Partitions[n].Accesses {
		if m.Access == beffio.Read {
			whole = m.Seconds
		}
	}
	for _, f := range r.Files {
		if f.Partition == n && f.Access == beffio.Read {
			last += f.Close
		}
	}
	require.Positive(t, last)
	require.InEpsilon(t, last/whole, r.Closing(), 1e-12)
	require.True(t, math.IsNaN((&beffio.Result{}).Closing()))
}
