//go:build !linux

package journal

import (
	"errors"
	"os"
)

// ErrLocked never occurs, because locks are not used on this system.
var ErrLocked = errors.New("locked")

// Lock returns an error, because locks are not implemented for this system.
func Lock(*os.File) error { return errors.ErrUnsupported }

func alive(*Journal) bool                  { return false }
func sync(f *os.File) error                { return f.Sync() }
func reserve(*os.File, int64, int64) error { return nil }
