//go:build !linux

package scratch

// Facts returns only the directory: nothing else is known on this system, so the user must limit the bytes on disk with
// --max-bytes.
func Facts(path string) (FileSystem, error) { return FileSystem{Directory: path}, nil }
