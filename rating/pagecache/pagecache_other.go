//go:build !linux

package pagecache

// Examine returns ErrUnknown.
func Examine(string, ...Part) (Residency, error) { return Residency{}, ErrUnknown }

// Drop returns ErrUnknown.
func Drop(string) error { return ErrUnknown }

// Fetched reports false.
func Fetched() (int64, bool) { return 0, false }
