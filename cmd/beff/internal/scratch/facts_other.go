//go:build !linux

package scratch

import "github.com/effective-bandwidth/beff/beffio"

// Facts knows nothing of the file system here: --max-bytes has to say how much may be written.
func Facts(path string) (beffio.FileSystem, error) { return beffio.FileSystem{Directory: path}, nil }
