package mpi

import "testing"

// TestUntil checks that decisions are about DecideEvery seconds apart, but never more loops apart than have run, than
// the budget allows, or than are left.
func TestUntil(t *testing.T) {
	for _, c := range []struct {
		l       Loops
		loops   int64
		elapsed float64
		want    int64
	}{
		{Loops{Timed: 1000}, 10, 1, 1},
		{Loops{Timed: 10}, 10, 1, 0},
		{Loops{Timed: 1000, DecideEvery: 0.5}, 10, 1, 5},
		{Loops{Timed: 1000, DecideEvery: 0.05}, 10, 1, 1},
		{Loops{Timed: 1000, DecideEvery: 5}, 10, 1, 10},
		{Loops{Timed: 13, DecideEvery: 5}, 10, 1, 3},
		{Loops{Timed: 1000, DecideEvery: 5, Budget: 1.45}, 10, 1, 4},
		{Loops{Timed: 1000, DecideEvery: 5, Budget: 1.45, Deferred: 0.01}, 10, 1, 3},
		{Loops{Timed: 1000, DecideEvery: 5, Budget: 1.05}, 10, 1, 0},
		{Loops{Timed: 1000, DecideEvery: 5, Budget: 1}, 10, 0, 10},
	} {
		if got := c.l.Until(c.loops, c.elapsed); got != c.want {
			t.Errorf("%+v after %d loops in %v s: %d instead of %d", c.l, c.loops, c.elapsed, got, c.want)
		}
	}
}
