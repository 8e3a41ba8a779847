//go:build !linux

package scratch

import "github.com/effective-bandwidth/beff/beffio"

// Facts returns only the directory: nothing else is known on this system, so the user must limit the bytes on disk with
// --max-bytes.
func Facts(path string) (beffio.FileSystem, error) { return beffio.FileSystem{Directory: path}, nil }
