package tidy

import "github.com/effective-bandwidth/beff/rating"

// SlowCalls returns the columns that describe one of the slowest calls, which of returns.
func SlowCalls[T any](of func(*T) *rating.SlowCall) []Field[T] {
	return []Field[T]{
		Float("at", "s", "its begin since the run's", func(x *T) float64 { return of(x).At }),
		Float("seconds", "s", "that it took", func(x *T) float64 { return of(x).Seconds }),
		Int("rank", "", "of its process", func(x *T) int64 { return of(x).Rank }),
		Int("repetition", "", "of the process, counted from 0; none outside of loops",
			func(x *T) int64 { return of(x).Repetition }),
		Int("offset", "B", "of the process' first byte in the file; none outside of loops",
			func(x *T) int64 { return of(x).Offset }),
	}
}
