package tidy

import "github.com/effective-bandwidth/beff/rating"

// SlowCalls returns the columns that describe one of the slowest calls, which of returns.
func SlowCalls[T any](of func(*T) *rating.SlowCall) []Field[T] {
	return []Field[T]{
		Float("at", "s", "begin of the call, after the begin of the run", func(x *T) float64 { return of(x).At }),
		Float("seconds", "s", "duration of the call", func(x *T) float64 { return of(x).Seconds }),
		Int("rank", "", "rank of the process", func(x *T) int64 { return of(x).Rank }),
		Int("repetition", "", "repetition of the process, counted from 0; empty outside of loops",
			func(x *T) int64 { return of(x).Repetition }),
		Int("offset", "B", "offset in the file of the process's first byte; empty outside of loops",
			func(x *T) int64 { return of(x).Offset }),
	}
}
