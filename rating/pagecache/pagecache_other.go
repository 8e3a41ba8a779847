//go:build !linux

package pagecache

// Look returns ErrUnknown.
func Look(string, ...Part) (Residency, error) { return Residency{}, ErrUnknown }

// Drop returns ErrUnknown.
func Drop(string) error { return ErrUnknown }

// Fetched reports false.
func Fetched() (int64, bool) { return 0, false }
